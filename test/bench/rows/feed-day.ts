// Bench: the memory of a service that follows a feed of coins for a whole day of minutes.
import { join } from 'node:path';
import type { FeedBar } from '../../../service/market/feeds/price-feed.ts';
import { createTimetable } from '../../../service/market/timetable.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { DAY_MS, dateOf, MINUTE_MS } from '../../../shared/lib/time.ts';
import { collectGarbage, median } from '../measure.ts';
import type { Row } from '../row.ts';
import { coinAt, coinPrice } from '../support/coins.ts';
import { openRig, writeTape } from '../support/feed-rig.ts';

const COINS = 100;
const DAYS = 300;
const MB = 1024 * 1024;
/** The service keeps two days of minutes in memory: the day that is measured is the third. */
const BEFORE_MS = 2 * DAY_MS;
const MIDNIGHT = Date.parse('2026-03-02T00:00:00Z');
/** A sample every two hours of the market. */
const SAMPLED_MINUTES = 120;
/** Minutes that one commit takes in the days before. */
const FILLED_MINUTES = 60;
/** Largest growth from the first quarter of the day to its last. */
const GROWTH = 1.1;

function minuteBars(start: number): FeedBar[] {
  return Array.from({ length: COINS }, (_, index) => {
    const close = coinPrice(index, start);
    return {
      ...{ symbol: coinAt(index), step: 'minute', date: dateOf(start), start, end: start + MINUTE_MS, isClosed: true },
      ...{ open: close, high: close * 1.001, low: close * 0.999, close, volume: 1_000 },
    };
  });
}

export const feedDay: Row = {
  name: 'feed-day',
  what: `live heap of a service that follows ${COINS} coins, over a day of minutes (${(COINS * 1_440).toLocaleString('en-US')} messages), each recorded and evaluated; MB`,
  floor: 'the same service in the first six hours of that day',
  goal: { atMost: GROWTH },
  async run({ folder, defer }) {
    const file = join(folder, 'tape.db');
    writeTape(file, COINS, DAYS, MIDNIGHT);
    let world = MIDNIGHT;
    const clock: Clock = { now: () => world, after: () => () => undefined };
    const rig = openRig(file, file, COINS, clock);
    defer(rig.close);
    const { stepEnd } = createTimetable('production');
    /** So many minutes come at once. */
    const pass = (start: number, minutes = 1): void => {
      world = start + minutes * MINUTE_MS + 300;
      rig.market.take(Array.from({ length: minutes }, (_, minute) => minuteBars(start + minute * MINUTE_MS)).flat());
      while (rig.detector.evaluatedTo < world) rig.detector.advance(Math.min(world, stepEnd(rig.detector.evaluatedTo)));
    };
    let at = MIDNIGHT;
    for (; at < MIDNIGHT + BEFORE_MS; at += FILLED_MINUTES * MINUTE_MS) pass(at, FILLED_MINUTES);
    const samples: number[] = [];
    const begun = performance.now();
    for (const end = at + DAY_MS; at < end; at += MINUTE_MS) {
      pass(at);
      if ((at / MINUTE_MS) % SAMPLED_MINUTES !== 0) continue;
      collectGarbage();
      samples.push(process.memoryUsage().heapUsed / MB);
    }
    const seconds = (performance.now() - begun) / 1000;
    const quarter = samples.length / 4;
    const [first, last] = [samples.slice(0, quarter), samples.slice(-quarter)];
    return {
      ratio: median(last) / median(first),
      spread: [Math.min(...samples) / median(first), Math.max(...samples) / median(first)],
      sides: [
        { label: 'last six hours', unit: 'MB', values: last },
        { label: 'first six hours', unit: 'MB', values: first },
      ],
      notes: [
        `the day in ${seconds.toFixed(0)} s, ${(DAY_MS / 1000 / seconds).toFixed(0)} times as fast as the market`,
        `resident at its end ${(process.memoryUsage().rss / MB).toFixed(0)} MB`,
      ],
    };
  },
};
