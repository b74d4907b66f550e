// Pure: formats numbers and times.
// Minus is U+2212, units follow a no-break space, and no claim is ever rounded up.
import { openSessions, openTime, type SessionCalendar } from '../domain/sessions.ts';
import { priceDigits } from '../lib/price-digits.ts';
import { DAY_MS } from '../lib/time.ts';

/** The zone in which times are shown: the market's, this computer's, or UTC. */
export const ZONES = ['market', 'local', 'utc'] as const;
export type Zone = (typeof ZONES)[number];
/** The zone until the user chooses one. */
export const DEFAULT_ZONE: Zone = 'market';

export const MINUS = '\u2212';
const SPACE = '\u00a0';
export const DASH = '\u2013';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const YEAR = 365.25 * DAY_MS;
/** Longer spans are given in years. */
const MAX_DAYS = 1_000;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/**
 * Formats with thousands separators, as the browser does. Hand-written, because the browser's first number
 * format takes longer than drawing ten rows.
 */
function fixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return new Intl.NumberFormat('en-US').format(value);
  const size = String(Math.abs(value));
  // Rounds the written digits: 1.45 becomes 1.5, even if its binary value is a little less.
  const rounded = size.includes('e')
    ? Math.abs(value)
    : Number(`${Math.round(Number(`${size}e${digits}`))}e-${digits}`);
  const [whole = '', ...rest] = rounded.toFixed(digits).split('.');
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  return sign + [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...rest].join('.');
}

/** Whole numbers with separators: 48,213. */
export const count = (value: number): string => fixed(value, 0);

/** Two decimals at most: 100, 99.5, 1,234.56. */
export const amount = (value: number): string => fixed(value, 2).replace(/\.?0+$/, '');

/** Money: whole from 100 on, else with two decimals: "6,896 USD", "4.25". @param currency null: not named */
export const money = (value: number, currency: string | null): string =>
  `${Math.abs(value) < 100 ? amount(value) : count(value)}${currency === null ? '' : `${SPACE}${currency}`}`;

/** A change in money: "+120", "\u2212867". */
export const signedMoney = (value: number): string =>
  `${value < 0 ? MINUS : value > 0 ? '+' : ''}${money(Math.abs(value), null)}`;

/** @param currency absent: not known */
export const price = (value: number, currency?: string): string =>
  `${fixed(value, priceDigits(value))}${currency === undefined ? '' : `${SPACE}${currency}`}`;

/** Percent with its sign, two decimals. A change that rounds to zero has no sign. */
export function change(percent: number | null): string {
  return percent === null ? DASH : `${signed(percent, 2)}${SPACE}%`;
}

/** Rounded, with its sign: "+6.1", "−34,800". What rounds to zero has no sign. */
export function signed(value: number, digits = 0): string {
  const text = fixed(Math.abs(value), digits);
  return /[1-9]/.test(text) ? `${value < 0 ? MINUS : '+'}${text}` : text;
}

/** Formats with one decimal, truncated: 36.48 is 36.4. */
const tenths = (value: number): string => fixed(Math.floor(value * 10 + 1e-9) / 10, 1);

/** Percent with one decimal, truncated. */
export const percent = (value: number | null): string => (value === null ? DASH : `${tenths(value)}${SPACE}%`);

/** The size of a distance or a fall: percent with one decimal, rounded. */
export const distance = (percent: number): string => `${fixed(Math.abs(percent), 1)}${SPACE}%`;

/** Whole percent, truncated; the column's head has the unit. */
export const wholePercent = (value: number | null): string =>
  value === null ? DASH : fixed(Math.floor(value + 1e-9), 0);

/** A chance, percent, without the sign: a small one is not none. */
export const chanceFigure = (value: number): string => (value < 1 ? tenths(value) : wholePercent(value));

/** A ratio with one decimal, truncated. */
export const times = (value: number): string => tenths(value);

/**
 * Formats a length of time in two units, truncated; from ten days on only in days, from a thousand days on in
 * years. "0.4 s", "42 s", "14 min", "4 h 07", "23 h 59", "8 d 2 h", "31 d", "6.1 y". Negative lengths (clocks
 * disagree) become zero.
 */
