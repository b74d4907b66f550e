// Bench: one new bar for one symbol, after little and after much history.
import { compare, interleave, median } from '../measure.ts';
import type { Row } from '../row.ts';
import { dayOf, engineFor, makeMarket, others, PANEL } from '../support/market.ts';

const SHORT = 250;
const LONG = 25_000;
/** Bars timed a round: these symbols on these days, each bar a call of its own, the market of the day being in. */
const WATCHED = others(6);
const DAYS = 40;
const ROUNDS = 15;

export const engineBar: Row = {
  name: 'engine-bar',
  what: `engine, one new bar for one symbol (twelve dimensions, regime, probability, state) after ${LONG} bars; us`,
  floor: `the same engine after ${SHORT} bars, on the same days: nothing may be computed again from the beginning`,
  goal: { atMost: 2 },
  async run() {
    const symbols = [...PANEL, ...WATCHED];
    const market = makeMarket(symbols, LONG + (ROUNDS + 3) * DAYS);
    const feed = (engine: ReturnType<typeof engineFor>, first: number, last: number): void => {
      for (let day = first; day < last; day++) {
        const { date, bars } = dayOf(market, symbols, day);
        engine.closeDay(date, bars);
      }
    };
    /** us a bar: the middle one, so that a bar during which the machine did something else does not count. */
    const next = (engine: ReturnType<typeof engineFor>, first: number): number => {
      const times: number[] = [];
      for (let day = first; day < first + DAYS; day++) {
        const { date, bars } = dayOf(market, PANEL, day);
        engine.closeDay(date, bars);
        const own = WATCHED.map((symbol) => dayOf(market, [symbol], day).bars);
        for (const bar of own) {
          const begun = performance.now();
          engine.closeDay(date, bar);
          times.push(performance.now() - begun);
        }
      }
      return median(times) * 1000;
    };
    const old = engineFor(symbols);
    feed(old, 0, LONG);
    // Both are timed over the same days: what a bar costs hangs on it, and before 1990 there is no risk model.
    const begun = { old: LONG, young: LONG };
    const pair = await interleave({
      product() {
        const took = next(old, begun.old);
        begun.old += DAYS;
        return took;
      },
      floor() {
        const young = engineFor(symbols);
        feed(young, begun.young - SHORT, begun.young);
        const took = next(young, begun.young);
        begun.young += DAYS;
        return took;
      },
      warmups: 2,
      rounds: ROUNDS,
      collect: false,
    });
    return compare(pair, {
      product: `after ${LONG.toLocaleString('en-US')} bars`,
      floor: `after ${SHORT} bars`,
      unit: 'us a bar',
    });
  },
};
