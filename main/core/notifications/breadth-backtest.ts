// Main, core: backtests a rule on the share of a list: on the transitions of the last 30 days of this ledger.

import type { RuleBacktest } from '../../../shared/channels/alerting.ts';
import type { Row } from '../../../shared/channels/state.ts';
import type { State } from '../../../shared/domain/states.ts';
import { symbolsOf, type Watchlist } from '../../../shared/domain/watchlists.ts';
import { isQuiet, isWithin, type Rule } from '../../../shared/settings/alert-rules.ts';
import {
  type BreadthCondition,
  isBreadthReached,
  measureBreadth,
} from '../../../shared/settings/breadth-conditions.ts';
import { BREADTH_EVENT } from '../../../shared/settings/core-events.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { EntryRow } from '../ledger/entries.ts';
import { type BacktestOptions, BRIEF_SECONDS, DEPTH, EXAMPLES, isNight, knownFrom, MOST } from './backtest.ts';

export interface BreadthBacktestOptions extends Omit<BacktestOptions, 'watch'> {
  readonly lists: readonly Watchlist[];
  readonly rows: readonly Row[];
}

interface Crossing {
  /** The transition with which the share was reached. */
  readonly row: EntryRow;
  readonly endedAt: number | null;
}

/** The list as it is now. A symbol was in its present state, unless the ledger has transitions of it. */
export function backtestBreadth(
  rule: Rule,
  condition: BreadthCondition,
  options: BreadthBacktestOptions,
): RuleBacktest {
  const { ledger, now, quiet } = options;
  const calendar = options.calendarOf(null);
  const since = Math.floor((now - DEPTH) / 1000);
  const rows = ledger.entries.signalsBetween(since, Math.floor(now / 1000) + 1, MOST);
  const crossings = crossingsOf(rows, condition, options);
  const fitting = crossings.filter(({ row }) => isWithin(rule.hours, row.occurred_s * 1000, calendar));
  const notified = fitting.filter(({ row }) => !isQuiet(quiet, row.occurred_s * 1000, calendar));
  const isBrief = ({ row, endedAt }: Crossing): boolean => endedAt !== null && endedAt - row.occurred_s < BRIEF_SECONDS;
  const isSame = ({ id, enabled, breadth }: Rule): boolean =>
    enabled && id !== rule.id && JSON.stringify(breadth) === JSON.stringify(condition);
  const also = notified.length === 0 ? [] : options.rules.filter(isSame);
  return {
    ...knownFrom(ledger, rows, now),
    evaluated: rows.length,
    notified: notified.length,
    matched: fitting.length,
    not_sustained: 0,
    quiet: fitting.length - notified.length,
    at_night: notified.filter(({ row }) => isNight(row.occurred_s * 1000, options)).length,
    brief: notified.filter(isBrief).length,
    also: also.map(({ id }) => ({ rule: id, count: notified.length })),
    examples: notified
      .slice(-EXAMPLES)
      .reverse()
      .map(({ row }) => ({
        ledger_id: row.ledger_id,
        symbol: row.symbol,
        event: BREADTH_EVENT,
        at: timestamp(row.occurred_s * 1000),
      })),
  };
}

function crossingsOf(
  rows: readonly EntryRow[],
  { list, percent, state }: BreadthCondition,
  { lists, rows: present }: BreadthBacktestOptions,
): Crossing[] {
  const found = lists.find(({ id }) => id === list);
  const symbols = found === undefined ? [] : symbolsOf(found);
  const states = new Map<string, State>();
  for (const { symbol, signal } of present) if (signal !== null) states.set(symbol, signal.state);
  for (const { symbol, transition } of rows.toReversed())
    if (symbol !== null && transition !== null) states.set(symbol, transition.from_state);
  const measure = () =>
    measureBreadth(
      symbols,
      (symbol) => {
        const known = states.get(symbol);
        return known === undefined ? undefined : { signal: { state: known }, stale: false };
      },
      state,
    );
  let isReached = isBreadthReached(false, percent, measure());
  const crossings: Crossing[] = [];
  for (const row of rows) {
    if (row.symbol === null || row.to_state === null || !symbols.includes(row.symbol)) continue;
    states.set(row.symbol, row.to_state);
    const before = isReached;
    isReached = isBreadthReached(before, percent, measure());
    const last = crossings.at(-1);
    if (isReached && !before) crossings.push({ row, endedAt: null });
    else if (before && !isReached && last !== undefined)
      crossings[crossings.length - 1] = { ...last, endedAt: row.occurred_s };
  }
  return crossings;
}
