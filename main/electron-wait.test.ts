// Test: the terminal while Electron is fetched.
import { PassThrough } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import { type Message, message } from '../shared/text/message.ts';
import { createManualClock } from '../test/harness/manual-clock.ts';
import { readsKeys, showDownload, waitForEnter } from './electron-wait.ts';

const clock = createManualClock();
let status: Message;
let listener = (): void => undefined;
const download = {
  status: () => status,
  onChange(given: () => void) {
    listener = given;
    return () => {
      listener = () => undefined;
    };
  },
};
beforeEach(() => {
  status = message('electron.connecting', { version: '45' });
});

function show(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  const stop = showDownload(download, {
    output: { isTTY, columns, write: (text: string | Uint8Array) => Boolean(written.push(String(text))) },
    clock,
  });
  return { written, stop };
}

const loaded = (received: number): void => {
  status = message('electron.loading', { version: '45', received, total: 200 * 1024 ** 2, rate: 1024 ** 2 });
  listener();
};

test('a terminal has one line, which is rewritten and gone in the end', () => {
  const { written, stop } = show(true);
  loaded(50 * 1024 ** 2);
  stop();
  loaded(60 * 1024 ** 2);
  expect(written).toEqual([
    '\r\x1b[Kbarograph: Electron 45: connecting.',
    '\r\x1b[Kbarograph: Electron 45: 50.0 MB of 200.0 MB (25 %), 1.0 MB/s, 2\u00a0min left.',
    '\r\x1b[K',
  ]);
});

test('the line of the wait never wraps, or it could not be rewritten', () => {
  const { written } = show(true, 20);
  expect(written).toEqual(['\r\x1b[Kbarograph: Electron']);
});

test('what is no terminal gets a line every five seconds', async () => {
  const { written } = show(false);
  for (let second = 1; second <= 12; second += 1) {
    await clock.advance(1_000);
    loaded(second * 1024 ** 2);
  }
  expect(written).toEqual([
    'barograph: Electron 45: connecting.\n',
    expect.stringContaining(' 5.0 MB of 200.0 MB'),
    expect.stringContaining(' 10.0 MB of 200.0 MB'),
  ]);
});

test('Enter is awaited until it is stopped, and the input is left alone', async () => {
  const input = Object.assign(new PassThrough(), { isTTY: true as const });
  const { pressed, stop } = waitForEnter({ input: input as never });
  input.write('\n');
  expect(await pressed).toBe('browser');
  stop();
  expect(input.isPaused()).toBe(true);
  expect(input.listenerCount('data')).toBe(0);
});

test('no key is awaited where input or output is no terminal', () => {
  const terminal = { isTTY: true } as never;
  const none = { isTTY: false } as never;
  expect(readsKeys({ input: none, output: terminal })).toBe(false);
  expect(readsKeys({ input: terminal, output: none })).toBe(false);
});
