// Service, market feeds, test: how the supervisor handles and reports symbols without an answer.
import { expect, test } from 'vitest';
import { isSession, sessionOn } from '../../../shared/domain/sessions.ts';
import { DAY_MS, dateOf, HOUR_MS, MINUTE_MS } from '../../../shared/lib/time.ts';
import { createManualClock, type ManualClock } from '../../../test/harness/manual-clock.ts';
import { openTape, type Tape } from '../tape/tape.ts';
import { createFeedMarket } from './feed-market.ts';
import { FeedSupervisor } from './feed-supervisor.ts';
import { type BarRequest, type FeedBar, FeedError, type FeedListing, type PriceFeed } from './price-feed.ts';

const START = Date.parse('2026-03-05T22:00:00Z');
const us = (symbol: string): FeedListing => ({ symbol, name: symbol, assetClass: 'equity', calendar: 'us' });

/** A vendor of closes alone. */
function closes(clock: { now(): number }, listings: PriceFeed['listings']): PriceFeed {
  return {
    offers: {
      ...{ steps: ['day'], delayMs: 0, closeDelayMs: 20 * MINUTE_MS, connectionMs: null, symbolsPerRequest: 200 },
    },
    check: async () => ({ clockSkewMs: 0, plan: null }),
    listings,
    async *bars({ symbols, from, to }) {
      for (const symbol of symbols) {
        const page: FeedBar[] = [];
        for (let at = Math.max(from, START - 60 * DAY_MS); at < to + DAY_MS; at += DAY_MS) {
          const date = dateOf(at);
          if (!isSession('us', date)) continue;
          const { open: start, close: end } = sessionOn('us', date);
          if (start < from || end + 20 * MINUTE_MS > clock.now()) continue;
          page.push({
            ...{ symbol, step: 'day', date, start, end, isClosed: true },
            ...{ open: 100, high: 101, low: 99, close: 100, volume: 1e6 },
          });
        }
        yield page;
      }
    },
  };
}

function supervisorOf(
  feed: PriceFeed,
  listings: readonly FeedListing[],
  tape: Tape,
  clock: ManualClock,
): FeedSupervisor {
  const none = (): undefined => undefined;
  return new FeedSupervisor({
    ...{ name: 'fake', feed, listings, clock, random: () => 0.5, onNotice: none },
    record: createFeedMarket({ feed: 'fake', listings, tape, clock }),
    logger: { debug: none, info: none, warn: none, error: none },
  });
}

test('a refused symbol is checked every half hour, and followed once the vendor serves it', async () => {
  const clock = createManualClock(START);
  let isAway = true;
  const asked: (readonly string[])[] = [];
  const feed = closes(clock, async (symbols) => {
    asked.push(symbols);
    return symbols.map((symbol) => (isAway && symbol === 'VIX' ? { symbol, reason: 'its host is away' } : us(symbol)));
  });
  const tape = openTape(null);
  const listings = ['SPY', 'VIX', 'QQQ'].map(us);
  const supervisor = supervisorOf(feed, listings, tape, clock);
  supervisor.start();
  await clock.advance(65 * MINUTE_MS);
  expect(supervisor.health('VIX', clock.now())).toMatchObject({ kind: 'halted', reason: 'its host is away' });
  // The supervisor checks only the refused symbols.
  expect(asked).toEqual([['SPY', 'VIX', 'QQQ'], ['VIX'], ['VIX']]);
  expect([...tape.bars.keys()].sort()).toEqual(['QQQ', 'SPY']);

  isAway = false;
  await clock.advance(31 * MINUTE_MS);
  expect(supervisor.health('VIX', clock.now())).toBeNull();
  expect([...tape.bars.keys()].sort()).toEqual(['QQQ', 'SPY', 'VIX']);
  await clock.advance(24 * HOUR_MS);
  expect(tape.bars.get('VIX')?.at(-1)?.date).toBe('2026-03-06');
  // The vendor now refuses no symbol.
  expect(asked).toHaveLength(5);
  await supervisor.close();
});

