// Service, market feeds, test: a feed whose tape is in the store of a cluster, on its leader and on another node.
import SQLite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../../shared/lib/time.ts';
import { FakePriceFeed, listingOf } from '../../../test/harness/fake-price-feed.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { directOutbound } from '../../network/outbound.ts';
import { MINUTES_READ_MS } from '../tape/minutes.ts';
import { addTapeTables } from '../tape/tape-database.ts';
import { openFeed } from './open-feed.ts';
import type { FeedVendor } from './price-feed.ts';

function rig() {
  const clock = createManualClock();
  const database = new SQLite(':memory:');
  addTapeTables(database);
  const state = { isAway: false, status: null as string | null, published: 0, warnings: [] as string[] };
  const write = (work: () => void): void => {
    if (state.isAway) throw new Error('the database cannot be reached');
    work();
  };
  const symbols = ['BTC', 'ETH'];
  const vendor: FeedVendor = {
    ...{ name: 'fake', perMinute: 1e9, defaultSymbols: symbols, needsKey: false },
    cure: () => null,
    listing: (symbol) => listingOf(symbol),
    create: () => new FakePriceFeed({ clock, symbols, faults: [], seed: 1 }),
  };
  const ignored = (): void => undefined;
  const note = ({ error = '' }: { error?: string }): void => void state.warnings.push(error);
  const open = (isLeader: boolean) =>
    openFeed(
      { feed: 'fake', symbols: [] },
      {
        ...{ vendor, clock, outbound: directOutbound, random: () => 0.5, onNotice: ignored, key: () => null },
        logger: { debug: ignored, info: ignored, warn: note, error: ignored },
        tape: {
          tape: { database, atomic: (work) => write(database.transaction(work)), minutesMs: MINUTES_READ_MS },
          leads: () => isLeader,
          published: () =>
            write(() => {
              state.published += 1;
            }),
          status: () => state.status,
          writeStatus: (text) =>
            write(() => {
              state.status = text;
            }),
        },
      },
    );
  return { clock, state, open, leader: open(true), other: open(false) };
}

test('what a leader cannot write while its database is away is written later, and ends neither it nor its feed', async () => {
  const { clock, state, leader, other } = rig();
  void leader.start();
  await clock.advance(3 * MINUTE_MS);
  leader.refresh();
  const before = state.status;
  expect(before).not.toBeNull();
  state.isAway = true;
  await clock.advance(3 * MINUTE_MS);
  leader.refresh();
  leader.refresh();
  expect(state.warnings.filter((error) => error === 'the database cannot be reached')).toHaveLength(1);
  state.isAway = false;
  await clock.advance(3 * MINUTE_MS);
  leader.refresh();
  expect(state.status).not.toBe(before);
  await Promise.all([leader.close(), other.close()]);
});

test('a node that does not lead has the prices of the leader once they are published, and says what the leader says', async () => {
  const { clock, state, leader, other } = rig();
  void leader.start();
  await other.start();
  expect(other.market.fault?.('BTC', clock.now())?.reason).toBe('No node follows the feed yet');
  await clock.advance(3 * MINUTE_MS);
  leader.refresh();
  expect(state.published).toBeGreaterThan(0);
  expect(other.market.lastBar?.('BTC', clock.now()) ?? null).toBeNull();
  other.follow(true);
  expect(other.market.lastBar?.('BTC', clock.now())).toEqual(leader.market.lastBar?.('BTC', clock.now()));
  expect(other.market.forming('BTC', clock.now())).toEqual(leader.market.forming('BTC', clock.now()));
  expect(other.market.fault?.('BTC', clock.now()) ?? null).toEqual(leader.market.fault?.('BTC', clock.now()) ?? null);
  const { budgets: _, lastPriceAt: __, ...said } = other.followed.report();
  expect(leader.followed.report()).toMatchObject(said);
  await Promise.all([leader.close(), other.close()]);
});

test('a new leader tells the others to use the rows of its predecessor, also after a first attempt that failed', async () => {
  const { clock, state, open, leader } = rig();
  void leader.start();
  await clock.advance(3 * MINUTE_MS);
  await leader.close();
  state.published = 0;
  state.isAway = true;
  const successor = open(true);
  expect(() => successor.lead()).toThrow('the database cannot be reached');
  successor.refresh();
  expect(state.published).toBe(0);
  state.isAway = false;
  successor.refresh();
  expect(state.published).toBe(1);
  await clock.advance(3 * MINUTE_MS);
  expect(successor.followed.report()).toMatchObject({ status: 'following', historyDone: 2 });
  await successor.close();
});
