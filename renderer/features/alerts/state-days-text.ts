// Renderer, pure: the texts of the list over 30 days: of a cell, and of a row as one sentence.
import { type State, stateLabel } from '../../../shared/domain/states.ts';
import { texts } from '../../../shared/text/texts.ts';

/**
 * @param share the part of the session in that state, 0 to 1; the text has it unless it is all of the session
 */
export function dayStateText(state: State | null | undefined, share: number | undefined): string {
  if (state == null) return texts.alerts.days.noData;
  if (state === 0 || share === undefined || share === 1) return stateLabel(state);
  return texts.alerts.days.partOf(stateLabel(state), share);
}

/** The worst state, on how many days, and the last one of them. @param days as text, as many as states */
export function rowSentence(symbol: string, states: readonly (State | null)[], days: readonly string[]): string {
  const noData = states.filter((state) => state === null).length;
  const worst = Math.max(0, ...states.map((state) => state ?? 0)) as State;
  if (worst === 0) return texts.alerts.days.normal(symbol, states.length, noData);
  const on = states.filter((state) => state === worst).length;
  const last = days[states.lastIndexOf(worst)] ?? '';
  return texts.alerts.days.row(symbol, stateLabel(worst), on, states.length, last, noData);
}
