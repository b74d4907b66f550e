// Service, briefings: draws topics and wordings, the same for the same world and briefing.
import { keyOfText, stream } from '../market/synthetic/numbers.ts';

export interface Choice {
  /** Draws one item. The list must not be empty. */
  pick<Item>(items: readonly Item[]): Item;
  /** The same items in a drawn order. */
  shuffle<Item>(items: readonly Item[]): Item[];
  /** Draws true with this probability, 0..1. */
  chance(share: number): boolean;
}

/** @param names of the world and of the briefing; they seed the draw */
export function createChoice(...names: readonly string[]): Choice {
  const next = stream(keyOfText(0x0b1e, names.join('\n')));
  const below = (count: number): number => Math.floor((next() / 4_294_967_296) * count);
  return {
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    shuffle(items) {
      const rest = [...items];
      return rest.map((_, index) => {
        const at = index + below(rest.length - index);
        const taken = rest[at] as (typeof items)[number];
        rest[at] = rest[index] as (typeof items)[number];
        rest[index] = taken;
        return taken;
      });
    },
    chance: (share) => below(1000) < share * 1000,
  };
}
