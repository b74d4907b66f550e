// Test: the built preload is one file, exposes two functions and leaks nothing of Electron.
import { join } from 'node:path';
import { build } from 'vite';
import { beforeAll, expect, test } from 'vitest';
import { BRIDGE_CALL, BRIDGE_PUSH, type Bridge } from '../shared/channels/bridge.ts';
import { channels } from '../shared/channels/channels.ts';

let code: string;
beforeAll(async () => {
  const outputs = await build({
    configFile: join(import.meta.dirname, '../vite.preload.config.ts'),
    logLevel: 'error',
    build: { write: false },
  });
  const files = [outputs].flat().flatMap((output) => ('output' in output ? output.output : []));
  expect(files.map(({ fileName }) => fileName)).toEqual(['preload.cjs']);
  const [file] = files;
  code = file?.type === 'chunk' ? file.code : '';
});

/** Runs the built preload against a fake Electron that records its calls. */
function load() {
  const exposed: [string, Bridge][] = [];
  const invoked: unknown[][] = [];
  const listeners: ((...given: unknown[]) => void)[] = [];
  const required: string[] = [];
  new Function('require', code)((name: string) => {
    required.push(name);
    return {
      contextBridge: { exposeInMainWorld: (at: string, bridge: Bridge) => exposed.push([at, bridge]) },
      ipcRenderer: {
        on: (channel: string, listener: (...given: unknown[]) => void) =>
          channel === BRIDGE_PUSH && listeners.push(listener),
        invoke: async (...given: unknown[]) => {
          invoked.push(given);
          return { ok: true, value: {} };
        },
      },
    };
  });
  const [first] = exposed;
  if (first === undefined) throw new Error('nothing was exposed');
  return { exposed, bridge: first[1], invoked, listeners, required };
}

test('exposes call and subscribe, and nothing else', () => {
  const { exposed, bridge, required, listeners } = load();
  expect(exposed.map(([at]) => at)).toEqual(['barograph']);
  expect(Object.keys(bridge).sort()).toEqual(['call', 'subscribe']);
  expect(required).toEqual(['electron']);
  expect(listeners).toHaveLength(1);
});

test('carries no schema and no library', () => {
  expect(code.length).toBeLessThan(4_000);
  expect(code).not.toMatch(/zod|eval|process\.|Buffer/);
});

test('passes on every call of the table and no other name', async () => {
  const { bridge, invoked } = load();
  const calls = Object.entries(channels).flatMap(([name, { kind }]) => (kind === 'push' ? [] : [name]));
  for (const name of calls) await bridge.call(name, { a: 1 });
  expect(invoked).toEqual(calls.map((name) => [BRIDGE_CALL, name, { a: 1 }]));
  for (const name of ['state.changed', 'no.such', '__proto__', 'constructor', ''])
    await expect(bridge.call(name, {})).rejects.toThrow(/There is no call named/);
  expect(invoked).toHaveLength(calls.length);
});

test('subscribes to pushes of the table only, hides Electron’s event, and cancels one listener at a time', () => {
  const { bridge, listeners } = load();
  const received: unknown[][] = [];
  const listener = (...given: unknown[]): void => void received.push(given);
  const cancel = bridge.subscribe('state.changed', listener);
  bridge.subscribe('state.changed', listener);
  const push = (...given: unknown[]): void => listeners[0]?.({ sender: 'Electron’s own' }, ...given);
  push('state.changed', { number: 1 });
  expect(received).toEqual([[{ number: 1 }], [{ number: 1 }]]);
  cancel();
  push('state.changed', { number: 2 });
  push('no.such', { number: 3 });
  push({}, { number: 4 });
  expect(received.slice(2)).toEqual([[{ number: 2 }]]);
  for (const name of ['state.snapshot', 'no.such', '__proto__'])
    expect(() => bridge.subscribe(name, listener)).toThrow(/There is no push named/);
});
