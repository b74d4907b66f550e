// Test: the desktop shell on a fake Electron: links, starts, login, tray, switches, shutdown.
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { BRIDGE_PUSH } from '../../shared/channels/bridge.ts';
import { createClock } from '../../shared/lib/clock.ts';
import { ok } from '../../shared/lib/result.ts';
import { eventually } from '../../test/harness/eventually.ts';
import { createFakeElectron, FakeTray, FakeWindow } from '../../test/harness/fake-electron.ts';
import { setUpDesktop } from '../../test/harness/fake-start.ts';
import { IS_WHOLE } from '../../test/harness/run-length.ts';
import { saying } from '../../test/harness/saying.ts';
import { createServiceStart } from '../../test/harness/service-start.ts';
import { DEFAULT_SETTINGS, type Settings } from '../core/profiles/settings.ts';
import { listenControl } from '../host/control-socket.ts';
import { openDataFolder } from '../host/data-folder.ts';
import { lockFolder } from '../host/folder-lock.ts';
import { writeRunFile } from '../host/run-file.ts';

const desktop = setUpDesktop();
/** A system with a tray, which needs no bus. */
const onWindows = { platform: 'win32' } as const;

const settingsFile = (): string => join(desktop.data, 'settings.json');
const writeSettings = (change: Partial<Settings>): void => {
  mkdirSync(desktop.data, { recursive: true, mode: 0o700 });
  writeFileSync(settingsFile(), JSON.stringify({ ...DEFAULT_SETTINGS, ...change }));
};
/** Two profiles: the sandbox inside the app, and a service that does not answer. */
const withProduction = (): void =>
  writeSettings({
    profiles: [
      ...DEFAULT_SETTINGS.profiles,
      { name: 'desk', environment: 'production', baseUrl: 'https://service.invalid', mode: 'auto', enabled: true },
    ],
  });
const routesOf = (index = 0): unknown[] =>
  desktop
    .window(index)
    .webContents.sent.flatMap(([channel, name, route]) =>
      channel === BRIDGE_PUSH && name === 'route.requested' ? [route] : [],
    );
/** Requests the snapshot, as a loaded page does. */
const requestSnapshot = () => desktop.call('state.snapshot', {});
const secondStart = (additionalData: unknown): void =>
  void desktop.fake.app.emit('second-instance', {}, [], '/', additionalData);

describe('a link', () => {
  test('that starts the app waits until its window listens', async () => {
    await desktop.start(['barograph://symbol/QQQ']);
    expect(desktop.fake.windows).toHaveLength(1);
    expect(routesOf()).toEqual([]);
    await requestSnapshot();
    await eventually(() => expect(routesOf()).toEqual([{ page: 'watch', item: 'QQQ' }]));
  });

  test('that arrives while it runs is shown at once, in the existing window', async () => {
    await desktop.start();
    await requestSnapshot();
    await new Promise(setImmediate);
    secondStart({ profile: null, link: 'barograph://alert/12' });
    desktop.fake.app.emit('open-url', { preventDefault: () => undefined }, 'barograph://briefing/brf_1');
    await eventually(() =>
      expect(routesOf()).toEqual([
        { page: 'alerts', item: '12' },
        { page: 'briefings', item: 'brf_1' },
      ]),
    );
    expect(desktop.fake.windows).toHaveLength(1);
    expect(desktop.window().done.filter((what) => what === 'focus').length).toBeGreaterThan(1);
  });

  test('opens its route; unknown parameters are dropped', async () => {
    await desktop.start(['barograph://symbol/SPY', '--data-dir', '/tmp/elsewhere', '--profile', 'nobody']);
    expect(desktop.fake.app.exits).toEqual([]);
    expect(desktop.fake.app.paths.userData).toBe(join(desktop.data, 'electron'));
  });

  test('that is invalid is refused, counted and reported, and opens nothing', async () => {
    await desktop.start(['barograph://acknowledge/12']);
    secondStart({ profile: null, link: 'barograph://alert/12?do=acknowledge' });
    await requestSnapshot();
    await new Promise(setImmediate);
    expect(routesOf()).toEqual([]);
    expect(desktop.said.filter((line) => line.includes('A link was refused'))).toEqual([
      expect.stringContaining('(1 in this run)'),
      expect.stringContaining('(2 in this run)'),
    ]);
  });

  test('for a profile opens its window, but only for a running one', async () => {
    withProduction();
    await desktop.start();
    secondStart({ profile: null, link: 'barograph://symbol/SPY?profile=desk' });
    await eventually(() => expect(desktop.fake.windows).toHaveLength(2));
    secondStart({ profile: null, link: 'barograph://symbol/SPY?profile=nobody' });
    await eventually(() => expect(desktop.said.some((line) => line.includes('does not run here'))).toBe(true));
    expect(desktop.fake.windows).toHaveLength(2);
  });

  test('is passed by a second start to the first', async () => {
    await desktop.start(['--profile', 'sandbox', 'barograph://symbol/SPY']);
    expect(desktop.fake.app.calls).toContain('lock {"profile":"sandbox","link":"barograph://symbol/SPY"}');
  });

  test('is registered on Windows by the installed app', async () => {
    desktop.fake.app.isPackaged = true;
    await desktop.start([], onWindows);
    expect(desktop.fake.app.calls).toContain('setAsDefaultProtocolClient barograph');
    expect(desktop.fake.app.calls).toContain('setAppUserModelId app.barograph.desktop');
  });
});

