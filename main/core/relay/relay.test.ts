// Test: the relay in a whole core without a port.

import { expect, test } from 'vitest';
import { notificationIds, shownIds } from '../../../test/harness/core-bench.ts';
import { createFakeRelayServer, relayRig, setUpRelayBench } from '../../../test/harness/relay-bench.ts';
import { saying } from '../../../test/harness/saying.ts';

const { bench } = setUpRelayBench();

test('without a server there is no relay, and its calls say so', async () => {
  const rig = await bench.up();
  const read = rig.core.handlers['relay.read']({});
  expect(read).toMatchObject({ listening: null, problem: saying(/cannot listen/) });
  await expect((async () => rig.core.handlers['relay.switch']({ on: true }))()).rejects.toThrow(/cannot listen/);
});

test('a port that cannot be opened is reported, and the core continues', async () => {
  const server = { ...createFakeRelayServer(), listen: () => Promise.reject(new Error('no port')) };
  const rig = relayRig(bench, { server });
  await rig.core.start();
  await bench.clock.advance(1_000);
  expect(rig.view()).toMatchObject({ listening: null, problem: saying(/no port/) });
  const event = bench.service.emit('SPY', 2);
  await bench.clock.advance(1_000);
  expect(shownIds(rig)).toEqual(notificationIds(event));
});

test('a port that opens only after the relay was stopped is closed again', async () => {
  const server = createFakeRelayServer();
  const { listen } = server;
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  server.listen = async (options) => {
    await opened;
    return listen(options);
  };
  const rig = relayRig(bench, { server });
  await rig.core.start();
  await bench.clock.advance(1_000);
  await rig.core.stop();
  open();
  await bench.clock.advance(1_000);
  expect(server.listening).toBeNull();
});