export function span(ms: number): string {
  const length = Math.max(0, ms);
  if (length < 10 * SECOND) return `${fixed(Math.floor(length / 100) / 10, 1)}${SPACE}s`;
  if (length < MINUTE) return `${Math.floor(length / SECOND)}${SPACE}s`;
  if (length < HOUR) return `${Math.floor(length / MINUTE)}${SPACE}min`;
  if (length < DAY_MS) return hoursOf(length);
  const [days, hours] = [Math.floor(length / DAY_MS), Math.floor((length % DAY_MS) / HOUR)];
  if (days >= MAX_DAYS) return `${tenths(length / YEAR)}${SPACE}y`;
  return `${fixed(days, 0)}${SPACE}d${days >= 10 || hours === 0 ? '' : `${SPACE}${hours}${SPACE}h`}`;
}

/**
 * As span, for screen readers: "4 hours 7 minutes". No seconds: a name that changes every second is never
 * read to its end.
 */
export function spokenSpan(ms: number): string {
  const length = Math.max(0, ms);
  const say = (value: number, unit: string): string => `${value} ${unit}${value === 1 ? '' : 's'}`;
  if (length < MINUTE) return 'less than a minute';
  if (length < HOUR) return say(Math.floor(length / MINUTE), 'minute');
  const two = (first: string, rest: number, unit: string): string =>
    rest === 0 ? first : `${first} ${say(rest, unit)}`;
  if (length < DAY_MS)
    return two(say(Math.floor(length / HOUR), 'hour'), Math.floor((length % HOUR) / MINUTE), 'minute');
  const days = Math.floor(length / DAY_MS);
  if (days >= MAX_DAYS) return `${tenths(length / YEAR)} years`;
  return two(say(days, 'day'), days >= 10 ? 0 : Math.floor((length % DAY_MS) / HOUR), 'hour');
}

/** As span, without seconds: "0 min", "30 min", "3 h 07", "8 d 2 h". */
export const lasting = (ms: number): string => (ms < MINUTE ? `0${SPACE}min` : span(ms));

/** The time that a market was open between two instants: "3 h 07", "7 sessions", whose days have no 24 hours. */
export function marketTime(calendar: SessionCalendar, from: number, to: number): string {
  const sessions = calendar === 'always' ? 0 : Math.floor(10 * openSessions(calendar, from, to)) / 10;
  if (sessions < 1) return lasting(openTime(calendar, from, to));
  return `${sessions}${SPACE}session${sessions === 1 ? '' : 's'}`;
}

const hoursOf = (ms: number): string =>
  `${fixed(Math.floor(ms / HOUR), 0)}${SPACE}h${SPACE}${twoDigits(Math.floor((ms % HOUR) / MINUTE))}`;

const MARKET_ZONE = 'America/New_York';
/** IANA name; undefined: this computer's zone. */
export const zoneId = (zone: Zone): string | undefined =>
  zone === 'market' ? MARKET_ZONE : zone === 'utc' ? 'UTC' : undefined;

interface DateParts {
  readonly weekday: string;
  readonly day: string;
  readonly month: string;
  readonly year: string;
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
}
/** Zones that stay as they are: this computer's may change while the app runs. */
type FixedZone = Exclude<Zone, 'local'>;
const datePartsFormats = new Map<FixedZone, Intl.DateTimeFormat>();
/**
 * Parts of whole minutes, by minute. Most of the cost of a time is the browser's call, and many times share a
 * minute.
 */
const minuteParts: Readonly<Record<FixedZone, Map<number, DateParts>>> = {
  market: new Map(),
  utc: new Map(),
};
const MAX_CACHED_MINUTES = 2_000;

/** @throws RangeError when `ms` is no time */
export function datePartsIn(ms: number, zone: Zone): DateParts {
  if (zone === 'local') return datePartsIn(ms - new Date(ms).getTimezoneOffset() * MINUTE, 'utc');
  const minute = Math.floor(ms / MINUTE) * MINUTE;
  const cache = minuteParts[zone];
  let parts = cache.get(minute);
  if (parts === undefined) {
    parts = formatted(minute, zone);
    // Historical offsets had seconds.
    if (parts.second !== '00') return formatted(ms, zone);
    if (cache.size >= MAX_CACHED_MINUTES) cache.clear();
    cache.set(minute, parts);
  }
  return { ...parts, second: twoDigits(Math.floor((ms - minute) / SECOND)) };
}

