// Pure: the three signal states of an asset (specification, section 3) and their order.

/** 0 Normal, 1 Elevated, 2 High Risk (contract 1). The integer is the rank: a larger one is the riskier state. */
export type State = 0 | 1 | 2;
export const STATES: readonly State[] = [0, 1, 2];

export type StateName = 'normal' | 'elevated' | 'high_risk';

const NAMES: readonly [StateName, StateName, StateName] = ['normal', 'elevated', 'high_risk'];
const LABELS: readonly [string, string, string] = ['Normal', 'Elevated', 'High Risk'];

export const stateName = (state: State): StateName => NAMES[state];
/** Label in title case. */
export const stateLabel = (state: State): string => LABELS[state];
/** The label; a service's own word, which names none of the three states, in quotation marks. */
export const writtenState = (state: State, word?: string): string =>
  word === undefined ? stateLabel(state) : `“${word}”`;

/**
 * Reads a state's name in any spelling ("High Risk", "HIGH_RISK", "high-risk").
 * @returns null when the text names none of the three
 */
export function stateFromText(text: string): State | null {
  const folded = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '_');
  const index = NAMES.findIndex((name) => name === folded || name.replace('_', '') === folded);
  return index === -1 ? null : (index as State);
}

/** Reads a state from a query parameter: by name in any spelling, or by integer. */
export function stateFromQuery(text: string): State | null {
  if (/^[012]$/.test(text.trim())) return Number(text.trim()) as State;
  return stateFromText(text);
}
