// Test: the socket for commands: silent, slow and large requests keep no command out.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { err, ok } from '../../shared/lib/result.ts';
import { message } from '../../shared/text/message.ts';
import { createManualClock, type ManualClock } from '../../test/harness/manual-clock.ts';
import { type ControlSocket, listenControl, requestAcknowledgement, requestWindow } from './control-socket.ts';

const PRICE_ALERT = { ledger_id: 7, event_id: 'price:dip:SPY:1', symbol: 'SPY', state: null };
let dataFolder: string;
let clock: ManualClock;
let control: ControlSocket;
let clients: Socket[];

beforeEach(async () => {
  dataFolder = mkdtempSync(join(tmpdir(), 'barograph-control-'));
  clock = createManualClock();
  clients = [];
  control = listenControl(
    {
      dataFolder,
      clock,
      acknowledge: () => ok([PRICE_ALERT]),
      openWindow: (profile) =>
        profile === 'none' ? err(message('profile.not_here', { name: 'none' })) : ok('http://127.0.0.1:4780/#token=t'),
    },
    (error) => {
      throw error;
    },
  );
  await expect.poll(() => requestWindow(control.address, null).catch(String)).toMatch(/^http/);
});
afterEach(() => {
  control.close();
  for (const client of clients) client.destroy();
  rmSync(dataFolder, { recursive: true, force: true });
});

const client = async (): Promise<Socket> => {
  const socket = connect(control.address.path).on('error', () => undefined);
  clients.push(socket);
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.resume();
  return socket;
};
const closed = (socket: Socket): Promise<unknown> =>
  new Promise((resolve) => (socket.closed ? resolve(null) : socket.once('close', resolve)));

test('a window is opened by the secret alone, of a profile that runs', async () => {
  expect(await requestWindow(control.address, null)).toBe('http://127.0.0.1:4780/#token=t');
  await expect(requestWindow(control.address, 'none')).rejects.toThrow('The profile none does not run here.');
  await expect(requestWindow({ ...control.address, secret: 'x' }, null)).rejects.toThrow('The secret of run.json');
});

test('a price alert is acknowledged, which has no state', async () => {
  const request = { profile: null, target: 'SPY', note: null };
  expect(await requestAcknowledgement(control.address, request)).toEqual([PRICE_ALERT]);
});

test('silent connections keep no command out: the oldest is closed', async () => {
  const silent: Socket[] = [];
  for (let count = 0; count < 200; count += 1) silent.push(await client());
  expect(await requestWindow(control.address, null)).toMatch(/^http/);
  await closed(silent[0] as Socket);
});

test('a request that comes byte by byte ends at its deadline', async () => {
  const slow = await client();
  const end = closed(slow);
  for (let second = 0; second < 5; second += 1) {
    slow.write('{');
    await clock.advance(1_000);
  }
  await end;
});

test('a request that is too large is cut off', async () => {
  const large = await client();
  const end = closed(large);
  large.write('x'.repeat(64 * 1024));
  await end;
});
