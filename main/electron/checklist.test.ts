// Test: every item of the security checklist in Electron's documentation, on shell and sources.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { setUpDesktop } from '../../test/harness/fake-start.ts';

const TOP = join(import.meta.dirname, '../..');
const desktop = setUpDesktop();
const sources = ['main/electron', 'preload'].flatMap((folder) =>
  readdirSync(join(TOP, folder))
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|^fake-/.test(name))
    .map((name) => readFileSync(join(TOP, folder, name), 'utf8')),
);
const code = sources.join('\n').replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, '');
const preferences = () => desktop.window().options.webPreferences ?? {};
const page = (url: string) => desktop.fake.pages.get('app')?.({ url, method: 'GET' });
const isStopped = (event: string, details: object): boolean => {
  let stopped = false;
  desktop.window().webContents.emit(event, {
    ...details,
    preventDefault() {
      stopped = true;
    },
  });
  return stopped;
};

beforeEach(() => desktop.start());

describe('the checklist', () => {
  test('1: only secure content is loaded: the app’s own files, under a scheme that counts as secure', () => {
    expect(desktop.window().webContents.url).toBe('app://barograph/');
    expect(desktop.fake.schemes).toEqual([
      { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
    ]);
    // The second call loads text of the app's own, without a script: why no profile runs (failure-page.ts).
    expect(code.match(/loadURL\(/g)).toHaveLength(2);
    expect(code.match(/`data:[^`]*`/g)).toEqual([expect.stringMatching(/^`data:text\/html;charset=utf-8,/)]);
    expect(code).not.toMatch(/loadFile\(/);
  });
  test('2: pages have no Node integration', () => {
    expect(preferences()).toMatchObject({
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
    });
  });
  test('3: context isolation is on', () => {
    expect(preferences().contextIsolation).toBe(true);
  });
  test('4: every window is sandboxed, from before the app is ready', () => {
    expect(preferences().sandbox).toBe(true);
    expect(desktop.fake.app.calls).toContain('enableSandbox');
    expect(desktop.fake.app.calls.indexOf('enableSandbox')).toBeLessThan(desktop.fake.app.calls.indexOf('whenReady'));
  });
  const OWN = { requestingUrl: 'app://barograph/', isMainFrame: true };
  test('5: permissions are denied, by request, by check and by device', () => {
    for (const permission of [
      'media',
      'geolocation',
      'notifications',
      'openExternal',
      'clipboard-read',
      'fileSystem',
    ]) {
      const answers: unknown[] = [];
      desktop.fake.permissions.request?.({}, permission, (answer: unknown) => answers.push(answer), OWN);
      expect(answers, permission).toEqual([false]);
      expect(desktop.fake.permissions.check?.({}, permission, OWN.requestingUrl, OWN), permission).toBe(false);
    }
    expect(desktop.fake.permissions.device?.({ deviceType: 'usb' })).toBe(false);
  });
  test('6: web security is on, and no switch turns it off', () => {
    expect(preferences().webSecurity).toBe(true);
    expect(code).not.toMatch(/webSecurity: false|disable-web-security|appendSwitch/);
  });
  test('7: every response has a content policy, error responses too', async () => {
    for (const url of ['app://barograph/', 'app://barograph/nothing.js', 'app://elsewhere/']) {
      const policy = (await page(url))?.headers.get('content-security-policy') ?? '';
      expect(policy, url).toMatch(/^default-src 'none'; script-src 'self';/);
      expect(policy, url).not.toMatch(/unsafe|\*|https?:/);
    }
  });
  test('8: no insecure content', () => {
    expect(preferences().allowRunningInsecureContent).toBe(false);
  });
  test('9: experimental features are off', () => {
    expect(preferences().experimentalFeatures).toBe(false);
  });
  test('10: no Blink features are enabled', () => {
    expect(preferences()).not.toHaveProperty('enableBlinkFeatures');
    expect(code).not.toMatch(/enable-features|enable-blink-features/);
  });
  test('11 and 12: there are no web views, and none can be attached', () => {
    expect(preferences().webviewTag).toBe(false);
    expect(isStopped('will-attach-webview', {})).toBe(true);
  });
  test('13: no page leaves its address', () => {
    for (const url of [
      'https://attacker.example/',
      'file:///etc/passwd',
      'app://barograph.attacker.example/',
      'data:text/html,x',
      'about:blank',
    ])
      for (const event of ['will-navigate', 'will-redirect', 'will-frame-navigate'])
        expect(isStopped(event, { url, isMainFrame: true }), url).toBe(true);
    expect(isStopped('will-navigate', { url: 'app://barograph/' })).toBe(false);
    expect(isStopped('will-frame-navigate', { url: 'app://barograph/', isMainFrame: false })).toBe(true);
  });
  test('14: no page opens a window', () => {
    for (const url of ['about:blank', 'app://barograph/', 'https://www.tradingview.com/'])
      expect(desktop.window().webContents.openHandler?.({ url })).toEqual({ action: 'deny' });
    expect(desktop.fake.windows).toHaveLength(1);
  });
  test('15: only https addresses of known hosts open outside, and not a hundred at once', () => {
    const open = desktop.window().webContents.openHandler;
    for (const url of [
      'file:///bin/sh',
      'javascript:1',
      'http://www.tradingview.com/',
      'https://attacker.example/',
      'barograph://alert/1',
      'smb://x/y',
    ])
      open?.({ url });
    expect(desktop.fake.opened).toEqual([]);
    for (let time = 0; time < 100; time++) open?.({ url: 'https://www.tradingview.com/' });
    expect(desktop.fake.opened).toEqual(['https://www.tradingview.com/']);
    expect(code.match(/openExternal\(/g)).toHaveLength(1);
  });
  test('16: Electron is a supported version', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(TOP, 'package.json'), 'utf8'));
    const installed = JSON.parse(readFileSync(join(TOP, 'node_modules/electron/package.json'), 'utf8')).version;
    expect(Number.parseInt(installed, 10)).toBeGreaterThanOrEqual(45);
    expect(devDependencies.electron).toMatch(/^\^/);
  });
  test('17: the sender of a message is checked first', async () => {
    for (const frame of [
      { url: 'https://attacker.example/', parent: null },
      { url: 'app://barograph/', parent: {} },
      { url: 'app://user@barograph/', parent: null },
      { url: 'file:///app/index.html', parent: null },
    ])
      expect(await desktop.call('shell.save', { close_to_tray: true }, frame)).toMatchObject({
        ok: false,
        error: { code: 'refused' },
      });
    expect(code.match(/ipcMain\.(on|handle|once|handleOnce)\(/g)).toHaveLength(1);
  });
  test('18: nothing is loaded from file://', () => {
    expect(code).not.toMatch(/file:\/\//);
  });
  test('19: every fuse is set', () => {
    const { electronFuses: fuses } = parse(readFileSync(join(TOP, 'electron-builder.yml'), 'utf8'));
    expect(fuses).toEqual({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      enableCookieEncryption: true,
      grantFileProtocolExtraPrivileges: false,
    });
  });
  test('20: pages get no Electron API: one object with two functions', () => {
    expect(code.match(/exposeInMainWorld\(/g)).toHaveLength(1);
    expect(code).not.toMatch(/executeJavaScript|insertCSS|@electron\/remote|enableRemoteModule|openDevTools/);
  });
});

test('requests of the core use Chromium’s network in a session of their own; no page shares it', () => {
  expect(desktop.fake.partitions).toEqual([['barograph-net', { cache: false }]]);
  expect(preferences()).not.toHaveProperty('partition');
});
