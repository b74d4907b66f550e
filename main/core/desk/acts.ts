// Main, core: what the acts of a desk on one alert come to. Pure: every monitor with the same acts concludes the same.
import type { DeskAct } from '../../../shared/wire/desk.ts';

/**
 * The act of who deals with the alert: the first of those taken that nobody ended; null: nobody does. An act that its
 * ending did not know goes on, so that a partition loses none.
 * @param acts by time, then by id
 */
export function holderOf(acts: readonly DeskAct[]): DeskAct | null {
  const ended = endedBy(acts);
  return acts.find(({ act, id }) => act === 'taken' && !ended.has(id)) ?? null;
}

/** Ids of the acts that somebody who deals with the alert no more would end. */
export function openIds(acts: readonly DeskAct[]): string[] {
  const ended = endedBy(acts);
  return acts.flatMap(({ act, id }) => (act === 'taken' && !ended.has(id) ? [id] : []));
}

const endedBy = (acts: readonly DeskAct[]): ReadonlySet<string> => new Set(acts.flatMap(({ releases }) => releases));

/** The newest of a kind; null: there is none. */
export const newestOf = (acts: readonly DeskAct[], kind: DeskAct['act']): DeskAct | null =>
  acts.findLast(({ act }) => act === kind) ?? null;

/** A text of a user as an act has it: the wire takes one line without control characters. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