describe('at login', () => {
  test('with a tray no window opens until the user asks', async () => {
    await desktop.start(['--hidden'], onWindows);
    expect(desktop.fake.windows).toEqual([]);
    expect(FakeTray.all).toHaveLength(1);
    FakeTray.all[0]?.emit('click');
    await eventually(() => expect(desktop.fake.windows).toHaveLength(1));
  });

  test('without a tray the window is minimized', async () => {
    await desktop.start(['--hidden']);
    expect(FakeTray.all).toEqual([]);
    expect(desktop.window().done).toEqual(['minimize']);
  });

  test('a second start shows a window in any case', async () => {
    await desktop.start(['--hidden'], onWindows);
    secondStart('nonsense');
    await eventually(() => expect(desktop.fake.windows).toHaveLength(1));
  });

  test('a second start that comes while the app opens shows a window, and its link, once there can be one', async () => {
    const started = desktop.start(['--hidden'], onWindows);
    secondStart({ profile: null, link: 'barograph://symbol/QQQ' });
    await started;
    await eventually(() => expect(desktop.fake.windows).toHaveLength(1));
    await requestSnapshot();
    await eventually(() => expect(routesOf()).toEqual([{ page: 'watch', item: 'QQQ' }]));
  });

  test('a Mac reports how it was started', async () => {
    desktop.fake.app.openedAtLogin = true;
    await desktop.start([], { platform: 'darwin' });
    expect(desktop.fake.windows).toEqual([]);
    desktop.fake.app.emit('activate');
    await eventually(() => expect(desktop.fake.windows).toHaveLength(1));
  });
});

describe('a second start', () => {
  test('for a profile that it added shows a window at once, and that of the profile when it runs', {
    tags: ['long'],
  }, async () => {
    await desktop.start();
    withProduction();
    secondStart({ profile: 'desk', link: null });
    expect(desktop.window().done).toContain('focus');
    await eventually(() => expect(desktop.fake.windows).toHaveLength(2));
  });

  test('for live prices adds their profile and names it to the first', async () => {
    openDataFolder(desktop.data);
    const lock = lockFolder(desktop.data, 'the app');
    desktop.fake = createFakeElectron(false);
    await desktop.start(['--feed', 'binance']);
    if (lock.held) lock.release();
    expect(desktop.fake.app.exits).toEqual([0]);
    expect(desktop.fake.app.calls).toContain('lock {"profile":"binance","link":null}');
    const { profiles }: Settings = JSON.parse(readFileSync(settingsFile(), 'utf8'));
    expect(profiles.map(({ name }) => name)).toEqual(['sandbox', 'binance']);
  });
});

describe('a start beside the app in a browser', () => {
  const stops: (() => void)[] = [];
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
  });

  /** Starts the app in a browser over the folder. @returns the address of its window */
  const runBrowserApp = async (): Promise<string> => {
    openDataFolder(desktop.data);
    const lock = lockFolder(desktop.data, 'the app');
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const control = listenControl(
      {
        dataFolder: desktop.data,
        clock: createClock({ now: Date.now, setTimeout, clearTimeout }),
        call: async () => ({ ok: true, value: {} }),
        openWindow: () => ok(`${address}#t=token`),
      },
      (error) => {
        throw error;
      },
    );
    stops.push(
      control.close,
      () => void server.close(),
      () => lock.held && lock.release(),
    );
    writeRunFile(desktop.data, {
      pid: process.pid,
      started: null,
      address,
      socket: control.address,
      sandbox: null,
      profile: 'sandbox',
    });
    return `${address}#t=token`;
  };

  test('opens a window of that one, by a private file, and ends with 0', async () => {
    const address = await runBrowserApp();
    await desktop.start();
    expect(desktop.fake.app.exits).toEqual([0]);
    expect(desktop.fake.windows).toEqual([]);
    const [page = ''] = desktop.fake.opened;
    expect(readFileSync(page, 'utf8')).toContain(JSON.stringify(address));
    expect((statSync(page).mode & 0o777).toString(8)).toBe('600');
    expect(desktop.said).toEqual([`barograph: Barograph is running already (process ${process.pid}).`]);
  });

  test('at login opens no window', async () => {
    await runBrowserApp();
    await desktop.start(['--hidden']);
    expect(desktop.fake.app.exits).toEqual([0]);
    expect(desktop.fake.opened).toEqual([]);
  });
});

