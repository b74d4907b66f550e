// Test: the alarm about one market without new data beside a current one, on a manual clock.
import { expect, test } from 'vitest';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import type { CoreRig } from '../../../test/harness/core-rig.ts';
import { LIVE_KEY } from '../../../test/harness/wire-service.ts';

const bench = setUpCoreBench();
const MINUTE = 60_000;
const COIN = 'XLK';
const SHARES = ['SPY', 'QQQ', 'IWM', 'AAPL'];
const notices = (rig: CoreRig) => rig.shown.filter(({ id }) => id.startsWith('barograph:outage:'));

/**
 * The manual clock begins on Monday 2 March 2026 at 9:30 in New York. One of the watched symbols is a coin.
 */
async function upWithCoin(): Promise<CoreRig> {
  bench.service.environment = 'production';
  bench.service.accepts = () => true;
  bench.service.prices.set(COIN, { asset_class: 'crypto' });
  return bench.up({
    profile: { name: 'live', environment: 'production', baseUrl: 'http://127.0.0.1:18787' },
    key: LIVE_KEY,
  });
}
/** The next decision of these symbols does not come. */
const holdBack = (symbols: readonly string[]): void => {
  const at = new Date(bench.clock.now() + MINUTE).toISOString();
  for (const symbol of symbols) bench.service.prices.set(symbol, { next_decision_at: at });
};
const bringBack = (symbols: readonly string[]): void => {
  for (const symbol of symbols) bench.service.prices.delete(symbol);
};

test('a market with only stale signals is notified although another market is current, and so is its end', {
  tags: ['long'],
}, async () => {
  const rig = await upWithCoin();
  holdBack(SHARES);
  await bench.clock.advance(20 * MINUTE);
  expect(rig.snapshot().connection).toMatchObject({ outage: null, indicators: { fresh: { state: 'degraded' } } });
  expect(notices(rig)).toMatchObject([
    {
      title: expect.stringMatching(/^No new data for some symbols since 09:\d\d New York$/),
      body: expect.stringMatching(
        /^For 2 minutes of market time: SPY, QQQ, IWM and 1 more\. Other signals are current\. You get no alerts about these until their data returns\.$/,
      ),
      urgency: 'critical',
    },
  ]);
  bringBack(SHARES);
  await bench.clock.advance(2 * MINUTE);
  expect(notices(rig).slice(1)).toMatchObject([
    {
      title: 'New data for some symbols again',
      body: expect.stringMatching(
        /^SPY, QQQ, IWM and 1 more: no new data from 09:\d\d New York, for 1\d minutes of market time\./,
      ),
      urgency: 'normal',
    },
  ]);
  expect(new Set(notices(rig).map(({ id }) => id)).size).toBe(1);
  await bench.clock.advance(60 * MINUTE);
  expect(notices(rig)).toHaveLength(2);
});

test('a market of which one signal is current raises no alarm', async () => {
  const rig = await upWithCoin();
  holdBack(SHARES.slice(1));
  await bench.clock.advance(40 * MINUTE);
  expect(rig.snapshot().connection.indicators.fresh.state).toBe('degraded');
  expect(notices(rig)).toEqual([]);
});

test('the exchange that the service names decides when a symbol without a suffix is awaited', async () => {
  const rig = await upWithCoin();
  // At night in Tokyo no price is due, and the alarm takes its time.
  const at = new Date(bench.clock.now() + MINUTE).toISOString();
  for (const symbol of SHARES) bench.service.prices.set(symbol, { exchange: 'tokyo', next_decision_at: at });
  await bench.clock.advance(25 * MINUTE);
  expect(notices(rig)).toEqual([]);
  await bench.clock.advance(15 * MINUTE);
  expect(notices(rig)).toMatchObject([{ body: expect.stringMatching(/^For 30 minutes: SPY, /) }]);
});

test('an outage of everything is notified after its own minutes, whatever was said of one market', async () => {
  const rig = await upWithCoin();
  holdBack(SHARES);
  await bench.clock.advance(20 * MINUTE);
  expect(notices(rig)).toHaveLength(1);
  bench.service.cut();
  bench.service.fault = () => 'unreachable';
  await bench.clock.advance(4 * MINUTE);
  expect(
    notices(rig)
      .map(({ title }) => title)
      .slice(1),
  ).toEqual([expect.stringMatching(/^Not receiving data since 09:50 New York$/)]);
  bench.service.fault = null;
  await bench.clock.advance(5 * MINUTE);
  // The market is still stale.
  expect(
    notices(rig)
      .map(({ title }) => title)
      .slice(2),
  ).toEqual(['Receiving data again']);
});

test('prices that ended long ago raise no alarm; while they are missing, an alarm does not end', {
  tags: ['long'],
}, async () => {
  const rig = await upWithCoin();
  for (const symbol of SHARES) bench.service.prices.set(symbol, { data_health: 'stale' });
  await bench.clock.advance(40 * MINUTE);
  expect(rig.snapshot().rows.filter(({ stale }) => stale)).toHaveLength(SHARES.length);
  expect(notices(rig)).toEqual([]);

  bringBack(SHARES);
  await bench.clock.advance(5 * MINUTE);
  holdBack(SHARES);
  await bench.clock.advance(20 * MINUTE);
  expect(notices(rig)).toHaveLength(1);
  for (const symbol of SHARES) bench.service.prices.set(symbol, { data_health: 'stale' });
  await bench.clock.advance(40 * MINUTE);
  expect(notices(rig)).toHaveLength(1);
});

test('after a restart it continues under the same id', async () => {
  const first = await upWithCoin();
  holdBack(SHARES);
  await bench.clock.advance(20 * MINUTE);
  const [notice] = notices(first);
  await bench.down(first);
  const second = await upWithCoin();
  await bench.clock.advance(10 * MINUTE);
  expect(notices(second)).toMatchObject([{ id: notice?.id, title: notice?.title }]);
});
