// Service, briefings: numbers, days, lists and tables as a briefing writes them. Pure.
import { regimeLabel } from '../../shared/domain/regimes.ts';
import { stateLabel } from '../../shared/domain/states.ts';

const MINUS = '−';
const SMALL = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** "1.2 %" of 0.012; no sign. */
export const percent = (share: number, digits = 1): string => `${(100 * Math.abs(share)).toFixed(digits)} %`;
/** "+1.2 %", "−0.8 %", "0.0 %". */
export function signed(share: number, digits = 1): string {
  const text = percent(share, digits);
  if (Number.parseFloat(text) === 0) return text;
  return `${share < 0 ? MINUS : '+'}${text}`;
}
/** "39.4 %" of 39.4, as confidence and base rate are given. */
export const points = (value: number | null): string => (value === null ? 'n/a' : `${value.toFixed(1)} %`);
export const power = (value: number | null): string => (value === null ? 'n/a' : value.toFixed(2));

/** A price as notes quote it: more decimals where it is small. */
export function quote(price: number): string {
  if (price >= 1000) return price.toFixed(0).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return price.toFixed(price >= 10 ? 2 : 4);
}

/** "three", "14". */
export const count = (value: number): string => SMALL[value] ?? String(value);
/** "none", "three", "14": without a noun behind it. */
export const countOf = (value: number): string => (value === 0 ? 'none' : count(value));
/** "no fund", "one fund", "three funds". */
export const many = (value: number, one: string, more = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : more}`;
/** "1 signal", "19 signals": in figures, where figures stand beside each other. */
export const tally = (value: number, one: string): string => `${value} ${one}${value === 1 ? '' : 's'}`;
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
export const isAre = (value: number): string => (value === 1 ? 'is' : 'are');

/** "SPY", "SPY and QQQ", "SPY, QQQ and IWM". */
export function list(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}
/** As `list`, and what is beyond `most` as a number. */
export function listUpTo(items: readonly string[], most: number): string {
  if (items.length <= most + 1) return list(items);
  return `${items.slice(0, most).join(', ')} and ${count(items.length - most)} more`;
}

/** "rose 1.2 %", "fell 0.8 %", "was little changed". */
export function moved(share: number): string {
  const text = percent(share);
  if (Number.parseFloat(text) === 0) return 'was little changed';
  return `${share < 0 ? 'fell' : 'rose'} ${text}`;
}

const dayForm = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
const shortForm = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });
const longForm = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const weekdayForm = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' });

const msOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
/** Of a session date ("2026-03-02"): "Monday 2 March". */
export const dayName = (date: string): string => dayForm.format(msOf(date)).replace(',', '');
/** "2 March". */
export const shortDay = (date: string): string => shortForm.format(msOf(date));
/** "2 March 2026". */
export const longDay = (date: string): string => longForm.format(msOf(date));
export const weekday = (date: string): string => weekdayForm.format(msOf(date));
/** "14:09 UTC" of world ms. */
export const clockTime = (ms: number): string => `${new Date(ms).toISOString().slice(11, 16)} UTC`;

export const regimeWord = (regime: string | null): string => (regime === null ? 'no regime yet' : regimeLabel(regime));
export const stateWord = stateLabel;

/** A Markdown table. Text columns are on the left, columns marked with a leading ">" on the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(head.map((name) => name.replace(/^>/, ''))),
    line(head.map((name) => (name.startsWith('>') ? '---:' : '---'))),
    ...rows.map(line),
  ].join('\n');
}

const WORDS_A_MINUTE = 220;
export const readingMinutes = (body: string): number =>
  Math.max(1, Math.round(body.split(/\s+/).length / WORDS_A_MINUTE));