describe('closing the last window', () => {
  test('with a tray asks once, then continues', async () => {
    await desktop.start([], onWindows);
    desktop.window().close();
    await eventually(() => expect(desktop.window().closed).toBe(true));
    expect(desktop.fake.prompts).toHaveLength(1);
    expect(desktop.fake.app.exits).toEqual([]);
    expect(JSON.parse(readFileSync(settingsFile(), 'utf8')).shell).toEqual({
      closeToTray: true,
      checkForUpdates: false,
    });
    secondStart({ profile: null, link: null });
    await eventually(() => expect(desktop.fake.windows).toHaveLength(2));
    desktop.window(1).close();
    expect(desktop.window(1).closed).toBe(true);
    expect(desktop.fake.prompts).toHaveLength(1);
    expect(desktop.fake.app.exits).toEqual([]);
  });

  test('without a tray asks where production is monitored', async () => {
    withProduction();
    await desktop.start();
    desktop.window().close();
    await eventually(() => expect(desktop.window().done).toContain('minimize'));
    expect(desktop.window().closed).toBe(false);
    desktop.fake.answer = 1;
    desktop.window().close();
    await eventually(() => expect(desktop.fake.app.exits).toEqual([0]));
  });
});

test('the first window is there while the service inside the app starts, and says so', async () => {
  await desktop.start([], { whileStarting: () => createServiceStart() });
  expect(desktop.fake.windows).toHaveLength(1);
  expect(await requestSnapshot()).toMatchObject({
    value: { connection: { outage: { cause: { code: 'service.starting' } } } },
  });
});

describe('the only profile, where it cannot be opened,', () => {
  const mine = (folder: string): void =>
    writeSettings({
      profiles: [
        {
          name: 'mine',
          environment: 'production',
          baseUrl: null,
          mode: 'auto',
          enabled: true,
          prices: { folder, editorial: null, replay: null },
        },
      ],
      shell: { closeToTray: false, checkForUpdates: false },
    });
  const textOfWindow = (index: number): string => decodeURIComponent(desktop.window(index).webContents.url);
  const isOpen = (index: number): boolean => desktop.fake.windows[index]?.closed === false;

  test.each(IS_WHOLE ? (['linux', 'win32'] as const) : (['linux'] as const))(
    'keeps a window that says so until it runs again (%s)',
    async (platform) => {
      mine('/prices');
      await desktop.start([], {
        platform,
        whileStarting({ prices }) {
          if (prices?.folder !== '/prices') throw new Error(`there are no prices in ${prices?.folder}`);
        },
      });
      mine('/gone/<away>');
      await expect.poll(() => desktop.window().closed, { timeout: 10_000 }).toBe(true);
      expect(desktop.fake.app.exits).toEqual([]);
      expect(desktop.fake.windows).toHaveLength(2);
      expect(isOpen(1)).toBe(true);
      expect(desktop.window(1).options.webPreferences).toEqual({
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        javascript: false,
      });
      expect(textOfWindow(1)).toContain('mine cannot be watched. there are no prices in /gone/&lt;away&gt;');
      secondStart({ profile: null, link: null });
      await eventually(() => expect(desktop.window(1).done).toContain('focus'));
      mine('/gone/elsewhere');
      await expect.poll(() => textOfWindow(1), { timeout: 10_000 }).toContain('there are no prices in /gone/elsewhere');
      mine('/prices');
      await expect.poll(() => desktop.window(1).closed, { timeout: 10_000 }).toBe(true);
      expect(desktop.fake.windows).toHaveLength(3);
      expect(isOpen(2)).toBe(true);
      expect(desktop.window(2).webContents.url).toBe('app://barograph/');
      expect(desktop.fake.app.exits).toEqual([]);
    },
    40_000,
  );

  test('an app whose only profile cannot be opened does not end without a question', { tags: ['long'] }, async () => {
    let isAway = false;
    mine('/prices');
    await desktop.start([], {
      whileStarting() {
        if (isAway) throw new Error('away');
      },
    });
    isAway = true;
    mine('/gone/away');
    await expect.poll(() => isOpen(1), { timeout: 10_000 }).toBe(true);
    await expect.poll(() => desktop.window().closed).toBe(true);
    desktop.window(1).close();
    await eventually(() => expect(desktop.window(1).done).toContain('minimize'));
    expect(desktop.fake.prompts).toHaveLength(1);
    desktop.fake.answer = 1;
    desktop.window(1).close();
    await eventually(() => expect(desktop.fake.app.exits).toEqual([0]));
  });
});