test('the history of a symbol without bars is requested again at the next start, without delaying others', async () => {
  const clock = createManualClock(START);
  let isAway = true;
  const asked: BarRequest[] = [];
  const vendor = closes(clock, async (symbols) => symbols.map(us));
  const feed: PriceFeed = {
    ...vendor,
    async *bars(request, signal) {
      asked.push(request);
      // Like the unreachable host of a file.
      const symbols = request.symbols.filter((symbol) => !isAway || symbol !== 'VIX');
      yield* vendor.bars({ ...request, symbols }, signal);
    },
  };
  const tape = openTape(null);
  const listings = ['SPY', 'VIX'].map(us);
  const run = async (): Promise<void> => {
    const supervisor = supervisorOf(feed, listings, tape, clock);
    supervisor.start();
    await clock.advance(2 * MINUTE_MS);
    await supervisor.close();
  };
  await run();
  expect([...tape.bars.keys()]).toEqual(['SPY']);
  isAway = false;
  asked.length = 0;
  await run();
  expect(tape.bars.get('VIX')?.at(0)?.date).toBe(tape.bars.get('SPY')?.at(0)?.date);
  const far = asked.filter(({ from }) => from < START - 30 * DAY_MS);
  expect(far.map(({ symbols, priority }) => [symbols, priority])).toEqual([[['VIX'], 'history']]);
});

test('a missing file is reported once until it is back; closes count as received prices', {
  tags: ['long'],
}, async () => {
  const clock = createManualClock(START);
  let fault: string | null = null;
  const vendor = closes(clock, async (symbols) => symbols.map(us));
  const feed: PriceFeed = {
    ...vendor,
    async *bars({ onFault, ...request }, signal) {
      if (fault !== null) onFault?.('VIX', new FeedError('retry', fault));
      yield* vendor.bars({ ...request, symbols: fault === null ? request.symbols : ['SPY'] }, signal);
    },
  };
  const tape = openTape(null);
  const listings = ['SPY', 'VIX'].map(us);
  const warnings: object[] = [];
  const none = (): undefined => undefined;
  const supervisor = new FeedSupervisor({
    ...{ name: 'fake', feed, listings, clock, random: () => 0.5, onNotice: none },
    record: createFeedMarket({ feed: 'fake', listings, tape, clock }),
    logger: { debug: none, info: none, error: none, warn: (fields: object) => void warnings.push(fields) } as never,
  });
  supervisor.start();
  await clock.advance(MINUTE_MS);
  expect(supervisor.report()).toMatchObject({ status: 'following', lastPriceAt: START, fault: null });
  fault = 'files.example/VIX.csv answered text/html, not prices.';
  await clock.advance(4 * DAY_MS);
  expect(warnings).toEqual([{ feed: 'fake', error: fault }]);
  const { lastPriceAt, ...report } = supervisor.report();
  expect(report).toMatchObject({ status: 'failing', fault: { message: fault } });
  // The close of Monday the 9th, twenty minutes after it.
  expect(dateOf(lastPriceAt ?? 0)).toBe('2026-03-09');
  fault = null;
  await clock.advance(HOUR_MS);
  expect(supervisor.report().status).toBe('following');
  await supervisor.close();
});

/** A vendor whose history has a minute bar for each minute up to `until`, and no stream. */
function minutesUntil(
  clock: { now(): number },
  until: (symbol: string) => number,
  listings: PriceFeed['listings'] = async (symbols) => symbols.map(us),
): PriceFeed {
  const vendor = closes(clock, listings);
  return {
    ...vendor,
    offers: { ...vendor.offers, steps: ['day', 'minute'] },
    async *bars(request, signal) {
      if (request.step === 'day') yield* vendor.bars(request, signal);
      else
        for (const symbol of request.symbols) {
          const page: FeedBar[] = [];
          const { open, close } = sessionOn('us', '2026-03-05');
          const first = Math.max(open, Math.ceil(request.from / MINUTE_MS) * MINUTE_MS);
          for (let start = first; start + MINUTE_MS <= Math.min(until(symbol), clock.now(), close); start += MINUTE_MS)
            page.push({
              ...{ symbol, step: 'minute', date: '2026-03-05', start, end: start + MINUTE_MS, isClosed: true },
              ...{ open: 100, high: 101, low: 99, close: 100, volume: 1e3 },
            });
          yield page;
        }
    },
  };
}

