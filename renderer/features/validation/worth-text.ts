// Renderer, pure: how the figures of "Was it worth it?" are written.
import { type Band, type Difference, findingOf } from '../../../shared/domain/worth.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { count, monthAndYear, signed, wholePercent } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';

const text = texts.worth;
/** The money at the start. */
export const START = 100_000;

/** Points of a difference, signed. */
export const points = (value: number): string => signed(100 * value, 1);
export const percentOf = (value: number): string => `${points(value)}\u00a0%`;
/** A fall, 0..1: "−31.6 %". */
export const fallText = (fall: number): string => percentOf(-fall);
export const wholeShare = (value: number): string => `${wholePercent(100 * value)}\u00a0%`;
export const money = (value: number): string => count(START * value);
export const moneyRange = ({ low, high }: Band): string => text.range(money(low), money(high));
export const monthOf = (day: number): string => monthAndYear(day * DAY_MS);

/** "−2.4 to +0.7: may be nothing". */
export function intervalText(difference: Difference): string {
  const { interval } = difference;
  if (interval === null) return text.tail.same;
  const { low, high } = interval;
  const isNothing = low <= 0 && high >= 0;
  const tail = isNothing ? 'nothing' : findingOf(difference) === 'unclear' ? 'chance' : 'beyond';
  return `${text.within(100 * low, 100 * high)}${text.tail[tail]}`;
}

/** "Random alerts: −1.1"; null without alerts. */
export const randomText = ({ random }: Difference): string | null =>
  random === null ? null : text.random(100 * random.median);
