// Pure: what is due on markets on a day that is known before: earnings, dividends, decisions of central banks.
import { DAY_MS, dateOf } from '../lib/time.ts';
import { calendarDate, isSession, type SessionCalendar, sessionOn } from './sessions.ts';

export const SCHEDULED_KINDS = ['earnings', 'dividend', 'split', 'central_bank', 'inflation', 'other'] as const;
export type ScheduledKind = (typeof SCHEDULED_KINDS)[number];
/** Kinds that are about one company or fund: an event of them names a symbol. */
export const KINDS_OF_SYMBOLS: readonly ScheduledKind[] = ['earnings', 'dividend', 'split'];
export const SESSION_PARTS = ['before_open', 'during', 'after_close'] as const;
export type SessionPart = (typeof SESSION_PARTS)[number];

export interface ScheduledEvent {
  readonly kind: ScheduledKind;
  /** null: it concerns every market. */
  readonly symbol: string | null;
  /** YYYY-MM-DD on the clock of `zone`. */
  readonly date: string;
  /** ISO; null: no time is stated. */
  readonly at: string | null;
  /** Before, during or after the session of its date; null: not stated, or of every market. */
  readonly part: SessionPart | null;
  /** IANA name; null: a day of every market, on the clock of each. */
  readonly zone: string | null;
  readonly title: string;
  /** The file that it is from, or the feed. */
  readonly source: string;
}

/** A list of what is due. */
export interface ScheduleSource {
  readonly name: string;
  /** Why it could not be read; then its last contents are used. */
  readonly error: string | null;
  /** The last day that it covers of each of its kinds: it says nothing of later ones, nor of other kinds. */
  readonly covers: readonly { readonly kind: ScheduledKind; readonly until: string }[];
}

/** The lists of what is due, as they were read last. */
export interface Schedule {
  readonly events: readonly ScheduledEvent[];
  readonly sources: readonly ScheduleSource[];
  /** When it came from the service, ms. */
  readonly readAt: number;
}

/** Sessions ahead within which alerts and the header say what is due. */
export const SOON_SESSIONS = 2;
/** Lists that came longer ago say nothing of what is not in them. */
const GOOD_FOR_MS = 3 * DAY_MS;

/**
 * Whether an event of these kinds that no list has is known not to be due up to a day.
 * @param now this computer's clock, ms
 */
export const isCovered = (
  { sources, readAt }: Schedule,
  kinds: readonly ScheduledKind[],
  until: string,
  now: number,
): boolean =>
  Math.abs(now - readAt) <= GOOD_FOR_MS &&
  sources.every(({ error }) => error === null) &&
  kinds.every((kind) => sources.some(({ covers }) => covers.some((one) => one.kind === kind && one.until >= until)));

export interface DueEvent extends ScheduledEvent {
  /** On the clock of the market that asks. */
  readonly day: string;
  /** 0: today; 1: tomorrow. */
  readonly days: number;
}

export interface DueQuestion {
  /** null: events of every market alone. */
  readonly symbol: string | null;
  readonly calendar: SessionCalendar;
  /** World time, ms. */
  readonly at: number;
  /** Sessions ahead; 0: today. */
  readonly within: number;
  /** Default: all. */
  readonly kinds?: readonly ScheduledKind[];
}

/** The last day that a question is about: the session so many after today. */
export function lastDayOf({ calendar, at, within }: Pick<DueQuestion, 'calendar' | 'at' | 'within'>): string {
  let day = calendarDate(calendar, at);
  for (let left = within; left > 0; ) {
    day = dateOf(Date.parse(day) + DAY_MS);
    if (isSession(calendar, day)) left -= 1;
  }
  return day;
}

/** The events of a symbol and of every market that are due, next first. */
export function dueWithin(events: readonly ScheduledEvent[], question: DueQuestion): DueEvent[] {
  const { symbol, calendar, at, kinds } = question;
  const [today, last] = [calendarDate(calendar, at), lastDayOf(question)];
  return events
    .filter(({ kind, symbol: of }) => (of === null || of === symbol) && (kinds?.includes(kind) ?? true))
    .map((event) => {
      const day = event.at === null ? event.date : calendarDate(calendar, Date.parse(event.at));
      return { ...event, day, days: (Date.parse(day) - Date.parse(today)) / DAY_MS };
    })
    .filter((event) => event.day >= today && event.day <= last && !isOver(event, calendar, at))
    .sort((a, b) => order(a) - order(b));
}

const order = ({ day, at, part }: DueEvent): number =>
  at === null ? Date.parse(day) + (part === 'after_close' ? DAY_MS - 1 : 0) : Date.parse(at);

/** Its time has come, or the part of the session in which it was to be is over. */
function isOver({ at: instant, part, day }: DueEvent, calendar: SessionCalendar, at: number): boolean {
  if (instant !== null) return Date.parse(instant) <= at;
  if (calendar === 'unknown') return false;
  const { open, close } = sessionOn(calendar, day);
  return (part === 'before_open' && open <= at) || (part === 'during' && close <= at);
}

/** Where in the session of its date an instant is; null: that market never closes. */
export function partOfSession(calendar: SessionCalendar, at: number): SessionPart | null {
  if (calendar === 'always') return null;
  const { open, close } = sessionOn(calendar, calendarDate(calendar, at));
  return at < open ? 'before_open' : at < close ? 'during' : 'after_close';
}