test('a vendor that answers without newer prices is delayed, and its next decision is overdue', async () => {
  const clock = createManualClock(Date.parse('2026-03-05T15:30:00Z'));
  let until = Number.POSITIVE_INFINITY;
  const feed = minutesUntil(clock, () => until);
  const tape = openTape(null);
  const listings = ['SPY', 'QQQ'].map(us);
  const record = createFeedMarket({ feed: 'fake', listings, tape, clock });
  const none = (): undefined => undefined;
  const supervisor = new FeedSupervisor({
    ...{ name: 'fake', feed, listings, record, clock, random: () => 0.5, onNotice: none },
    logger: { debug: none, info: none, warn: none, error: none } as never,
  });
  const market = record.market(supervisor);
  supervisor.start();
  await clock.advance(10 * MINUTE_MS);
  expect([supervisor.health('SPY', clock.now()), supervisor.report().status]).toEqual([null, 'following']);
  expect(market.nextDecision?.('SPY', clock.now())).toBeGreaterThan(clock.now());
  until = clock.now();
  await clock.advance(8 * MINUTE_MS);
  expect(supervisor.health('SPY', clock.now())).toMatchObject({
    kind: 'delayed',
    reason: 'fake has sent no price of any symbol after 2026-03-05T15:40Z, though the session of SPY is open',
  });
  expect(supervisor.report()).toMatchObject({
    status: 'failing',
    fault: { message: expect.stringContaining('15:40Z') },
  });
  expect(market.nextDecision?.('SPY', clock.now())).toBeLessThan(clock.now() - 4 * MINUTE_MS);
  until = Number.POSITIVE_INFINITY;
  await clock.advance(3 * MINUTE_MS);
  expect([supervisor.health('SPY', clock.now()), supervisor.report().status]).toEqual([null, 'following']);
  await supervisor.close();
});

test('asks the vendor whether it still serves a symbol that alone stopped getting prices', async () => {
  const clock = createManualClock(Date.parse('2026-03-05T15:30:00Z'));
  let stoppedAt = Number.POSITIVE_INFINITY;
  let isRefused = false;
  const asked: (readonly string[])[] = [];
  const feed = minutesUntil(
    clock,
    (symbol) => (symbol === 'QQQ' ? stoppedAt : Number.POSITIVE_INFINITY),
    async (symbols) => {
      asked.push(symbols);
      return symbols.map((symbol) =>
        isRefused && symbol === 'QQQ' ? { symbol, reason: 'fake does not trade QQQ now (break)' } : us(symbol),
      );
    },
  );
  const tape = openTape(null);
  const supervisor = supervisorOf(feed, ['SPY', 'QQQ'].map(us), tape, clock);
  supervisor.start();
  await clock.advance(40 * MINUTE_MS);
  // All symbols have prices, and the supervisor checks none.
  expect(asked).toEqual([['SPY', 'QQQ']]);

  // Nobody trades the symbol: the vendor still serves it, and it stays current.
  stoppedAt = clock.now();
  await clock.advance(65 * MINUTE_MS);
  expect(asked.slice(1)).toEqual([['QQQ']]);
  expect(supervisor.health('QQQ', clock.now())).toBeNull();

  isRefused = true;
  await clock.advance(31 * MINUTE_MS);
  expect(supervisor.health('QQQ', clock.now())).toMatchObject({
    kind: 'halted',
    reason: 'fake does not trade QQQ now (break)',
  });
  expect(supervisor.health('SPY', clock.now())).toBeNull();

  [isRefused, stoppedAt] = [false, Number.POSITIVE_INFINITY];
  await clock.advance(31 * MINUTE_MS);
  expect(supervisor.health('QQQ', clock.now())).toBeNull();
  await supervisor.close();
});

