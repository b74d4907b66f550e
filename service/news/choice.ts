// Service, news: draws wordings, the same for the same world and report.
import { keyOfText, stream } from '../market/synthetic/numbers.ts';

export interface Choice {
  /** Draws one item. The list must not be empty. */
  pick<Item>(items: readonly Item[]): Item;
}

/** @param names of the world and of the report; they seed the draw */
export function createChoice(...names: readonly string[]): Choice {
  const next = stream(keyOfText(0x0b1e, names.join('\n')));
  const below = (count: number): number => Math.floor((next() / 4_294_967_296) * count);
  return {
    pick: (items) => items[below(items.length)] as (typeof items)[number],
  };
}
