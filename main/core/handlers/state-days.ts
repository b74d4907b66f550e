// Main, core: reads from the ledger the worst state of watched symbols on the last trading days.
import type { CoreChannels } from '../../../shared/channels/channels.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import { HIGH_RISK_DAYS, type HighRiskDays, STATE_DAYS, type StateDays } from '../../../shared/channels/queries.ts';
import type { Gap } from '../../../shared/channels/state.ts';
import { lastSessions, type SessionCalendar, sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import type { State } from '../../../shared/domain/states.ts';
import { type StateBand, type StateChange, stateBands } from '../../../shared/domain/timeline.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { RowTable } from '../rows.ts';

export interface StateDaysDeps {
  readonly ledger: Pick<Ledger, 'entries' | 'shownGaps'>;
  readonly rows: Pick<RowTable, 'get'>;
  /** World time, ms. */
  readonly worldNow: () => number;
  readonly environment: 'sandbox' | 'production';
}

/** Most gaps that are read, the open ones first. */
const MAX_GAPS = 500;

export function createStateDaysHandlers(
  deps: StateDaysDeps,
): Handlers<Pick<CoreChannels, 'states.days' | 'states.highRisk'>> {
  return {
    'states.days': ({ symbols }) => stateDays(deps, symbols, STATE_DAYS),
    'states.highRisk': ({ symbols }) => highRiskDays(stateDays(deps, symbols, HIGH_RISK_DAYS)),
  };
}

const highRiskDays = ({ days, rows }: StateDays): HighRiskDays => ({
  days,
  counts: days.map((_, day) => {
    const known = rows.flatMap(({ states }) => states[day] ?? []);
    return 2 * known.length < rows.length ? null : known.filter((state) => state === 2).length;
  }),
});

/**
 * A day runs from its opening to the next one, both included: a close at midnight belongs to the day that it
 * ends. A symbol that trades on other days than the list has its states on the day before.
 */
function stateDays(
  { ledger, rows, worldNow, environment }: StateDaysDeps,
  symbols: readonly string[],
  days: number,
): StateDays {
  const now = worldNow();
  const sessions = lastSessions(calendarOf(symbols, rows, environment), now, days);
  const begin = sessions[0]?.open ?? now;
  const changes = new Map<string, StateChange[]>(symbols.map((symbol) => [symbol, []]));
  for (const { symbol, to_state, occurred_s } of ledger.entries.stateChanges(begin / 1000, Math.floor(now / 1000)))
    changes.get(symbol)?.push({ at: occurred_s * 1000, state: to_state });
  const gaps = ledger.shownGaps(MAX_GAPS).filter(({ closed }) => !closed);
  const unknown = gaps.map((gap) => spanOf(gap, now));
  return {
    days: sessions.map(({ date }) => date),
    rows: symbols.map((symbol) => {
      const own = changes.get(symbol) ?? [];
      const ended = lastPriceOf(symbol, rows);
      // One millisecond more, so that a change at this instant, or at the last price, belongs to its day.
      const notKnown = ended === null ? unknown : [...unknown, { from: ended + 1, to: now + 1 }];
      const bands = stateBands(own.length > 0 ? own : presentOf(symbol, rows), now + 1, notKnown);
      const states = sessions.map(({ open }, index) => worst(bands, open, sessions[index + 1]?.open ?? now));
      return {
        symbol,
        states,
        shares: sessions.map(({ open, close }, index) => share(bands, states[index], open, Math.min(close, now + 1))),
      };
    }),
  };
}

/**
 * Without a transition in the ledger: the state that the service reports, from when it says that it began.
 */
function presentOf(symbol: string, rows: StateDaysDeps['rows']): StateChange[] {
  const signal = rows.get(symbol)?.signal ?? null;
  return signal === null || signal.since === null ? [] : [{ at: Date.parse(signal.since), state: signal.state }];
}

/**
 * The instant of the last price of a symbol whose prices ended: later states are unknown. null: they go on.
 */
function lastPriceOf(symbol: string, rows: StateDaysDeps['rows']): number | null {
  const signal = rows.get(symbol)?.signal ?? null;
  return signal?.data_health === 'stale' ? Date.parse(signal.decided_at ?? signal.since ?? '') || 0 : null;
}

function worst(bands: readonly StateBand[], from: number, to: number): State | null {
  let found: State | null = null;
  for (const band of bands)
    if (band.from <= to && band.to > from && (found === null || band.state > found)) found = band.state;
  return found;
}

/** Share of the range spent in this state, 0 to 1. */
function share(bands: readonly StateBand[], state: State | null | undefined, from: number, to: number): number {
  let time = 0;
  for (const band of bands)
    if (band.state === state) time += Math.max(0, Math.min(band.to, to) - Math.max(band.from, from));
  return time / (to - from);
}

const spanOf = ({ from, to }: Gap, now: number) => ({
  from: Date.parse(from),
  to: to === null ? now + 1 : Date.parse(to),
});

/** One calendar for the list, so that its columns are days: the one with the fewest sessions. */
function calendarOf(
  symbols: readonly string[],
  rows: StateDaysDeps['rows'],
  environment: StateDaysDeps['environment'],
): SessionCalendar {
  const found = new Set<SessionCalendar>();
  for (const symbol of symbols) {
    const assetClass = rows.get(symbol)?.signal?.asset_class;
    if (assetClass != null) found.add(sessionCalendarOf(assetClass, environment));
  }
  if (found.size === 0) found.add(sessionCalendarOf('equity', environment));
  return (['us', 'fx', 'always'] as const).find((one) => found.has(one)) ?? 'always';
}
