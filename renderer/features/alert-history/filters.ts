// Renderer, pure: which alerts are listed, their groups, and how many the filters hide.
import type { AssetClass } from '../../../shared/domain/instruments.ts';
import { regimeLabel } from '../../../shared/domain/regimes.ts';
import type { RiskOrder } from '../../../shared/domain/risk-order.ts';
import { type State, stateLabel } from '../../../shared/domain/states.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { GROUPS, type Group, groupOf, type Outcome } from '../../store/alert-outcome.ts';
import { type Entry, startOf } from './episodes.ts';

export const DAYS = [1, 7, 30, 90] as const;

export interface Filters {
  readonly states: readonly State[];
  /** watched: symbols of any watchlist; all: every symbol; else the id of a watchlist. */
  readonly list: string;
  readonly regime: string | null;
  readonly assetClass: AssetClass | null;
  /** null: as far back as the ledger goes. */
  readonly days: (typeof DAYS)[number] | null;
  /** Suppressed alerts are listed, too. */
  readonly suppressed: boolean;
  readonly text: string;
}
export const FILTERS_AT_FIRST: Filters = {
  states: [2, 1],
  list: 'watched',
  regime: null,
  assetClass: null,
  days: 90,
  suppressed: true,
  text: '',
};

export interface Line extends Entry {
  readonly outcome: Outcome;
}

/** The alert goes on or needs the user: what is at stake in its symbol is said. */
export const isAtStake = ({ to, outcome }: Line): boolean => to === null || outcome.kind === 'needs_you';

/** Lists alerts from this world time on, ms. */
export const sinceOf = (days: Filters['days'], now: number): number => (days === null ? 0 : now - days * DAY_MS);

export interface FilterResult {
  readonly shown: readonly Line[];
  readonly hidden: number;
  /** Number of filters that hide something. */
  readonly by: number;
}

/** @param symbols of the chosen watchlist; null: every one. @param now world time, ms */
export function applyFilters(
  lines: readonly Line[],
  filters: Filters,
  symbols: ReadonlySet<string> | null,
  now: number,
): FilterResult {
  const terms = filters.text.toLowerCase().split(/\s+/).filter(Boolean);
  const since = sinceOf(filters.days, now);
  const tests: readonly ((line: Line) => boolean)[] = [
    ({ peak }) => filters.states.includes(peak),
    ({ subject }) => symbols === null || symbols.has(subject.alert.transition.symbol),
    ({ subject }) => filters.regime === null || subject.alert.transition.regime === filters.regime,
    ({ subject }) => filters.assetClass === null || subject.alert.transition.asset_class === filters.assetClass,
    ({ to }) => to === null || to >= since,
    ({ outcome }) => filters.suppressed || outcome.kind !== 'suppressed',
    (line) => terms.length === 0 || terms.every((word) => textOf(line).includes(word)),
  ];
  const shown = lines.filter((line) => tests.every((test) => test(line)));
  return { shown, hidden: lines.length - shown.length, by: tests.filter((test) => !lines.every(test)).length };
}

function textOf({ subject, peak, outcome }: Line): string {
  const { symbol, regime } = subject.alert.transition;
  const reason = outcome.kind === 'suppressed' ? outcome.reason : '';
  return [symbol, stateLabel(peak), regime === null ? '' : regimeLabel(regime), subject.alert.note, reason]
    .join(' ')
    .toLowerCase();
}

export interface Section {
  readonly id: string;
  readonly lines: readonly Line[];
}

/** Sections by current state: open High Risk; open Elevated; ended. Empty sections are left out. */
export function episodeSections(lines: readonly Line[], { compare }: RiskOrder): Section[] {
  const byNeed = (a: Line, b: Line): number =>
    Number(b.outcome.kind === 'needs_you') - Number(a.outcome.kind === 'needs_you') ||
    compare(a.subject.alert.transition, b.subject.alert.transition) ||
    startOf(b) - startOf(a);
  const open = (state: State): Line[] => lines.filter(({ present }) => present === state).sort(byNeed);
  const ended = lines.filter(({ to }) => to !== null).sort((a, b) => startOf(b) - startOf(a));
  return filled([
    { id: 'open_high', lines: open(2) },
    { id: 'open_elevated', lines: open(1) },
    { id: 'ended', lines: ended },
  ]);
}

/** Sections by outcome. */
export const outcomeSections = (lines: readonly Line[]): Section[] =>
  filled(
    GROUPS.map((group: Group) => ({ id: group, lines: lines.filter(({ outcome }) => groupOf(outcome) === group) })),
  );

const filled = (sections: readonly Section[]): Section[] => sections.filter(({ lines }) => lines.length > 0);
