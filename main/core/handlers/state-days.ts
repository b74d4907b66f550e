// Main, core: the states of watched symbols on the last trading days, from the ledger and the history before it.

import type { CoreChannels } from '../../../shared/channels/channels.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import {
  HIGH_RISK_DAYS,
  MAX_DAY_CHANGES,
  STATE_DAYS,
  type StateDay,
  type StateDays,
} from '../../../shared/channels/queries.ts';
import type { Gap } from '../../../shared/channels/state.ts';
import { EXCHANGE_IDS } from '../../../shared/domain/exchanges/exchanges.ts';
import { type CalendarOf, lastSessions, type Session, type SessionCalendar } from '../../../shared/domain/sessions.ts';
import type { State } from '../../../shared/domain/states.ts';
import { lacksCloses, type StateBand, type StateChange, stateBands } from '../../../shared/domain/timeline.ts';
import { type Followed, whatFollowed } from '../../../shared/domain/what-followed.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { RowTable } from '../rows.ts';
import type { PastStates } from './past-states.ts';

export interface StateDaysDeps {
  readonly ledger: Pick<Ledger, 'entries' | 'shownGaps'>;
  readonly rows: Pick<RowTable, 'get'>;
  readonly past: PastStates;
  /** World time, ms. */
  readonly worldNow: () => number;
  readonly calendarOf: CalendarOf;
}

/** Most gaps that are read, the open ones first. */
const MAX_GAPS = 500;
/** Most alerts of a symbol that are counted. */
const MAX_ALERTS = 500;

export function createStateDaysHandlers(
  deps: StateDaysDeps,
): Handlers<Pick<CoreChannels, 'states.days' | 'states.day' | 'states.highRisk'>> {
  return {
    async 'states.days'({ symbols }) {
      const { sessions, bands } = await bandsOf(deps, symbols, STATE_DAYS);
      return {
        days: sessions.map(({ date }) => date),
        rows: symbols.map((symbol) => ({
          symbol,
          cells: sessions.map((session) => cellOf(bands.get(symbol) ?? [], session)),
          ...outcomesOf(deps, symbol, sessions[0]?.open ?? 0),
        })),
      };
    },
    async 'states.day'({ symbols, day }) {
      const { sessions, bands } = await bandsOf(deps, symbols, STATE_DAYS);
      const session = sessions.find(({ date }) => date === day) ?? sessions.at(-1);
      if (session === undefined) throw new Error(`no session ${day}`);
      return dayOf(bands, session);
    },
    async 'states.highRisk'({ symbols }) {
      const { sessions, bands } = await bandsOf(deps, symbols, HIGH_RISK_DAYS);
      return {
        days: sessions.map(({ date }) => date),
        counts: sessions.map(({ open, next }) => {
          const known = [...bands.values()].flatMap((own) => worst(own, open, next) ?? []);
          return 2 * known.length < symbols.length ? null : known.filter((state) => state === 2).length;
        }),
      };
    },
  };
}

/** A trading day. It runs from its opening to the next one, both included. */
interface Day extends Session {
  readonly date: string;
  /** The next opening, or now. */
  readonly next: number;
}

interface DayBands {
  readonly sessions: readonly Day[];
  /** By symbol. */
  readonly bands: ReadonlyMap<string, readonly StateBand[]>;
}

/**
 * A close at midnight belongs to the day that it ends. A symbol that trades on other days than the list has its
 * states on the day before.
 */
