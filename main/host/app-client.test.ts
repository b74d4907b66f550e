// Test: a second start opens a window of the running app, also while that is still starting.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClock } from '../../shared/lib/clock.ts';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import { type Message, message } from '../../shared/text/message.ts';
import { type TemporaryFolder, temporaryFolder } from '../../test/harness/folders.ts';
import { joinRunningApp } from './app-client.ts';
import { type ControlSocket, listenControl } from './control-socket.ts';
import type { Occupancy } from './folder-claim.ts';
import { writeRunFile } from './run-file.ts';

let folder: TemporaryFolder;
let control: ControlSocket;
/** The answer of the app to each request for a window. */
let answer: (request: number, profile: string | null) => Result<string | null, Message>;
let requests: number;
/** Called at each pause, with its number. */
let onPause: (pause: number) => void;
let pauses: number;
/** Number of calls of `onWait`. */
let waits: number;
let now: number;
const clock = createClock({
  now: () => now,
  setTimeout(job, ms) {
    now += ms;
    pauses += 1;
    onPause(pauses);
    return setImmediate(job);
  },
  clearTimeout: clearImmediate,
});

beforeEach(() => {
  folder = temporaryFolder();
  now = 1_000_000;
  requests = 0;
  pauses = 0;
  waits = 0;
  onPause = () => undefined;
  answer = () => ok(null);
  control = listenControl(
    {
      dataFolder: folder.path,
      clock: createClock({ now: Date.now, setTimeout, clearTimeout }),
      call: async () => ({ ok: true, value: {} }),
      openWindow(profile) {
        requests += 1;
        return answer(requests, profile);
      },
    },
    (error) => {
      throw error;
    },
  );
});
afterEach(() => {
  control.close();
  folder.remove();
});

const show = (): void =>
  writeRunFile(folder.path, {
    pid: process.pid,
    started: null,
    address: null,
    socket: control.address,
    sandbox: null,
    profile: 'sandbox',
  });
const join = (changes: Partial<Occupancy> = {}) =>
  joinRunningApp(
    { dataFolder: folder.path, isApp: true, profile: 'binance', holder: { program: 'the app', pid: 7 }, ...changes },
    clock,
    () => {
      waits += 1;
    },
  );
const notHere = () => err(message('profile.not_here', { name: 'binance' }));

test('the command waits for a profile that the app is about to follow', async () => {
  show();
  answer = (request, profile) => (profile === 'binance' && request > 3 ? ok(null) : notHere());
  expect(await join()).toEqual({ pid: process.pid, address: null });
  expect({ requests, waits }).toEqual({ requests: 4, waits: 1 });
});

test('an app that is starting is waited for', async () => {
  onPause = (pause) => {
    if (pause === 2) show();
  };
  expect(await join({ profile: null })).toEqual({ pid: process.pid, address: null });
});

test('the wait ends after a while, with the reason', async () => {
  await expect(join()).rejects.toThrow(
    'Barograph is running already (the app, process 7), but other programs do not find it. Stop it first',
  );
  show();
  answer = notHere;
  await expect(join()).rejects.toThrow('The profile binance does not run here.');
});

test('any other refusal is final, and so is a program other than the app', async () => {
  show();
  answer = () => err(message('app.ending'));
  await expect(join()).rejects.toThrow();
  expect(requests).toBe(1);
  control.close();
  await expect(join({ isApp: false, dataFolder: `${folder.path}/other` })).rejects.toThrow(
    'The profile binance is in use by another program (the app, process 7). Stop it first',
  );
  expect({ pauses, waits }).toEqual({ pauses: 0, waits: 0 });
});
