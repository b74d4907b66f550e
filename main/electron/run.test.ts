// Test: the desktop shell against a fake Electron: start, windows, lockdown, page, link, shutdown.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { BRIDGE_CALL, BRIDGE_PUSH } from '../../shared/channels/bridge.ts';
import { eventually } from '../../test/harness/eventually.ts';
import { createFakeElectron } from '../../test/harness/fake-electron.ts';
import { setUpDesktop } from '../../test/harness/fake-start.ts';
import { saying } from '../../test/harness/saying.ts';
import { openDataFolder, profileFolder } from '../host/data-folder.ts';
import { lockFolder } from '../host/folder-lock.ts';
import { processStart } from '../host/run-file.ts';

const desktop = setUpDesktop();
const page = () => desktop.fake.pages.get('app') ?? (() => Promise.reject(new Error('no page')));

describe('start', () => {
  test('sandbox and scheme are set up before the app is ready', async () => {
    await desktop.start();
    expect(desktop.fake.app.calls).toEqual([
      'lock {"profile":null,"link":null}',
      'enableSandbox',
      'registerSchemesAsPrivileged',
      'whenReady',
    ]);
    expect(desktop.fake.schemes).toEqual([
      { scheme: 'app', privileges: expect.objectContaining({ standard: true, secure: true }) },
    ]);
    expect(desktop.fake.schemes[0]?.privileges).not.toHaveProperty('bypassCSP');
    expect(desktop.fake.app.paths.userData).toBe(join(desktop.data, 'electron'));
  });

  test('opens one window: sandboxed, isolated, without Node, on our own address', async () => {
    await desktop.start();
    expect(desktop.fake.windows).toHaveLength(1);
    expect(desktop.window().options.webPreferences).toMatchObject({
      preload: join(desktop.folder, 'dist/preload/preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
    });
    expect(desktop.window().webContents.url).toBe('app://barograph/');
    expect(desktop.window().done).toEqual(['show']);
  });

  test('run.json names the process, opens no port and is private', async () => {
    await desktop.start();
    const path = join(desktop.data, 'run.json');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      pid: process.pid,
      started: processStart(process.pid),
      address: null,
      socket: { path: expect.stringContaining('control.sock'), secret: expect.any(String) },
      sandbox: { url: 'http://127.0.0.1:9', key: 'svc_test_0000000000000000' },
      profile: 'sandbox',
    });
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  });

  test('a start that cannot be shows why in a dialog, and prints it', async () => {
    await desktop.start(['--profile', 'nobody']);
    expect(desktop.fake.app.exits).toEqual([2]);
    const why = '--profile nobody: there is no such profile. Profiles: sandbox.';
    expect(desktop.said).toEqual([`barograph: ${why}`]);
    expect(desktop.fake.prompts).toEqual([{ message: 'Barograph', detail: why }]);
    expect(desktop.fake.windows).toEqual([]);
  });

  test.each([
    ['a word that is neither ours nor Chromium’s', "unknown option '--proflie=a'", ['--proflie=a']],
    ['a folder that cannot be used', 'the folder cannot be used', ['--data-dir', join(import.meta.filename, 'x')]],
    ['a profile that another program has', 'in use by another program (listen', []],
  ])('the dialog waits until one can be shown: %s', async (_what, why, argv) => {
    openDataFolder(desktop.data);
    const lock = lockFolder(profileFolder(desktop.data, 'sandbox'), 'listen');
    await desktop.start(argv);
    if (lock.held) lock.release();
    expect(desktop.fake.app.exits).toEqual([2]);
    expect(desktop.fake.app.calls.at(-1)).toBe('whenReady');
    expect(desktop.fake.prompts).toEqual([{ message: 'Barograph', detail: expect.stringContaining(why) }]);
  });

  test('switches of Chromium for the display are no error', async () => {
    await desktop.start(['--ozone-platform=wayland', '--disable-gpu', '--enable-features=WaylandWindowDecorations']);
    expect(desktop.fake.windows).toHaveLength(1);
  });

  test('help is no refusal, and ends', async () => {
    const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await desktop.start(['--help']);
    print.mockRestore();
    expect([desktop.fake.app.exits, desktop.fake.prompts]).toEqual([[0], []]);
  });

  test.each(['--updated', '-Embedding', '/Embedding', '-EMBEDDING'])(
    'an argument that the system adds is ignored: %s',
    async (added) => {
      await desktop.start([added, '--hidden', '--profile', 'sandbox'], { platform: 'win32' });
      expect(desktop.fake.app.exits).toEqual([]);
      expect(desktop.fake.app.calls[0]).toBe('lock {"profile":"sandbox","link":null}');
    },
  );

  test('on Windows clicks on notifications have the same class in every version, which the uninstaller removes', async () => {
    await desktop.start([], { platform: 'win32' });
    const { calls } = desktop.fake.app;
    const [call = ''] = calls.filter((one) => one.startsWith('setToastActivatorCLSID'));
    const [, id = ''] = call.split(' ');
    expect(id).toBe('{80002B28-49A9-4074-97EF-AB42E8715F26}');
    expect(calls.indexOf(call)).toBeLessThan(calls.indexOf('whenReady'));
    const uninstaller = readFileSync(join(import.meta.dirname, '../../assets/installer.nsh'), 'utf8');
    expect(uninstaller).toContain(`DeleteRegKey HKCU "Software\\Classes\\CLSID\\${id}"`);
  });

  test.each([
    ['from an AppImage', { APPIMAGE: '/home/a/Barograph.AppImage' }, 'Install the deb or rpm package'],
    ['from elsewhere', {}, 'start it without --no-sandbox'],
  ])(
    'without the sandbox of its windows it does not run, and names the remedy: %s',
    async (_from, environment, how) => {
      desktop.fake.app.switches.push('no-sandbox');
      await desktop.start(['--no-sandbox'], { environment });
      expect(desktop.fake.app.exits).toEqual([2]);
      expect(desktop.fake.app.calls).toEqual(['whenReady']);
      expect(desktop.fake.windows).toEqual([]);
      expect(desktop.fake.prompts).toEqual([
        { message: 'Barograph', detail: expect.stringMatching(new RegExp(`does not run without the sandbox.*${how}`)) },
      ]);
    },
  );

  test('a second instance opens nothing of its own', async () => {
    openDataFolder(desktop.data);
    const lock = lockFolder(desktop.data, 'the app');
    desktop.fake = createFakeElectron(false);
    await desktop.start();
    if (lock.held) lock.release();
    expect(desktop.fake.app.exits).toEqual([0]);
    expect(desktop.fake.app.calls).not.toContain('whenReady');
    expect(existsSync(join(desktop.data, 'run.json'))).toBe(false);
  });

  test('a lock that Chromium cannot write keeps no app from running: nobody has the folder', async () => {
    desktop.fake = createFakeElectron(false);
    await desktop.start();
    expect(desktop.fake.windows).toHaveLength(1);
  });

  test('the first instance shows its window for the second', async () => {
    await desktop.start();
    desktop.window().minimized = true;
    desktop.fake.app.emit('second-instance', {}, [], '/', { profile: null });
    desktop.fake.app.emit('second-instance', {}, [], '/', { profile: 'nobody' });
    desktop.fake.app.emit('second-instance', {}, [], '/', 'nonsense');
    expect(desktop.fake.windows).toHaveLength(1);
    expect(desktop.window().done.filter((what) => what === 'focus')).toHaveLength(3);
    desktop.window().emit('closed');
    desktop.fake.app.emit('second-instance', {}, [], '/', { profile: 'sandbox' });
    expect(desktop.fake.windows).toHaveLength(2);
  });
});

