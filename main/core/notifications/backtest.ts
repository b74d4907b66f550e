// Main, core: backtests a rule on the last 30 days of this ledger. Writes and notifies nothing.
import type { RuleBacktest } from '../../../shared/channels/alerting.ts';
import { isQuiet, type QuietHours, type Rule } from '../../../shared/settings/alert-rules.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { EntryRow } from '../ledger/entries.ts';
import { laterChanges } from '../ledger/later-changes.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { pastContextOf, type RuleContextOptions } from './rule-context.ts';
import { missOf } from './rules.ts';

export interface BacktestOptions extends RuleContextOptions {
  readonly ledger: Pick<Ledger, 'entries'>;
  readonly quiet: QuietHours | null;
  /** The current rules; the tested rule is not compared with itself. */
  readonly rules: readonly Rule[];
  /** World time, ms. */
  readonly now: number;
  /** Hour of this computer's clock at an instant, 0 to 23. */
  hourOf(at: number): number;
}

export const DEPTH = 30 * 24 * 3_600_000;
export const MOST = 50_000;
export const EXAMPLES = 20;
export const BRIEF_SECONDS = 20 * 60;

export function isNight(at: number, { hourOf }: Pick<BacktestOptions, 'hourOf'>): boolean {
  const hour = hourOf(at);
  return hour >= 22 || hour < 7;
}

export function backtestRule(rule: Rule, options: BacktestOptions): RuleBacktest {
  const { ledger, now } = options;
  const since = Math.floor((now - DEPTH) / 1000);
  const candidate = { ...rule, enabled: true, expires_at: null };
  const others = rule.events.filter((name) => !name.startsWith('signal.'));
  const rows = [
    ...ledger.entries.signalsBetween(since, Math.floor(now / 1000) + 1, MOST),
    ...(others.length === 0 ? [] : ledger.entries.othersSince(since, others, MOST)),
  ].sort((a, b) => a.occurred_s - b.occurred_s || a.ledger_id - b.ledger_id);

  const otherRules = options.rules.filter((other) => other.enabled && other.id !== rule.id);
  const also = new Map<string, number>();
  const notified: EntryRow[] = [];
  const count = { matched: 0, not_sustained: 0, quiet: 0, at_night: 0, brief: 0 };
  for (const row of rows) {
    const context = pastContextOf(row, options);
    if (context === null || missOf(candidate, context) !== null) continue;
    const { transition } = row;
    count.matched += 1;
    const lasted = secondsUntilBack(ledger, row, transition?.from_state ?? null);
    const isFall = transition !== null && transition.to_state < transition.from_state;
    if (lasted !== null && lasted < (isFall ? rule.hold_down_seconds : rule.hold_up_seconds)) {
      count.not_sustained += 1;
      continue;
    }
    if (isQuiet(options.quiet, context.at, context.calendar)) {
      count.quiet += 1;
      continue;
    }
    notified.push(row);
    for (const other of otherRules)
      if (missOf(other, context) === null) also.set(other.id, (also.get(other.id) ?? 0) + 1);
    if (isNight(context.at, options)) count.at_night += 1;
    if (lasted !== null && lasted < BRIEF_SECONDS) count.brief += 1;
  }
  return {
    ...knownFrom(ledger, rows, now),
    evaluated: rows.length,
    notified: notified.length,
    ...count,
    also: [...also].map(([id, count]) => ({ rule: id, count })),
    examples: notified
      .slice(-EXAMPLES)
      .reverse()
      .map((row) => ({
        ledger_id: row.ledger_id,
        symbol: row.symbol,
        event: row.event,
        at: timestamp(row.occurred_s * 1000),
      })),
  };
}

/** World time of the first event that was read, and from when on the ledger knows all. */
export function knownFrom(
  ledger: Pick<Ledger, 'entries'>,
  [first]: readonly EntryRow[],
  now: number,
): Pick<RuleBacktest, 'from' | 'known_from'> {
  if (first === undefined) return { from: null, known_from: null };
  const isOlderKnown = ledger.entries.signalsBetween(0, Math.floor((now - DEPTH) / 1000), 1).length > 0;
  const from = first.occurred_s * 1000;
  return { from: timestamp(from), known_from: timestamp(isOlderKnown ? now - DEPTH : from) };
}

/** Time until the symbol left the state towards its previous one, seconds; null: never. */
function secondsUntilBack(ledger: Pick<Ledger, 'entries'>, row: EntryRow, from: number | null): number | null {
  const state = row.to_state;
  if (state === null || from === null) return null;
  const back = laterChanges(ledger, row).find(
    ({ to_state: to }) => to !== null && (from > state ? to > state : to < state),
  );
  return back === undefined ? null : back.occurred_s - row.occurred_s;
}