function formatted(ms: number, zone: FixedZone): DateParts {
  let format = datePartsFormats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zoneId(zone),
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
    datePartsFormats.set(zone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(ms).map((part) => [part.type, part.value]));
  const part = (name: string): string => parts[name] ?? '';
  return {
    weekday: part('weekday'),
    day: part('day'),
    // en-GB writes "Sept"; three letters keep the columns even.
    month: part('month').slice(0, 3),
    year: part('year'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  };
}

/** "14:37". */
export function clockTime(ms: number, zone: Zone): string {
  const { hour, minute } = datePartsIn(ms, zone);
  return `${hour}:${minute}`;
}

/** "14:37:08". */
export function timeOfDay(ms: number, zone: Zone): string {
  const { hour, minute, second } = datePartsIn(ms, zone);
  return `${hour}:${minute}:${second}`;
}

/** As `shortTimestamp`, with its seconds: "14:37:08", "Thu 14:37:08", "5 Oct 14:37:08". */
export function preciseTime(ms: number, zone: Zone, now: number): string {
  const short = shortTimestamp(ms, zone, now);
  const { hour, minute } = datePartsIn(ms, zone);
  return short.endsWith(`${hour}:${minute}`) ? `${short.slice(0, -5)}${timeOfDay(ms, zone)}` : short;
}

/** As `span`, and below a second in milliseconds: "42 ms". */
export const fineSpan = (ms: number): string => (ms < SECOND ? `${Math.max(0, Math.round(ms))}${SPACE}ms` : span(ms));

/**
 * "Thu 19 Nov 14:37:08": the status bar's clock. Adds the year if it is not this computer's (a replay runs in
 * the past).
 */
export function fullTime(ms: number, zone: Zone, now: number): string {
  const at = datePartsIn(ms, zone);
  const year = at.year === datePartsIn(now, zone).year ? '' : ` ${at.year}`;
  return `${at.weekday} ${at.day} ${at.month}${year} ${at.hour}:${at.minute}:${at.second}`;
}

/**
 * As short as is still clear at `now`: "10:30" today, "Thu 10:30" within six days, else "5 Oct 10:30", with
 * the year when it is another.
 */
export function shortTimestamp(ms: number, zone: Zone, now: number): string {
  const at = datePartsIn(ms, zone);
  const today = datePartsIn(now, zone);
  const time = `${at.hour}:${at.minute}`;
  if (at.day === today.day && at.month === today.month && at.year === today.year) return time;
  if (Math.abs(now - ms) < 6 * DAY_MS) return `${at.weekday} ${time}`;
  return at.year === today.year ? `${at.day} ${at.month} ${time}` : `${at.day} ${at.month} ${at.year}`;
}

/** The date of a session day, whose time represents a day and not an instant: "Thu 19 Nov". */
export function sessionDay(ms: number): string {
  const { weekday, day, month } = datePartsIn(ms, 'utc');
  return `${weekday} ${day} ${month}`;
}

/** "5 Oct": axis labels. */
export function shortDay(ms: number): string {
  const { day, month } = datePartsIn(ms, 'utc');
  return `${day} ${month}`;
}

/** "New York", "Berlin", "UTC". */
export function zoneName(zone: Zone): string {
  const id = zoneId(zone) ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (id.split('/').at(-1) ?? id).replaceAll('_', ' ');
}

/** "UTC−5" at that time. */
export function zoneOffset(ms: number, zone: Zone): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zoneId(zone), timeZoneName: 'shortOffset' }).formatToParts(
    ms,
  );
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
  const offset = name.replace(/^(GMT|UTC)/, '').replace('-', MINUS);
  return `UTC${offset}`;
}

/** A share, 0..1, without its leading zero: ".94", "1.00". */
export const power = (value: number | null): string => (value === null ? DASH : fixed(value, 2).replace(/^0\./, '.'));

