// Pure: how the figures of "Was it worth it?" are written, in the window and by `validate --html`.
import { type Band, type Difference, findingOf, type Way, type Worth } from '../domain/worth.ts';
import { DAY_MS } from '../lib/time.ts';
import { count, monthAndYear, signed, wholePercent } from './format.ts';
import { texts } from './texts.ts';

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

/** The answer in a sentence, also what was not won, then return and fall with their intervals. */
export function verdictOf({ gain, cut, acting, holding, from, to }: Worth, way: Way, what: string) {
  const notes = (...parts: (string | null)[]): string => parts.filter((part) => part !== null).join('. ');
  return {
    answer: text.verdict(findingOf(cut), findingOf(gain)),
    what: text.verdictSub(way, what, monthOf(from), monthOf(to)),
    figures: [
      { value: points(gain.value), name: text.pointsAYear, note: notes(intervalText(gain), randomText(gain)) },
      {
        value: fallText(acting.fall),
        name: text.holdingFall(percentOf(-holding.fall)),
        note: notes(`${text.saved(100 * cut.value)}, ${intervalText(cut)}`, randomText(cut)),
      },
    ],
  };
}
