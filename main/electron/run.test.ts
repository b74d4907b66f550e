// Test: the desktop shell against a fake Electron: start, windows, lockdown, page, link, single instance, end.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Conf from 'conf';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BRIDGE_CALL, BRIDGE_PUSH } from '../../shared/channels/bridge.ts';
import { createClock } from '../../shared/lib/clock.ts';
import { createFakeElectron, type FakeElectron } from './fake-electron.ts';
import { run } from './run.ts';

const clock = createClock({ now: Date.now, setTimeout, clearTimeout });
let folder: string;
let said: string[];
let closed: number;
let fake: FakeElectron;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'barograph-electron-'));
  mkdirSync(join(folder, 'dist/renderer/assets'), { recursive: true });
  writeFileSync(join(folder, 'dist/renderer/index.html'), '<!doctype html><title>Barograph</title>');
  writeFileSync(join(folder, 'dist/renderer/assets/a.js'), '1');
  writeFileSync(join(folder, 'dist/secret.txt'), 'secret');
  said = [];
  closed = 0;
  fake = createFakeElectron();
});
afterEach(async () => {
  if (fake.app.exits.length === 0) {
    fake.app.emit('will-quit', { preventDefault: () => undefined });
    await vi.waitFor(() => expect(fake.app.exits).toHaveLength(1));
  }
  rmSync(folder, { recursive: true, force: true });
});

const data = (): string => join(folder, 'data');
const start = (electron = fake, ...flags: string[]): Promise<void> =>
  run(electron.module, {
    argv: ['--data-dir', data(), ...flags],
    environment: {},
    platform: 'linux',
    clock,
    random: () => 0,
    built: join(folder, 'dist'),
    openStore: (cwd) => new Conf({ cwd, configName: 'settings', configFileMode: 0o600 }),
    checkPrices: () => Promise.reject(new Error('no prices here')),
    startEmbedded: async () => ({
      url: 'http://127.0.0.1:9',
      key: 'svc_test_0000000000000000',
      seed: 7,
      close: async () => {
        closed += 1;
      },
    }),
    print: (line) => said.push(line),
  });
const page = () => fake.pages.get('app') ?? (() => Promise.reject(new Error('no page')));
const firstWindow = () => {
  const [window] = fake.windows;
  if (window === undefined) throw new Error('no window was opened');
  return window;
};

describe('start', () => {
  test('what must be done before the app is ready is done before', async () => {
    await start();
    expect(fake.app.calls).toEqual(['enableSandbox', 'registerSchemesAsPrivileged', 'whenReady']);
    expect(fake.schemes).toEqual([{ scheme: 'app', privileges: expect.objectContaining({ standard: true, secure: true }) }]);
    expect(fake.schemes[0]?.privileges).not.toHaveProperty('bypassCSP');
    expect(fake.app.paths.userData).toBe(join(data(), 'electron'));
  });

  test('opens one window: sandboxed, isolated, without Node, on our own address', async () => {
    await start();
    expect(fake.windows).toHaveLength(1);
    expect(firstWindow().options.webPreferences).toMatchObject({
      preload: join(folder, 'dist/preload/preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
    });
    expect(firstWindow().webContents.url).toBe('app://barograph/');
    expect(firstWindow().done).toEqual(['show']);
  });

  test('run.json says who runs, opens no port and is private', async () => {
    await start();
    const path = join(data(), 'run.json');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      pid: process.pid,
      address: null,
      control: null,
      sandbox: { url: 'http://127.0.0.1:9', key: 'svc_test_0000000000000000' },
      profile: 'sandbox',
    });
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  });

  test('wrong arguments are one line and exit code 2', async () => {
    await start(fake, '--profile', 'nobody');
    expect(fake.app.exits).toEqual([2]);
    expect(said).toEqual(['npm start: --profile nobody: there is no such profile. There is sandbox.']);
    expect(fake.windows).toEqual([]);
  });

  test('a second instance opens nothing of its own', async () => {
    fake = createFakeElectron(false);
    await start();
    expect(fake.app.exits).toEqual([0]);
    expect(fake.app.calls).not.toContain('whenReady');
    expect(existsSync(join(data(), 'run.json'))).toBe(false);
  });

  test('the first instance brings its window up for the second', async () => {
    await start();
    firstWindow().minimized = true;
    fake.app.emit('second-instance', {}, [], '/', { profile: null });
    fake.app.emit('second-instance', {}, [], '/', { profile: 'nobody' });
    fake.app.emit('second-instance', {}, [], '/', 'nonsense');
    expect(fake.windows).toHaveLength(1);
    expect(firstWindow().done.filter((what) => what === 'focus')).toHaveLength(3);
    firstWindow().emit('closed');
    fake.app.emit('second-instance', {}, [], '/', { profile: 'sandbox' });
    expect(fake.windows).toHaveLength(2);
  });
});

describe('end', () => {
  test('a quit waits for what runs, then ends with 0 and leaves nothing behind', async () => {
    await start();
    let prevented = 0;
    const event = { preventDefault: () => prevented++ };
    fake.app.emit('will-quit', event);
    fake.app.emit('will-quit', event);
    await vi.waitFor(() => expect(fake.app.exits).toEqual([0]));
    expect(prevented).toBe(2);
    expect(closed).toBe(1);
    expect(existsSync(join(data(), 'run.json'))).toBe(false);
    expect(fake.handlers.has(BRIDGE_CALL)).toBe(false);
  });

  test('closing the last window ends the app, because nothing else could reach it', async () => {
    await start();
    fake.app.emit('window-all-closed');
    await vi.waitFor(() => expect(fake.app.exits).toEqual([0]));
  });
});

