// Test: starting at login: the entry of each system, written, read, removed.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFakeElectron, type FakeElectron } from '../../test/harness/fake-electron.ts';
import { saying } from '../../test/harness/saying.ts';
import { autostartEntry, createLoginItem } from './login-item.ts';

let home: string;
let fake: FakeElectron;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'barograph-login-'));
  fake = createFakeElectron();
  fake.app.isPackaged = true;
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const create = (platform: NodeJS.Platform, environment: NodeJS.ProcessEnv = { HOME: home }) =>
  createLoginItem({ app: fake.module.app, platform, environment, execPath: '/opt/Barograph/barograph' });

describe('Linux', () => {
  const entry = (): string => join(home, '.config/autostart/app.barograph.desktop.desktop');

  test('an entry of the desktop is written, and removed', () => {
    const item = create('linux');
    expect(item.isOn()).toBe(false);
    item.set(true);
    expect(item.isOn()).toBe(true);
    expect(readFileSync(entry(), 'utf8')).toBe(
      [
        '[Desktop Entry]',
        'Type=Application',
        'Name=Barograph',
        'Comment=Monitor for market-risk signals',
        'Exec="/opt/Barograph/barograph" --hidden',
        'Icon=barograph',
        'Terminal=false',
        'X-GNOME-Autostart-enabled=true',
        '',
      ].join('\n'),
    );
    item.set(false);
    item.set(false);
    expect(existsSync(entry())).toBe(false);
  });

  test('an AppImage starts by its own path, because the inner path changes at every start', () => {
    create('linux', { XDG_CONFIG_HOME: join(home, 'config'), APPIMAGE: '/home/u/Apps/Barograph.AppImage' }).set(true);
    expect(readFileSync(join(home, 'config/autostart/app.barograph.desktop.desktop'), 'utf8')).toContain(
      'Exec="/home/u/Apps/Barograph.AppImage" --hidden\n',
    );
  });

  test.each([
    ['/a b/x', '"/a b/x"'],
    ['/100%/x', '"/100%%/x"'],
    ['/$(id)/`x`', '"/\\\\$(id)/\\\\`x\\\\`"'],
    ['/a"; rm -rf /; "', '"/a\\\\"; rm -rf /; \\\\""'],
  ])('%s stays one argument', (path, written) => {
    expect(autostartEntry(path)).toContain(`Exec=${written} --hidden\n`);
  });

  test('without a home folder the entry cannot be written', () => {
    expect(create('linux', {}).unavailableReason).toEqual(saying(/no home folder/));
  });
});

test('Windows stores the entry with the flag, macOS without', () => {
  create('win32').set(true);
  create('darwin').set(false);
  expect(fake.app.login).toEqual([{ openAtLogin: true, args: ['--hidden'] }, { openAtLogin: false }]);
  expect(create('darwin').isOn()).toBe(true);
});

test('a program that runs from its sources does not start at login', () => {
  fake.app.isPackaged = false;
  const item = create('linux');
  item.set(true);
  expect(item).toMatchObject({ unavailableReason: saying(/from its sources/) });
  expect(item.isOn()).toBe(false);
});
