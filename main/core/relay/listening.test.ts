// Test: the relay's port in a whole core on a manual clock: cost of requests, reordered deliveries.
import { beforeEach, expect, test } from 'vitest';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import {
  createSubscriptionServer,
  type RelayRig,
  type RelayRigOptions,
  relayRig,
  type SubscriptionServer,
} from '../../../test/harness/relay-bench.ts';
import { DEFAULT_SETTINGS } from '../profiles/settings.ts';

const bench = setUpCoreBench();
let subscriptionService: SubscriptionServer;

beforeEach(() => {
  subscriptionService = createSubscriptionServer();
  bench.service.fault = subscriptionService.answer;
});

/** Started, registered, its past read; the stream brings no further event. */
async function up(options: RelayRigOptions = {}): Promise<RelayRig> {
  const rig = relayRig(bench, options);
  await rig.core.start();
  await bench.clock.until(
    () => rig.view().registration.state !== 'waiting' && rig.snapshot().connection.indicators.open.state === 'ok',
  );
  await bench.clock.advance(100);
  bench.service.deaf = true;
  return rig;
}
const bodyOf = (event: object): string => JSON.stringify(event);

test('a request at the port never reads the settings file', async () => {
  let reads = 0;
  const settings = {
    read() {
      reads += 1;
      return DEFAULT_SETTINGS;
    },
    write: () => undefined,
  };
  const rig = await up({ ports: { settings } });
  const before = reads;
  expect([rig.server.listening?.paths().length, rig.server.listening?.hosts()]).toEqual([1, []]);
  expect(reads).toBe(before);
});

test('reordered deliveries join up, and the service is not asked for them', async () => {
  const rig = await up();
  const { secret } = subscriptionService.only();
  await rig.deliver(bodyOf(bench.service.emit('SPY', 1)), secret);
  await bench.clock.advance(1_000);
  const requestCount = (): number => bench.service.requests.filter(({ path }) => path === '/events').length;
  const before = requestCount();
  const [first, second, third, fourth] = ['SPY', 'QQQ', 'IWM', 'AAPL'].map((symbol) => bench.service.emit(symbol, 2));
  // Two within one turn, the first a little later, the last of all after the wait for it ended.
  await Promise.all([third, second].map((event) => rig.deliver(bodyOf(event ?? {}), secret)));
  await bench.clock.advance(50);
  await rig.deliver(bodyOf(first ?? {}), secret);
  await bench.clock.advance(1_000);
  expect(requestCount()).toBe(before);
  const ids = rig.core.entries(1, 10).map(({ event_id }) => event_id);
  expect(ids).toEqual([second, third, first].map((event) => event?.event_id));

  await rig.deliver(bodyOf(bench.service.emit('XLK', 2)), secret);
  await bench.clock.advance(1_000);
  expect(requestCount()).toBeGreaterThan(before);
  expect(rig.core.entries(1, 10).map(({ event_id }) => event_id)).toContain(fourth?.event_id);
});