describe('lockdown', () => {
  test('no page leaves our address, opens a window, embeds or redirects', async () => {
    await start();
    const contents = firstWindow().webContents;
    const prevented = (event: string, details: object): boolean => {
      let stopped = false;
      contents.emit(event, { ...details, preventDefault: () => (stopped = true) });
      return stopped;
    };
    for (const url of [
      'https://attacker.example/',
      'file:///etc/passwd',
      'app://elsewhere/',
      'app://barograph@attacker/',
      'javascript:1',
      '',
    ]) {
      expect(prevented('will-navigate', { url }), url).toBe(true);
      expect(prevented('will-frame-navigate', { url, isMainFrame: true }), url).toBe(true);
    }
    expect(prevented('will-navigate', { url: 'app://barograph/' })).toBe(false);
    expect(prevented('will-frame-navigate', { url: 'app://barograph/', isMainFrame: false })).toBe(true);
    expect(prevented('will-redirect', { url: 'app://barograph/' })).toBe(true);
    expect(prevented('will-attach-webview', {})).toBe(true);
  });

  test('links open outside by allow-list, and never as a window of ours', async () => {
    await start();
    const open = (url: string) => firstWindow().webContents.openHandler?.({ url });
    for (const url of [
      'https://www.tradingview.com/x',
      'https://attacker.example/',
      'http://www.tradingview.com/',
      'https://a@www.tradingview.com/',
      'file:///x',
    ])
      expect(open(url)).toEqual({ action: 'deny' });
    expect(fake.opened).toEqual(['https://www.tradingview.com/x']);
  });

  test('every permission is denied and nothing is downloaded', async () => {
    await start();
    const answers: unknown[] = [];
    fake.permissions.request?.({}, 'media', (answer: unknown) => answers.push(answer));
    expect(answers).toEqual([false]);
    expect(fake.permissions.check?.({})).toBe(false);
    expect(fake.permissions.device?.({})).toBe(false);
    let stopped = false;
    fake.session.emit('will-download', { preventDefault: () => (stopped = true) });
    expect(stopped).toBe(true);
  });
});

describe('page', () => {
  const get = (url: string, method = 'GET') => page()({ url, method });

  test('comes with a strict policy', async () => {
    await start();
    const answer = await get('app://barograph/');
    expect(await answer.text()).toContain('Barograph');
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(answer.headers.get('content-security-policy')).not.toMatch(/unsafe|\*|http/);
    expect((await get('app://barograph/assets/a.js')).headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  test.each([
    'app://barograph/../secret.txt',
    'app://barograph/..%2fsecret.txt',
    'app://barograph/%2e%2e%2fsecret.txt',
    'app://barograph/assets/..%2f..%2fsecret.txt',
    'app://barograph/%00',
    'app://barograph/%',
    'app://barograph/nothing.js',
    'app://barograph/assets',
    'app://attacker/index.html',
    'https://barograph/index.html',
  ])('%s is nothing', async (url) => {
    await start();
    const answer = await get(url);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain('secret');
  });

  test('only GET is answered', async () => {
    await start();
    expect((await get('app://barograph/', 'POST')).status).toBe(404);
  });
});

describe('link', () => {
  const call = (name: unknown, payload: unknown, url = 'app://barograph/', parent: object | null = null) =>
    fake.handlers.get(BRIDGE_CALL)?.({ sender: firstWindow().webContents, senderFrame: { url, parent } }, name, payload);

  test('the window is answered by the core, and told', async () => {
    await start();
    expect(await call('state.snapshot', {})).toMatchObject({ ok: true, value: { profile: { name: 'sandbox', environment: 'sandbox' } } });
    expect(await call('watchlist.select', { symbol: 'qqq' })).toEqual({ ok: true, value: {} });
    await vi.waitFor(() =>
      expect(firstWindow().webContents.sent.some(([channel, name]) => channel === BRIDGE_PUSH && name === 'state.changed')).toBe(true),
    );
  });

  test('sender first, then name, then payload', async () => {
    await start();
    expect(await call('state.snapshot', {}, 'https://attacker.example/')).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(await call('state.snapshot', {}, 'app://barograph/', {})).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(await call('no.such', {})).toMatchObject({ ok: false, error: { code: 'unknown_channel' } });
    expect(await call({ toString: () => 'state.snapshot' }, {})).toMatchObject({ ok: false, error: { code: 'unknown_channel' } });
    expect(await call('watchlist.select', { symbol: 7 })).toMatchObject({ ok: false, error: { code: 'bad_input' } });
  });

  test('a page that is not ours is told nothing', async () => {
    await start();
    const contents = firstWindow().webContents;
    contents.url = 'https://attacker.example/';
    contents.sent.length = 0;
    await call('watchlist.select', { symbol: 'QQQ' });
    await call('state.snapshot', {});
    expect(contents.sent).toEqual([]);
  });
});