test('a vendor of closes that fails is delayed an hour after the close was due', async () => {
  const clock = createManualClock(START);
  let isAway = false;
  const vendor = closes(clock, async (symbols) => symbols.map(us));
  const feed: PriceFeed = {
    ...vendor,
    async *bars(request, signal) {
      if (isAway) throw new FeedError('retry', 'fake answered 503.');
      yield* vendor.bars(request, signal);
    },
  };
  const tape = openTape(null);
  const listings = ['SPY'].map(us);
  const record = createFeedMarket({ feed: 'fake', listings, tape, clock });
  const none = (): undefined => undefined;
  const supervisor = new FeedSupervisor({
    ...{ name: 'fake', feed, listings, record, clock, random: () => 0.5, onNotice: none },
    logger: { debug: none, info: none, warn: none, error: none } as never,
  });
  const market = record.market(supervisor);
  supervisor.start();
  await clock.advance(MINUTE_MS);
  isAway = true;
  const due = sessionOn('us', '2026-03-06').close + 20 * MINUTE_MS;
  await clock.advance(due + 59 * MINUTE_MS - clock.now());
  expect(supervisor.health('SPY', clock.now())).toBeNull();
  await clock.advance(2 * MINUTE_MS);
  expect(supervisor.health('SPY', clock.now())).toMatchObject({
    kind: 'delayed',
    reason: expect.stringContaining('2026-03-05'),
  });
  expect(market.nextDecision?.('SPY', clock.now())).toBe(due);
  isAway = false;
  await clock.advance(2 * MINUTE_MS);
  expect(supervisor.health('SPY', clock.now())).toBeNull();
  expect(market.nextDecision?.('SPY', clock.now())).toBeNull();
  await supervisor.close();
});

test('a clock set back stops neither closes nor repairs', async () => {
  // Two hours ahead, between a close and the clock's own time of it.
  const clock = createManualClock(sessionOn('us', '2026-03-06').close + 10 * MINUTE_MS);
  const tape = openTape(null);
  let checks = 0;
  const vendor = closes(clock, async (symbols) => symbols.map(us));
  const feed: PriceFeed = {
    ...vendor,
    check: async () => {
      checks += 1;
      return { clockSkewMs: 0, plan: null };
    },
  };
  const supervisor = supervisorOf(feed, ['SPY'].map(us), tape, clock);
  supervisor.start();
  await clock.advance(MINUTE_MS);
  expect([tape.bars.get('SPY')?.at(-1)?.date, checks]).toEqual(['2026-03-05', 1]);
  clock.jump(-2 * HOUR_MS);
  await clock.advance(10_000);
  expect(checks).toBe(2);
  await clock.advance(2 * HOUR_MS + 12 * MINUTE_MS);
  expect(tape.bars.get('SPY')?.at(-1)?.date).toBe('2026-03-06');
  // A step of less than a minute does not restart the attempt.
  clock.jump(-20_000);
  await clock.advance(10_000);
  expect(checks).toBe(2);
  await supervisor.close();
});

test('a vendor of minutes goes on after a clock is set back', async () => {
  const clock = createManualClock(Date.parse('2026-03-05T18:30:00Z'));
  let aheadMs = 2 * HOUR_MS;
  const feed = minutesUntil(clock, () => clock.now() - aheadMs);
  const tape = openTape(null);
  const supervisor = supervisorOf(feed, ['SPY'].map(us), tape, clock);
  supervisor.start();
  await clock.advance(3 * MINUTE_MS);
  clock.jump(-aheadMs);
  aheadMs = 0;
  await clock.advance(10 * MINUTE_MS);
  expect(supervisor.report().lastPriceAt).toBeLessThanOrEqual(clock.now());
  expect(clock.now() - (supervisor.report().lastPriceAt ?? 0)).toBeLessThan(5 * MINUTE_MS);
  await supervisor.close();
});

test('at the start and after a sleep corporate actions are fetched before any price', async () => {
  const clock = createManualClock(Date.parse('2026-03-05T18:30:00Z'));
  const asked: string[] = [];
  const vendor = minutesUntil(clock, () => clock.now());
  const feed: PriceFeed = {
    ...vendor,
    async *bars(request, signal) {
      asked.push('prices');
      yield* vendor.bars(request, signal);
    },
    async actions() {
      asked.push('actions');
      return [];
    },
  };
  const supervisor = supervisorOf(feed, ['SPY'].map(us), openTape(null), clock);
  supervisor.start();
  await clock.advance(MINUTE_MS);
  expect([asked[0], asked.includes('prices')]).toEqual(['actions', true]);
  asked.length = 0;
  clock.jump(HOUR_MS / 2);
  await clock.advance(10_000);
  expect([asked[0], asked.includes('prices')]).toEqual(['actions', true]);
  await supervisor.close();
});
