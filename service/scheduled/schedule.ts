// Service, what is due: the lists of files, and the dividends and splits that a feed announces, as one.
import { type DueEvent, dueWithin, type ScheduledEvent } from '../../shared/domain/scheduled-events.ts';
import { calendarsOf, type SessionCalendar, zoneOf } from '../../shared/domain/sessions.ts';
import { DAY_MS, dateOf } from '../../shared/lib/time.ts';
import type { Environment } from '../../shared/wire/keys.ts';
import type { ScheduleRecord } from '../../shared/wire/scheduled.ts';
import { inferAssetClass } from '../market/csv/instruments.ts';
import type { Instrument, MarketSource } from '../market/types.ts';
import { keyOf } from './event-file.ts';
import type { EventList } from './event-folder.ts';

export interface Schedule {
  /** @param now world ms */
  at(now: number): ScheduleRecord;
  /** What is due for these symbols and for every market, next first, and the lists that could not be read. */
  due(now: number, symbols: readonly string[], within: number): DueList;
}

export interface DueList {
  readonly events: readonly DueEvent[];
  readonly unread: readonly string[];
}

export interface ScheduleDeps {
  /** The read files. */
  readonly lists: () => readonly EventList[];
  readonly market: Pick<MarketSource, 'announced'>;
  readonly calendarOf: (symbol: string) => SessionCalendar;
}

interface List {
  readonly events: readonly ScheduledEvent[];
  readonly source: ScheduleRecord['sources'][number];
}

const PAST_MS = 45 * DAY_MS;
const AHEAD_MS = 200 * DAY_MS;
const MOST = 5_000;
const TOO_MANY: List['source'] = {
  ...{ name: 'all lists', covers: [], refused: 0 },
  error: `they have more than ${MOST} events from 45 days ago to 200 days ahead; leave out symbols`,
};

export function createSchedule({ lists, market, calendarOf }: ScheduleDeps): Schedule {
  const at = (now: number): ScheduleRecord => {
    const announced = announcedBy(market, calendarOf, now);
    const all = [...lists().map(listOf), ...(announced === null ? [] : [announced])];
    const [from, today, to] = [now - PAST_MS, now, now + AHEAD_MS].map(dateOf) as [string, string, string];
    const known = new Map<string, ScheduledEvent>();
    for (const event of all.flatMap(({ events }) => events)) {
      if (event.date < from || event.date > to) continue;
      const key = keyOf(event);
      const other = known.get(key);
      // Of two lists, the one that says more of the hour.
      if (other === undefined || hours(event) > hours(other)) known.set(key, event);
    }
    const isPast = ({ date }: ScheduledEvent): boolean => date < today;
    const sorted = [...known.values()].sort((a, b) => (order(a) < order(b) ? -1 : 1));
    const ahead = sorted.filter((one) => !isPast(one)).slice(0, MOST);
    const past = sorted.filter(isPast).slice(Math.min(0, ahead.length - MOST));
    const sources = all.map(({ source }) => source);
    return {
      events: [...past, ...ahead].slice(-MOST),
      sources: sorted.length > MOST ? [...sources, TOO_MANY] : sources,
    };
  };
  return {
    at,
    due(now, symbols, within) {
      const { events, sources } = at(now);
      const of = (symbol: string | null): DueEvent[] =>
        dueWithin(
          events.filter((event) => event.symbol === symbol),
          { symbol, calendar: calendarOf(symbol ?? symbols[0] ?? 'SPY'), at: now, within },
        );
      const found = [null, ...symbols].flatMap(of);
      return {
        events: found.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)),
        unread: sources.flatMap(({ name, error }) => (error === null ? [] : name)),
      };
    },
  };
}

/** The calendar of each symbol, also of one that the service does not have. */
export function listedCalendars(
  environment: Environment,
  instruments: readonly Instrument[],
): (symbol: string) => SessionCalendar {
  const listed = new Map(instruments.map(({ symbol, ...one }) => [symbol, { ...one, asset_class: one.assetClass }]));
  const calendarOf = calendarsOf(environment, (symbol) => listed.get(symbol));
  return (symbol) => calendarOf(symbol, inferAssetClass(symbol));
}

const hours = ({ at, part }: ScheduledEvent): number => (at !== null ? 2 : part !== null ? 1 : 0);
const order = ({ date, at, symbol }: ScheduledEvent): string => `${date} ${at ?? ''} ${symbol ?? ''}`;

function listOf({ name, events, problems, error }: EventList): List {
  const last = new Map<ScheduledEvent['kind'], string>();
  for (const { kind, date } of events) if (date > (last.get(kind) ?? '')) last.set(kind, date);
  const covers = [...last].map(([kind, until]) => ({ kind, until }));
  return { events, source: { name, error, refused: error === null ? problems.length : 0, covers } };
}

function announcedBy(
  { announced }: Pick<MarketSource, 'announced'>,
  calendarOf: ScheduleDeps['calendarOf'],
  now: number,
): List | null {
  const found = announced?.();
  if (found === undefined) return null;
  const { name, error, aheadMs, actions } = found;
  const events = actions.flatMap(({ kind, symbol, date }): ScheduledEvent | readonly [] =>
    kind === 'split' || kind === 'dividend'
      ? { kind, symbol, date, at: null, part: 'before_open', zone: zoneOf(calendarOf(symbol)), title: '', source: name }
      : [],
  );
  const until = dateOf(now + aheadMs);
  const covers = (['dividend', 'split'] as const).map((kind) => ({ kind, until }));
  return { events, source: { name, error, refused: 0, covers } };
}
