// Test: a change of the network is noticed; unrelated changes are not.
import { expect, test } from 'vitest';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { type Interfaces, watchNetwork } from './network-watch.ts';

const on = (...addresses: [string, string][]): Interfaces =>
  Object.fromEntries(
    addresses.map(([name, address]) => [
      name,
      [
        {
          address,
          family: address.includes(':') ? 'IPv6' : 'IPv4',
          internal: name === 'lo',
          netmask: '',
          mac: '',
          cidr: null,
          scopeid: 0,
        },
      ],
    ]) as [string, never][],
  );

test('another address, a restored network and a VPN wake; a loss, loopback and IPv6 alone do not', async () => {
  const clock = createManualClock();
  let now = on(['lo', '127.0.0.1'], ['wlan0', '10.0.0.5']);
  let changes = 0;
  const cancel = watchNetwork(
    clock,
    () => now,
    () => changes++,
  );
  const see = async (next: Interfaces): Promise<number> => {
    now = next;
    await clock.advance(2_100);
    return changes;
  };
  expect(await see(now)).toBe(0);
  expect(await see(on(['lo', '127.0.0.1']))).toBe(0);
  expect(await see(on(['lo', '127.0.0.1'], ['wlan0', '10.0.0.5']))).toBe(1);
  expect(await see(on(['wlan0', '192.168.1.7']))).toBe(2);
  expect(await see(on(['wlan0', '192.168.1.7'], ['tun0', '10.8.0.2']))).toBe(3);
  expect(await see(on(['lo', '127.0.0.2'], ['wlan0', '192.168.1.7'], ['tun0', '10.8.0.2'], ['eth9', 'fd00::1']))).toBe(
    3,
  );
  cancel();
  expect(await see(on(['wlan0', '1.2.3.4']))).toBe(3);
});

test('an error of the system is no change', async () => {
  const clock = createManualClock();
  let changes = 0;
  watchNetwork(
    clock,
    () => {
      throw new Error('not permitted');
    },
    () => changes++,
  );
  await clock.advance(10_000);
  expect(changes).toBe(0);
});