/** A power, 0..1, as the share of days with a lower value in percent: "94". */
export const powerRank = (value: number | null): string => (value === null ? DASH : fixed(value * 100, 0));

/** The move of a power in percent of days: "+23", "−21", "0". */
export function rankMove(value: number | null): string {
  const text = powerRank(value === null ? null : Math.abs(value));
  return value === null || text === '0' ? text : `${value < 0 ? MINUS : '+'}${text}`;
}

/** A signed share: "+.23", "−.21", "0". */
export function moved(value: number | null): string {
  if (value === null) return DASH;
  const text = power(Math.abs(value));
  return text === '.00' ? '0' : `${value < 0 ? MINUS : '+'}${text}`;
}

/** A share of the score, -1..1, as whole percent with its sign: "+22 %". */
export function share(value: number | null): string {
  if (value === null) return DASH;
  const whole = Math.round(Math.abs(value) * 100);
  return `${whole === 0 ? '' : value < 0 ? MINUS : '+'}${whole}${SPACE}%`;
}

/** The date of a session day with its year: "Thu 19 Nov 2026". */
export const dayAndYear = (ms: number): string => `${sessionDay(ms)} ${datePartsIn(ms, 'utc').year}`;

/** "Thu 19 Nov"; has the year of a day that is many months old, so that old data looks old. */
export const datedDay = (ms: number, now: number): string => (now - ms < MONTHS_MS ? sessionDay(ms) : dayAndYear(ms));
/** "5 Oct"; "5 Oct 2024" for an old day. */
export const shortDatedDay = (ms: number, now: number): string =>
  now - ms < MONTHS_MS ? shortDay(ms) : `${shortDay(ms)} ${datePartsIn(ms, 'utc').year}`;
const MONTHS_MS = 300 * DAY_MS;

/** "Thu 19 Nov 14:00": a timestamp on the time axis, in the zone. */
export function weekdayTime(ms: number, zone: Zone): string {
  const { weekday, day, month, hour, minute } = datePartsIn(ms, zone);
  return `${weekday} ${day} ${month} ${hour}:${minute}`;
}

/** A label of a chart's time axis: "5 Oct" for days; by hour and minute "14:00", or the new day. */
export function axisTick(ms: number, zone: Zone, byDay: boolean, isDay: boolean): string {
  if (byDay) return shortDay(ms);
  const { weekday, day, month, hour, minute } = datePartsIn(ms, zone);
  if (hour === '00' && minute === '00') return `${day} ${month}`;
  return isDay ? `${weekday} ${hour}:${minute}` : `${hour}:${minute}`;
}

/** "Feb 2022": a date in UTC. */
export function monthAndYear(ms: number): string {
  const { month, year } = datePartsIn(ms, 'utc');
  return `${month} ${year}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Offset of the zone's clock from UTC at a time, ms; to the minute. */
export function utcOffset(ms: number, zone: Zone): number {
  const { year, month, day, hour, minute } = datePartsIn(ms, zone);
  const shown = Date.UTC(Number(year), MONTHS.indexOf(month), Number(day), Number(hour), Number(minute));
  return shown - Math.floor(ms / MINUTE) * MINUTE;
}

/** Start of a day in the zone, ms. @param date "2026-11-19" */
export function startOfDay(date: string, zone: Zone): number {
  const midnight = Date.parse(date);
  // Twice: the first guess may be on the other side of a clock change.
  return midnight - utcOffset(midnight - utcOffset(midnight, zone), zone);
}

/** "Thu 19 Nov 2026, 12:30 New York": a timestamp in full. */
export function fullTimestamp(ms: number, zone: Zone): string {
  const { weekday, day, month, year, hour, minute } = datePartsIn(ms, zone);
  return `${weekday} ${day} ${month} ${year}, ${hour}:${minute} ${zoneName(zone)}`;
}

const KB = 1024;
const MB = KB ** 2;
const GB = KB ** 3;

/** Bytes, in the unit that fits. */
export function dataSize(bytes: number): string {
  if (bytes >= GB) return `${(bytes / GB).toFixed(1)} GB`;
  return bytes >= MB ? `${(bytes / MB).toFixed(1)} MB` : `${Math.ceil(bytes / KB)} KB`;
}