async function bandsOf(deps: StateDaysDeps, symbols: readonly string[], days: number): Promise<DayBands> {
  const { ledger, rows, past, worldNow, calendarOf } = deps;
  const now = worldNow();
  const listed = lastSessions(oneCalendar(symbols, deps), now, days);
  const sessions = listed.map((session, index) => ({
    ...session,
    close: Math.min(session.close, now + 1),
    next: listed[index + 1]?.open ?? now,
  }));
  const begin = sessions[0]?.open ?? now;
  const changes = new Map<string, StateChange[]>(symbols.map((symbol) => [symbol, []]));
  for (const { symbol, to_state, occurred_s } of ledger.entries.stateChanges(begin / 1000, Math.floor(now / 1000)))
    changes.get(symbol)?.push({ at: occurred_s * 1000, state: to_state });
  for (const [symbol, own] of changes) if (own.length === 0) own.push(...presentOf(symbol, rows));
  /** The first known change of each symbol whose beginning is not known. */
  const short = [...changes].flatMap(([symbol, [first]]) =>
    rows.get(symbol)?.coverage === 'full' && (first?.at ?? now) > begin ? [[symbol, first?.at ?? now] as const] : [],
  );
  await past.fill(new Map(short), begin);
  const gaps = ledger.shownGaps(MAX_GAPS).filter(({ closed }) => !closed);
  const unknown = gaps.map((gap) => spanOf(gap, now));
  const bands = new Map<string, StateBand[]>();
  for (const [symbol, own] of changes) {
    const ended = lastPriceOf(symbol, rows);
    // One millisecond more, so that a change at this instant, or at the last price, belongs to its day.
    const notKnown = ended === null ? unknown : [...unknown, { from: ended + 1, to: now + 1 }];
    const first = own[0]?.at ?? now;
    const before = past.of(symbol, begin).filter(({ at }) => at < first);
    const last = before.at(-1)?.at ?? first;
    // The closes that were kept end too early.
    const calendar = calendarOf(symbol);
    const between = lacksCloses(calendar, last, first) ? [{ from: last + 1, to: first }] : [];
    bands.set(symbol, stateBands([...before, ...own], now + 1, [...notKnown, ...between]));
  }
  return { sessions, bands };
}

function cellOf(bands: readonly StateBand[], { open, close, next }: Day): StateDays['rows'][number]['cells'][number] {
  const state = worst(bands, open, next);
  if (state === null) return null;
  return { state, high: share(bands, 2, open, close), elevated: share(bands, 1, open, close) };
}

/** The alerts of High Risk since an instant, ms, and what followed them. */
function outcomesOf({ ledger, rows, worldNow, calendarOf }: StateDaysDeps, symbol: string, since: number) {
  const told = ledger.entries
    .signalsOf(symbol, Math.floor(since / 1000), MAX_ALERTS)
    .flatMap(({ transition }) => transition ?? []);
  const calendar = calendarOf(symbol);
  const present = rows.get(symbol)?.signal ?? null;
  const followed = told.flatMap((one, index) =>
    one.to_state === 2 && one.from_state !== 2
      ? [whatFollowed(one, { later: told.slice(index + 1), present, calendar, now: worldNow() })]
      : [],
  );
  const number = (outcome: Followed): number => followed.filter((one) => one === outcome).length;
  const fell = number('fall');
  return { alerts: followed.length, fell, decided: fell + number('no_fall'), open: number('open') };
}

function dayOf(bands: DayBands['bands'], { open, close, next }: Day): StateDay {
  const stateAt = (own: readonly StateBand[], at: number): State | null =>
    own.find(({ from, to }) => from <= at && at < to)?.state ?? null;
  const highAt = (at: number): number => [...bands.values()].filter((own) => stateAt(own, at) === 2).length;
  const changes = [...bands]
    .flatMap(([symbol, own]) =>
      own
        .filter(({ from }) => from > open && from <= next)
        .map(({ from, state }) => ({ symbol, at: from, from_state: stateAt(own, from - 1), to_state: state })),
    )
    .sort((a, b) => a.at - b.at);
  return {
    from: timestamp(open),
    to: timestamp(close),
    high: highAt(open),
    unknown: [...bands.values()].filter((own) => stateAt(own, open) === null).length,
    changes: changes.slice(0, MAX_DAY_CHANGES).map((one) => ({ ...one, at: timestamp(one.at), high: highAt(one.at) })),
    left_out: Math.max(0, changes.length - MAX_DAY_CHANGES),
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
function share(bands: readonly StateBand[], state: State, from: number, to: number): number {
  let time = 0;
  for (const band of bands)
    if (band.state === state) time += Math.max(0, Math.min(band.to, to) - Math.max(band.from, from));
  return to > from ? Math.min(1, time / (to - from)) : 0;
}

const spanOf = ({ from, to }: Gap, now: number) => ({
  from: Date.parse(from),
  to: to === null ? now + 1 : Date.parse(to),
});

/** One calendar for the list, so that its columns are days: an exchange's, which has the fewest sessions. */
function oneCalendar(symbols: readonly string[], { rows, calendarOf }: StateDaysDeps): SessionCalendar {
  const found = new Set<SessionCalendar>();
  for (const symbol of symbols) {
    if (rows.get(symbol)?.signal?.asset_class != null) found.add(calendarOf(symbol));
  }
  if (found.size === 0) found.add(calendarOf(null));
  return [...EXCHANGE_IDS, 'fx' as const, 'unknown' as const].find((one) => found.has(one)) ?? 'always';
}
