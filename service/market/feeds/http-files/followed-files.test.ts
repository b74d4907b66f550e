// Service, test: price files followed by a supervisor: rows on the tape, reports to the operator.

import { expect, it } from 'vitest';
import { isSession, sessionClose } from '../../../../shared/domain/sessions.ts';
import { DAY_MS, dateOf, HOUR_MS, MINUTE_MS } from '../../../../shared/lib/time.ts';
import { createManualClock, type ManualClock } from '../../../../test/harness/manual-clock.ts';
import { outboundOver } from '../../../../test/harness/outbound.ts';
import { openTape, type Tape } from '../../tape/tape.ts';
import { openVendor } from '../account.ts';
import { createFeedMarket } from '../feed-market.ts';
import { FeedSupervisor } from '../feed-supervisor.ts';
import type { FeedListing, FeedVendor } from '../price-feed.ts';
import { withFiles } from '../with-files.ts';
import { httpFiles } from './http-files.ts';
import { parseFileSettings } from './settings.ts';

const FIRST = '2026-01-02';

/** A file with all closed sessions, and prices times a factor. */
function fileAt(now: number, factor: number, first = FIRST): Response {
  const rows = ['date,open,high,low,close'];
  for (let at = Date.parse(first); dateOf(at) <= dateOf(now); at += DAY_MS) {
    const date = dateOf(at);
    if (!isSession('us', date) || sessionClose('us', date) > now) continue;
    const close = ((100 + ((at / DAY_MS) % 3)) * factor).toFixed(4);
    rows.push(`${date},${close},${close},${close},${close}`);
  }
  return new Response(rows.join('\n'), { headers: { 'content-type': 'text/csv' } });
}

interface FollowOptions {
  readonly entry?: object;
  readonly tape?: Tape;
  readonly vendorOf?: (files: FeedVendor) => FeedVendor;
}

function follow(
  clock: ManualClock,
  fetch: () => Response,
  { entry, tape = openTape(null), vendorOf }: FollowOptions = {},
) {
  const settings = { url: 'https://files.example/{symbol}.csv', symbols: ['HYG'], calendar: 'us', ...entry };
  const files = httpFiles(parseFileSettings(JSON.stringify({ files: [settings] }), 'files.json'));
  const vendor = vendorOf?.(files) ?? files;
  const { feed } = openVendor(vendor, {
    clock,
    hosts: {},
    key: () => null,
    outbound: outboundOver(async () => fetch()),
  });
  const listings = vendor.defaultSymbols.map((symbol) => vendor.listing(symbol) as FeedListing);
  const record = createFeedMarket({ feed: vendor.name, listings, tape, clock });
  const warnings: object[] = [];
  const none = () => undefined;
  const supervisor = new FeedSupervisor({
    ...{ name: vendor.name, feed, listings, record, clock, random: () => 0.5, onNotice: none },
    logger: { debug: none, info: none, warn: (fields: object) => void warnings.push(fields), error: none } as never,
  });
  supervisor.start();
  return { supervisor, tape, warnings };
}

const closesOf = (tape: Tape, symbol = 'HYG') => [...(tape.bars.get(symbol) ?? [])].map(({ close }) => close);

it('a file that adjusts its whole past is taken whole, even by a service that was not running', async () => {
  const clock = createManualClock(Date.parse('2026-03-02T12:00:00Z'));
  let factor = 1;
  const first = follow(clock, () => fileAt(clock.now(), factor));
  await clock.advance(MINUTE_MS);
  const before = closesOf(first.tape);
  factor = 0.98;
  await clock.advance(DAY_MS);
  const after = closesOf(first.tape);
  expect(after).toHaveLength(before.length + 1);
  expect(after.slice(0, -1)).toEqual(before.map((close) => Number((close * 0.98).toFixed(4))));
  await first.supervisor.close();
  factor = 0.97;
  const second = follow(clock, () => fileAt(clock.now(), factor), { tape: first.tape });
  await clock.advance(DAY_MS);
  expect(closesOf(second.tape).slice(0, before.length)).toEqual(
    before.map((close) => Number((close * 0.97).toFixed(4))),
  );
  await second.supervisor.close();
});

it('rows of a file from before the requested history are left out', async () => {
  const clock = createManualClock(Date.parse('2026-03-02T12:00:00Z'));
  const { tape, supervisor } = follow(clock, () => fileAt(clock.now(), 1, '2018-01-02'));
  await clock.advance(MINUTE_MS);
  const oldest = tape.bars.get('HYG')?.at(0)?.date;
  await clock.advance(2 * DAY_MS);
  await supervisor.close();
  const again = follow(clock, () => fileAt(clock.now(), 1, '2018-01-02'), { tape });
  await clock.advance(HOUR_MS);
  await again.supervisor.close();
  expect([oldest, tape.bars.get('HYG')?.at(0)?.date]).toEqual(['2021-02-22', '2021-02-22']);
});

it('a file beside a vendor of minutes has closes only: its host gets no requests during the session', async () => {
  const shares: FeedVendor = {
    ...{ name: 'shares', perMinute: 600, defaultSymbols: ['SPY'], needsKey: false, cure: () => null },
    listing: (symbol) => ({ symbol, name: symbol, assetClass: 'etf', calendar: 'us' }),
    create: () => ({
      offers: {
        ...{ steps: ['day', 'minute'], delayMs: 0, closeDelayMs: MINUTE_MS, connectionMs: null },
        symbolsPerRequest: 200,
      },
      check: async () => ({ clockSkewMs: 0, plan: null }),
      listings: async (symbols) => symbols.map((symbol) => shares.listing(symbol)),
      async *bars() {},
    }),
  };
  const clock = createManualClock(Date.parse('2026-03-02T15:00:00Z'));
  let asked = 0;
  const fetch = (): Response => {
    asked += 1;
    return fileAt(clock.now(), 1);
  };
  const { supervisor, tape } = follow(clock, fetch, { vendorOf: (files) => withFiles(shares, files) });
  await clock.advance(10 * MINUTE_MS);
  const atStart = asked;
  await clock.advance(2 * HOUR_MS);
  expect([atStart > 0, asked]).toEqual([true, atStart]);
  expect(supervisor.health('HYG', clock.now())).toBeNull();
  await clock.advance(5 * HOUR_MS);
  expect(tape.bars.get('HYG')?.at(-1)?.date).toBe('2026-03-02');
  expect(asked).toBe(atStart + 1);
  await supervisor.close();
});