describe('without a window', () => {
  test('a page that did not finish its first load ends nothing', async () => {
    FakeWindow.page = 'hangs';
    const started = desktop.start([], onWindows);
    await eventually(() => expect(desktop.fake.windows).toHaveLength(1));
    FakeWindow.page = 'loads';
    desktop.window().destroy();
    await started;
    expect(desktop.fake.app.exits).toEqual([]);
    secondStart({ profile: null, link: null });
    await eventually(() => expect(desktop.fake.windows).toHaveLength(2));
  });

  test('a production profile goes on after two crashes, also where closing the window ends the app', async () => {
    withProduction();
    writeSettings({
      profiles: JSON.parse(readFileSync(settingsFile(), 'utf8')).profiles,
      shell: { closeToTray: false, checkForUpdates: false },
    });
    await desktop.start([], onWindows);
    for (let crash = 0; crash < 2; crash += 1)
      desktop.window().webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
    expect([desktop.window().closed, FakeTray.all[0]?.destroyed]).toEqual([true, false]);
    secondStart({ profile: null, link: null });
    await eventually(() => expect(desktop.fake.windows).toHaveLength(2));
    expect(desktop.fake.app.exits).toEqual([]);
    desktop.window(1).close();
    await eventually(() => expect(desktop.fake.app.exits).toEqual([0]));
  });
});

describe('switches', () => {
  test('are stored, refused where the system lacks them, and every window receives a change', async () => {
    await desktop.start([], onWindows);
    expect(await desktop.call('shell.read', {})).toMatchObject({
      ok: true,
      value: {
        kind: 'desktop',
        start_at_login: { can: false, why: saying(/from its sources/) },
        close_to_tray: { can: true, on: false },
        check_for_updates: { can: false, why: saying(/no update address/) },
        update: { status: 'unknown' },
        errors: [],
      },
    });
    expect(await desktop.call('shell.save', { close_to_tray: true, start_at_login: true })).toMatchObject({
      ok: false,
      error: { code: 'refused' },
    });
    expect(existsSync(settingsFile()) && JSON.parse(readFileSync(settingsFile(), 'utf8')).shell).toBeFalsy();
    expect(await desktop.call('shell.save', { close_to_tray: true })).toMatchObject({ ok: true });
    expect(await desktop.call('shell.read', {})).toMatchObject({ value: { close_to_tray: { on: true } } });
    expect(desktop.window().webContents.sent.some(([, name]) => name === 'shell.changed')).toBe(true);
    expect(await desktop.call('shell.save', { close_to_tray: 'yes' })).toMatchObject({ error: { code: 'bad_input' } });
    expect(await desktop.call('shell.update', { act: 'install' })).toMatchObject({
      ok: false,
      error: { code: 'refused' },
    });
  });

  test('a crash and a lost helper process are reported among the errors of the app', async () => {
    await desktop.start();
    desktop.window().webContents.emit('render-process-gone', {}, { reason: 'oom', exitCode: 1 });
    desktop.fake.app.emit('child-process-gone', {}, { type: 'GPU', reason: 'crashed' });
    desktop.fake.app.emit('child-process-gone', {}, { type: 'Utility', reason: 'clean-exit' });
    expect(await desktop.call('shell.read', {})).toMatchObject({
      value: {
        errors: [
          { message: saying('A helper process ended (GPU, crashed). Watching goes on.') },
          { message: saying('The window of sandbox crashed (oom) and was loaded again. Watching went on.') },
        ],
      },
    });
    expect(desktop.fake.app.exits).toEqual([]);
  });
});

describe('events of the system', () => {
  test('the service inside the app asks for the proxy that the proxy file of the system names', async () => {
    desktop.fake.proxyOf = (url) => (url.startsWith('wss://stream.') ? 'PROXY proxy.example:8080; DIRECT' : 'DIRECT');
    await desktop.start();
    expect(await desktop.findProxy('wss://stream.example/ws')).toMatchObject({ url: 'http://proxy.example:8080' });
    expect(await desktop.findProxy('https://rest.example/')).toMatchObject({ kind: 'direct' });
  });

  test('after a wake and an unlocked screen the core answers', async () => {
    await desktop.start();
    desktop.fake.power.emit('resume');
    desktop.fake.power.emit('unlock-screen');
    expect(await requestSnapshot()).toMatchObject({ ok: true });
  });
});