describe('end', () => {
  test('a quit waits for pending work, then ends with 0 and leaves nothing behind', async () => {
    await desktop.start();
    let prevented = 0;
    const event = { preventDefault: () => prevented++ };
    desktop.fake.app.emit('will-quit', event);
    desktop.fake.app.emit('will-quit', event);
    await eventually(() => expect(desktop.fake.app.exits).toEqual([0]));
    expect(prevented).toBe(2);
    expect(desktop.closed).toBe(1);
    expect(existsSync(join(desktop.data, 'run.json'))).toBe(false);
    expect(desktop.fake.handlers.has(BRIDGE_CALL)).toBe(false);
  });

  test('a start during the end becomes the app: the lock is free once run.json is gone', async () => {
    await desktop.start();
    let wasThere: boolean | null = null;
    const { app } = desktop.fake;
    const { calls } = app;
    const push = calls.push.bind(calls);
    calls.push = (call) => {
      if (call === 'releaseSingleInstanceLock') wasThere = existsSync(join(desktop.data, 'run.json'));
      return push(call);
    };
    app.emit('will-quit', { preventDefault: () => undefined });
    expect([calls.at(-1), wasThere, app.exits]).toEqual(['releaseSingleInstanceLock', false, []]);
    await eventually(() => expect(app.exits).toEqual([0]));
  });

  test('closing the last window ends the app, because nothing else could reach it', async () => {
    await desktop.start();
    desktop.fake.app.emit('window-all-closed');
    await eventually(() => expect(desktop.fake.app.exits).toEqual([0]));
  });
});

