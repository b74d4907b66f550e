// Test: the socket for commands: silent, slow and large requests keep no command out.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Answer } from '../../shared/channels/channel.ts';
import { err, ok } from '../../shared/lib/result.ts';
import { message } from '../../shared/text/message.ts';
import { createManualClock, type ManualClock } from '../../test/harness/manual-clock.ts';
import { type ControlSocket, listenControl, requestCall, requestWindow } from './control-socket.ts';

let dataFolder: string;
let clock: ManualClock;
let control: ControlSocket;
let clients: Socket[];
/** The answer to each call. */
let answer: () => Promise<Answer>;

beforeEach(async () => {
  dataFolder = mkdtempSync(join(tmpdir(), 'barograph-control-'));
  clock = createManualClock();
  clients = [];
  answer = async () => ({ ok: true, value: 7 });
  control = listenControl(
    {
      dataFolder,
      clock,
      call: () => answer(),
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

const call = (name: string, payload: unknown = {}) =>
  requestCall(control.address, { profile: null, name, payload }, 30_000);

test('a call is answered, also one that takes longer than the deadline of a request', async () => {
  expect(await call('alerts.read')).toEqual({ ok: true, value: 7 });
  let reply: (value: Answer) => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = () => {
      resolve();
      return new Promise((give) => {
        reply = give;
      });
    };
  });
  const slow = call('rules.backtest');
  await asked;
  await clock.advance(20_000);
  reply({ ok: true, value: 'late' });
  expect(await slow).toEqual({ ok: true, value: 'late' });
});

test.each(['key.set', 'profiles.remove', 'shell.update', 'channel.secret', '__proto__'])(
  'commands cannot call %s, with the secret either',
  async (name) => {
    expect(await call(name)).toMatchObject({ ok: false, error: { code: 'unknown_channel' } });
  },
);

test('many calls at once are all answered', async () => {
  const answers = await Promise.all(Array.from({ length: 500 }, () => call('alerts.read')));
  expect(new Set(answers.map(({ ok }) => ok))).toEqual(new Set([true]));
});

test('silent connections keep no command out: the oldest is closed', async () => {
  const silent: Socket[] = [];
  for (let count = 0; count < 1_100; count += 1) silent.push(await client());
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
  large.write('x'.repeat(128 * 1024));
  await end;
});
