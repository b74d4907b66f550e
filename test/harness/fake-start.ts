// Test harness: the desktop shell on a fake Electron, in its own folder, ended after each test.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { type ServiceSource, serviceAt } from '../../main/core/connection/service-source.ts';
import { run } from '../../main/electron/run.ts';
import type { ElectronShellOptions } from '../../main/electron/shell-options.ts';
import type { EmbeddedOptions } from '../../main/host/embedded-service.ts';
import { BRIDGE_CALL } from '../../shared/channels/bridge.ts';
import { createClock } from '../../shared/lib/clock.ts';
import { directly, type FindProxy } from '../../shared/lib/proxy.ts';
import { createFakeElectron, type FakeElectron, type FakeWindow } from './fake-electron.ts';

export interface Desktop {
  fake: FakeElectron;
  folder: string;
  /** The data folder. */
  data: string;
  said: string[];
  /** The proxy of an address, as the embedded service asks for it. */
  findProxy: FindProxy;
  /** How often the embedded service was closed. */
  closed: number;
  /** Starts the shell; `argv` behind --data-dir. */
  start(argv?: readonly string[], changes?: DesktopChanges): Promise<void>;
  /** A window, the first one if no index is given. */
  window(index?: number): FakeWindow;
  /** A call of the first window's page, or of an impostor. */
  call(name: unknown, payload: unknown, frame?: { url: string; parent: object | null }): Promise<unknown> | unknown;
}

/** Options of the shell that tests set. */
export interface DesktopChanges {
  readonly platform?: NodeJS.Platform;
  readonly environment?: NodeJS.ProcessEnv;
  readonly updates?: Partial<ElectronShellOptions['updates']>;
  /** Happens when the service inside the app is to start; an error: it cannot. Returns its start; default: it is ready. */
  readonly whileStarting?: (options: EmbeddedOptions) => ServiceSource | undefined;
}

/** Call at the top of a test file. */
export function setUpDesktop(): Desktop {
  const desktop: Desktop = {
    fake: createFakeElectron(),
    folder: '',
    data: '',
    said: [],
    findProxy: directly,
    closed: 0,
    start: (argv = [], { platform = 'linux', environment = {}, updates = {}, whileStarting } = {}) =>
      run(desktop.fake.module, {
        argv: ['--data-dir', desktop.data, ...argv],
        machine: {
          environment,
          platform,
          clock: createClock({ now: Date.now, setTimeout, clearTimeout }),
          random: () => 0,
        },
        program: {
          execPath: '/opt/Barograph/barograph',
          assets: join(import.meta.dirname, '../../assets'),
          built: join(desktop.folder, 'dist'),
        },
        updates: {
          readFeed: async () => null,
          loadUpdater: () => Promise.reject(new Error('there is no updater in this test')),
          ...updates,
        },
        embedded: (findProxy) => ({
          checkPrices: () => Promise.reject(new Error('no prices here')),
          checkFeed: () => Promise.reject(new Error('no feed here')),
          start(options) {
            desktop.findProxy = findProxy;
            return {
              ...(whileStarting?.(options) ??
                serviceAt({ baseUrl: 'http://127.0.0.1:9', key: 'svc_test_0000000000000000' })),
              seed: 7,
              folder: () => null,
              pause: () => undefined,
              setFeedKey: () => undefined,
              close: async () => {
                desktop.closed += 1;
              },
            };
          },
        }),
        print: (line) => desktop.said.push(line),
      }),
    window(index = 0) {
      const window = desktop.fake.windows[index];
      if (window === undefined) throw new Error(`there is no window ${index}`);
      return window;
    },
    call: (name, payload, frame = { url: 'app://barograph/', parent: null }) =>
      desktop.fake.handlers.get(BRIDGE_CALL)?.(
        { sender: desktop.window().webContents, senderFrame: frame },
        name,
        payload,
      ),
  };
  beforeEach(() => {
    desktop.folder = mkdtempSync(join(tmpdir(), 'barograph-electron-'));
    desktop.data = join(desktop.folder, 'data');
    mkdirSync(join(desktop.folder, 'dist/renderer/assets'), { recursive: true });
    writeFileSync(join(desktop.folder, 'dist/renderer/index.html'), '<!doctype html><title>Barograph</title>');
    writeFileSync(join(desktop.folder, 'dist/renderer/assets/a.js'), '1');
    writeFileSync(join(desktop.folder, 'dist/secret.txt'), 'secret');
    desktop.said = [];
    desktop.closed = 0;
    desktop.fake = createFakeElectron();
  });
  afterEach(async () => {
    const { app } = desktop.fake;
    if (app.exits.length === 0) {
      app.emit('will-quit', { preventDefault: () => undefined });
      await expect.poll(() => app.exits).toHaveLength(1);
    }
    rmSync(desktop.folder, { recursive: true, force: true });
  });
  return desktop;
}