describe('while it runs', () => {
  test('an exception that nothing catches is reported, instead of a dialog that stops the watch', async () => {
    const before = process.listeners('uncaughtException');
    await desktop.start();
    const [own, ...more] = process.listeners('uncaughtException').filter((listener) => !before.includes(listener));
    own?.(new Error('a socket broke'), 'uncaughtException');
    expect(await desktop.call('shell.read', {})).toMatchObject({
      value: { errors: [{ message: saying('Barograph failed in itself (a socket broke). Watching goes on.') }] },
    });
    expect(more).toEqual([]);
    desktop.fake.app.quit();
    await eventually(() => expect(desktop.fake.app.exits).toEqual([0]));
    expect(process.listeners('uncaughtException')).toEqual(before);
  });
});

describe('lockdown', () => {
  test('every permission is denied but that our own page writes to the clipboard', async () => {
    await desktop.start();
    const { permissions } = desktop.fake;
    const ask = (permission: string, requestingUrl: string, isMainFrame: boolean): boolean => {
      const answers: boolean[] = [];
      permissions.request?.({}, permission, (answer: boolean) => answers.push(answer), { requestingUrl, isMainFrame });
      const checked = permissions.check?.({}, permission, requestingUrl, { isMainFrame });
      expect([checked]).toEqual(answers);
      return answers[0] ?? true;
    };
    for (const permission of ['media', 'geolocation', 'notifications', 'clipboard-read', 'openExternal'])
      expect(ask(permission, 'app://barograph/', true), permission).toBe(false);
    expect(ask('clipboard-sanitized-write', 'app://barograph/', true)).toBe(true);
    expect(ask('clipboard-sanitized-write', 'app://barograph/', false)).toBe(false);
    expect(ask('clipboard-sanitized-write', 'https://attacker.example/', true)).toBe(false);
    expect(permissions.device?.({})).toBe(false);
  });

  test('only a file that an app page made is saved', async () => {
    await desktop.start();
    const stopped = (url: string): boolean => {
      let prevented = false;
      desktop.fake.session.emit('will-download', { preventDefault: () => (prevented = true) }, { getURL: () => url });
      return prevented;
    };
    expect(stopped('blob:app://barograph/4f0c')).toBe(false);
    for (const url of [
      'https://attacker.example/a.exe',
      'blob:https://attacker.example/4f0c',
      'app://barograph/x.js',
      'data:text/plain,x',
      'blob:',
    ])
      expect(stopped(url), url).toBe(true);
  });
});

describe('page', () => {
  const get = (url: string, method = 'GET') => page()({ url, method });

  test('comes with a strict policy', async () => {
    await desktop.start();
    const answer = await get('app://barograph/');
    expect(await answer.text()).toContain('Barograph');
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(answer.headers.get('content-security-policy')).not.toMatch(/unsafe|\*|http/);
    expect((await get('app://barograph/assets/a.js')).headers.get('content-type')).toBe(
      'text/javascript; charset=utf-8',
    );
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
  ])('%s is not found', async (url) => {
    await desktop.start();
    const answer = await get(url);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain('secret');
  });

  test('a page is answered to GET alone', async () => {
    await desktop.start();
    expect((await get('app://barograph/', 'POST')).status).toBe(404);
  });
});

describe('link', () => {
  const { call } = desktop;

  test('the core answers the window, and pushes to it', async () => {
    await desktop.start();
    expect(await call('state.snapshot', {})).toMatchObject({
      ok: true,
      value: { profile: { name: 'sandbox', environment: 'sandbox' } },
    });
    expect(await call('watchlist.select', { symbol: 'qqq' })).toEqual({ ok: true, value: {} });
    await eventually(() =>
      expect(
        desktop
          .window()
          .webContents.sent.some(([channel, name]) => channel === BRIDGE_PUSH && name === 'state.changed'),
      ).toBe(true),
    );
  });

  test('sender first, then name, then payload', async () => {
    await desktop.start();
    expect(await call('state.snapshot', {}, { url: 'https://attacker.example/', parent: null })).toMatchObject({
      ok: false,
      error: { code: 'refused' },
    });
    expect(await call('state.snapshot', {}, { url: 'app://barograph/', parent: {} })).toMatchObject({
      ok: false,
      error: { code: 'refused' },
    });
    expect(await call('no.such', {})).toMatchObject({ ok: false, error: { code: 'unknown_channel' } });
    expect(await call({ toString: () => 'state.snapshot' }, {})).toMatchObject({
      ok: false,
      error: { code: 'unknown_channel' },
    });
    expect(await call('watchlist.select', { symbol: 7 })).toMatchObject({ ok: false, error: { code: 'bad_input' } });
  });

  test('a page that is not ours receives nothing', async () => {
    await desktop.start();
    const contents = desktop.window().webContents;
    contents.url = 'https://attacker.example/';
    contents.sent.length = 0;
    await call('watchlist.select', { symbol: 'QQQ' });
    await call('state.snapshot', {});
    expect(contents.sent).toEqual([]);
  });
});
