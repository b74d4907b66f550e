// Pure: the form of an exchange's trading days and hours, and what they say of a date.

/** Trading days and hours as data, on the exchange's own clock. */
export interface ExchangeTable {
  /** IANA name. */
  readonly zone: string;
  /**
   * "0900-1130,1230-1500": a comma is a break; later hours follow the first date on which they are valid. An opening
   * below zero is on the day before; @NY: the close is on New York's clock.
   */
  readonly hours: string;
  /**
   * A line a year: its number, then entries MMDD. Alone: closed. With "?": expected to be closed, not announced.
   * With "-1300": closes at 13:00. With "=1815-1915": trades at these hours, also at a weekend. The year "*" is
   * every year. A year without a line is unknown.
   */
  readonly days: string;
}

/**
 * expected_closed: a holiday that was not announced yet. unknown: a weekday of a year without a line; it may be a
 * holiday.
 */
export type DayStatus = 'open' | 'closed' | 'expected_closed' | 'unknown';

/** Minutes since midnight. `closeZone`: the clock of `close`, if it is not the exchange's. */
export interface Span {
  readonly open: number;
  readonly close: number;
  readonly closeZone: string | null;
}

export interface TradingDay {
  readonly status: DayStatus;
  /** Hours; hypothetical for a date without trading. */
  readonly spans: readonly Span[];
}

const SPAN = /^(-?\d\d)(\d\d)-(\d\d)(\d\d)(@NY)?$/;

function readSpan(text: string): Span {
  const [, openHour, openMinute, closeHour, closeMinute, zone] = SPAN.exec(text) ?? [];
  if (openHour === undefined) throw new Error(`"${text}" is no range of hours; write it as 0930-1600`);
  return {
    open: Number(openHour) * 60 + Number(openMinute),
    close: Number(closeHour) * 60 + Number(closeMinute),
    closeZone: zone === undefined ? null : 'America/New_York',
  };
}

const years = new Map<string, ReadonlyMap<string, ReadonlyMap<string, string>>>();

/** The entries of each year, by MMDD. */
function yearsOf(days: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  let known = years.get(days);
  if (known === undefined) {
    const entriesOf = (line: string): ReadonlyMap<string, string> =>
      new Map(
        line
          .split(' ')
          .slice(1)
          .map((entry) => [entry.slice(0, 4), entry.slice(4)]),
      );
    const lines = days.trim().split('\n');
    known = new Map(lines.map((line) => [line.split(' ', 1)[0] ?? '', entriesOf(line)]));
    years.set(days, known);
  }
  return known;
}

/** The hours that are valid on a date. */
function hoursOf(hours: string, date: string): string {
  const [first = '', ...changes] = hours.split(' ');
  return changes.reduce(
    (found, text, index) => (index % 2 === 1 && (changes[index - 1] ?? '') <= date ? text : found),
    first,
  );
}

/** What a table says of a date ("2027-03-26"). */
export function tradingDay(table: ExchangeTable, date: string): TradingDay {
  const all = yearsOf(table.days);
  const entries = all.get(date.slice(0, 4)) ?? all.get('*');
  const entry = entries?.get(date.slice(5, 7) + date.slice(8, 10));
  const hours = entry?.startsWith('=') ? entry.slice(1) : hoursOf(table.hours, date);
  const spans = hours.split(',').map(readSpan);
  const isWeekend = new Date(Date.parse(date)).getUTCDay() % 6 === 0;
  if (entry?.startsWith('=')) return { status: 'open', spans };
  if (isWeekend || entry === '') return { status: 'closed', spans };
  if (entry === '?') return { status: 'expected_closed', spans };
  if (entries === undefined) return { status: 'unknown', spans };
  return { status: 'open', spans: entry === undefined ? spans : endedAt(spans, entry) };
}

/** @param entry "-1300" */
function endedAt(spans: readonly Span[], entry: string): Span[] {
  const end = Number(entry.slice(1, 3)) * 60 + Number(entry.slice(3, 5));
  return spans
    .filter(({ open }) => open < end)
    .map((span) => (span.close < end ? span : { ...span, close: end, closeZone: null }));
}
