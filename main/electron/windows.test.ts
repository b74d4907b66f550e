// Test: windows against a fake Electron: positions, profiles, routes, crashes, restoration.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { plainMessage, textOf } from '../../shared/text/message.ts';
import { createFakeElectron, type FakeElectron, FakeWindow } from '../../test/harness/fake-electron.ts';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { openLayoutFile } from './layout.ts';
import { createWindows, type Windows } from './windows.ts';

let folder: string;
let fake: FakeElectron;
let clock = createManualClock();
let mayClose: boolean;
let errors: string[];
let attached: string[];
/** Ends the windows of a profile, as its core does. */
let ends: (() => void)[];
let gone: string[];
let failures: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'barograph-windows-'));
  fake = createFakeElectron();
  clock = createManualClock();
  mayClose = true;
  errors = [];
  attached = [];
  ends = [];
  gone = ['gone'];
  failures = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const create = (): Windows =>
  createWindows({
    electron: fake.module,
    clock,
    link: {
      attach(_contents, core, onEnd) {
        if (onEnd !== undefined) ends.push(onEnd);
        core.attach({ push: () => undefined });
      },
      close: () => undefined,
    },
    profiles: {
      core: (profile) =>
        gone.includes(profile)
          ? null
          : {
              dispatch: async () => ({ ok: true, value: {} }),
              attach() {
                attached.push(profile);
                return () => undefined;
              },
            },
      shown: () => 'sandbox',
      failures: () => failures.map(plainMessage),
    },
    layout: openLayoutFile(folder),
    program: { built: '/built', assets: '/assets' },
    mayClose: () => mayClose,
    reportError: (found) => errors.push(textOf(found)),
  });
const nth = (index: number): FakeWindow => {
  const window = fake.windows[index];
  if (window === undefined) throw new Error(`there is no window ${index}`);
  return window;
};
const boundsOf = ({ options: { x, y, width, height } }: FakeWindow) => ({ x, y, width, height });

describe('opening', () => {
  test('a profile has one window, and more on request; one that does not run has none', async () => {
    const windows = create();
    expect(await windows.open('desk')).toBe(true);
    expect(await windows.open('desk')).toBe(true);
    expect(await windows.open('sandbox')).toBe(true);
    expect(await windows.open('gone')).toBe(false);
    expect(fake.windows).toHaveLength(2);
    expect(await windows.another('desk')).toBe(true);
    expect(await windows.another('gone')).toBe(false);
    expect(attached).toEqual(['desk', 'sandbox', 'desk']);
    expect(nth(2).options).toMatchObject({
      icon: '/assets/icons/256x256.png',
      webPreferences: { preload: '/built/preload/preload.cjs', sandbox: true },
    });
  });

  test('the last focused window comes to the front', async () => {
    const windows = create();
    await windows.open('desk');
    await windows.open('sandbox');
    nth(0).minimized = true;
    nth(0).emit('focus');
    expect(windows.front()).toBe('desk');
    await windows.bringUp('sandbox');
    expect(nth(0).done).toEqual(['show', 'restore', 'show', 'focus']);
    nth(0).close();
    expect(windows.front()).toBe('sandbox');
    nth(1).close();
    expect(windows.front()).toBeNull();
    await windows.bringUp('desk');
    expect(fake.windows).toHaveLength(3);
  });
});

describe('a page that does not finish its first load', () => {
  test('a first load is no error where its window was closed meanwhile', async () => {
    FakeWindow.page = 'hangs';
    const windows = create();
    const opened = windows.open('desk');
    nth(0).destroy();
    expect(await opened).toBe(true);
    expect([errors, windows.count()]).toEqual([[], 0]);
  });

  test('is reported, and its window is shown', async () => {
    FakeWindow.page = 'fails';
    const windows = create();
    expect(await windows.open('desk')).toBe(true);
    expect(errors).toEqual([expect.stringMatching(/^The window of desk could not be loaded \(ERR_FAILED/)]);
    expect(nth(0).done).toEqual(['show']);
    await create().restore('desk', true);
    expect(nth(1).done).toEqual(['minimize']);
  });
});

describe('the position', () => {
  test('is remembered, and two windows are not at one position', async () => {
    const first = create();
    await first.open('desk');
    await first.another('desk');
    expect(nth(0).bounds).toEqual({ x: 240, y: 90, width: 1440, height: 900 });
    expect(nth(1).bounds).toEqual({ x: 268, y: 118, width: 1440, height: 900 });
    nth(0).bounds = { x: 10, y: 20, width: 1000, height: 700 };
    nth(1).maximized = true;
    nth(0).emit('move');
    await clock.advance(600);
    first.end();
    for (const window of fake.windows) window.destroy();
    const again = create();
    await again.restore('desk', false);
    expect(fake.windows.slice(2).map(boundsOf)).toContainEqual({ x: 10, y: 20, width: 1000, height: 700 });
    expect(
      fake.windows
        .slice(2)
        .map(({ maximized }) => maximized)
        .sort(),
    ).toEqual([false, true]);
  });

  test('on a missing screen is discarded', async () => {
    fake.displays.push({ id: 2, workArea: { x: 1920, y: 0, width: 1920, height: 1080 } });
    const first = create();
    await first.open('desk');
    nth(0).bounds = { x: 2000, y: 50, width: 900, height: 700 };
    first.end();
    await create().restore('desk', false);
    expect(boundsOf(nth(1))).toMatchObject({ x: 2000, y: 50 });
    fake.displays.pop();
    await create().restore('desk', false);
    expect(boundsOf(nth(2))).toEqual({ x: 510, y: 190, width: 900, height: 700 });
  });

  test('of a closed window is reused; windows open at the end open again, the requested one in front', async () => {
    const first = create();
    await first.open('other');
    await first.open('desk');
    await first.open('sandbox');
    nth(0).bounds = { x: 5, y: 6, width: 700, height: 600 };
    nth(0).close();
    first.end();
    for (const window of fake.windows.slice(1)) window.close();
    const again = create();
    await again.restore('desk', false);
    expect(attached.slice(3)).toEqual(['sandbox', 'desk']);
    await again.open('other');
    expect(boundsOf(nth(5))).toEqual({ x: 5, y: 6, width: 700, height: 600 });
  });

  test.each([
    'no json',
    '{"version":1,"open":[{"profile":"desk","bounds":{"x":"left"}}],"closed":[]}',
    '{"version":9}',
  ])('a file with %s does no harm', async (text) => {
    writeFileSync(join(folder, 'windows.json'), text);
    const windows = create();
    await windows.restore('desk', false);
    expect(fake.windows).toHaveLength(1);
    windows.end();
    const path = join(folder, 'windows.json');
    expect(JSON.parse(readFileSync(path, 'utf8')).open).toHaveLength(1);
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  });

  test('a window that opens at login is minimized', async () => {
    await create().restore('desk', true);
    expect(nth(0).done).toEqual(['minimize']);
  });
});

describe('closing', () => {
  test('the last window alone asks first, and the answer applies', async () => {
    const windows = create();
    await windows.open('desk');
    await windows.open('sandbox');
    mayClose = false;
    nth(0).close();
    expect(nth(0).closed).toBe(true);
    nth(1).close();
    expect(nth(1).closed).toBe(false);
    expect(windows.count()).toBe(1);
  });

  test('there is no question when the app ends', async () => {
    const windows = create();
    await windows.open('desk');
    mayClose = false;
    windows.end();
    nth(0).close();
    expect(nth(0).closed).toBe(true);
  });
});

describe('the end of a profile', () => {
  test('closes its window; the last window is replaced by one of a running profile', async () => {
    const windows = create();
    await windows.open('desk');
    await windows.open('other');
    gone.push('other', 'desk');
    ends[1]?.();
    await expect.poll(() => windows.count()).toBe(1);
    expect(windows.front()).toBe('desk');
    ends[0]?.();
    await expect.poll(() => windows.front()).toBe('sandbox');
    await expect.poll(() => windows.count()).toBe(1);
    expect(nth(2).done).toContain('show');
  });

  test('that was restarted opens a window of the new runtime', async () => {
    const windows = create();
    await windows.open('desk');
    ends[0]?.();
    await expect.poll(() => attached).toEqual(['desk', 'desk']);
    await expect.poll(() => windows.count()).toBe(1);
    expect(windows.front()).toBe('desk');
  });

  test('opens a window with the reasons why nothing runs, in the same position, until a profile runs', async () => {
    const windows = create();
    await windows.open('desk');
    nth(0).bounds = { x: 10, y: 20, width: 1000, height: 700 };
    await windows.another('desk');
    failures = ['desk cannot be watched. no <folder>'];
    gone.push('desk', 'sandbox');
    for (const end of ends) end();
    await expect.poll(() => windows.count()).toBe(1);
    expect([nth(0).closed, nth(1).closed, fake.windows.length]).toEqual([true, true, 3]);
    expect(nth(2).options.webPreferences).not.toHaveProperty('preload');
    expect(decodeURIComponent(nth(2).webContents.url)).toContain('desk cannot be watched. no &lt;folder&gt;');
    mayClose = false;
    nth(2).close();
    expect(nth(2).closed).toBe(false);
    await windows.bringUp('sandbox');
    expect(nth(2).done).toContain('focus');
    failures = ['another reason'];
    await windows.refresh();
    expect(decodeURIComponent(nth(2).webContents.url)).toContain('another reason');
    expect(attached).toEqual(['desk', 'desk']);
    gone = [];
    await Promise.all([windows.refresh(), windows.refresh()]);
    expect([nth(2).closed, windows.count(), windows.front()]).toEqual([true, 1, 'desk']);
    expect(nth(3).webContents.url).toBe('app://barograph/');
    await windows.refresh();
    expect(fake.windows).toHaveLength(4);
  });

  test('a closed window with the reasons comes back when the user asks, and is replaced once a profile runs', async () => {
    const windows = create();
    gone.push('desk', 'sandbox');
    await windows.bringUp('desk');
    nth(0).close();
    expect(windows.count()).toBe(0);
    await windows.bringUp('desk');
    expect(windows.count()).toBe(1);
    gone = ['desk'];
    await windows.refresh();
    expect([nth(1).closed, windows.front()]).toEqual([true, 'sandbox']);
  });
});

describe('a crash', () => {
  const crash = (window: FakeWindow, reason = 'crashed'): void =>
    void window.webContents.emit('render-process-gone', {}, { reason, exitCode: 1 });

  test('reloads the page once, and is reported', async () => {
    await create().open('desk');
    crash(nth(0), 'clean-exit');
    expect(nth(0).webContents.reloads).toBe(0);
    crash(nth(0));
    expect(nth(0).webContents.reloads).toBe(1);
    expect(errors).toEqual(['The window of desk crashed (crashed) and was loaded again. Watching went on.']);
    await clock.advance(61_000);
    crash(nth(0), 'oom');
    expect(nth(0).webContents.reloads).toBe(2);
  });

  test('right after another crash closes the window instead of looping', async () => {
    const windows = create();
    await windows.open('desk');
    mayClose = false;
    crash(nth(0));
    crash(nth(0));
    expect(nth(0)).toMatchObject({ closed: true });
    expect(nth(0).webContents.reloads).toBe(1);
    expect(errors[1]).toContain('crashed again');
    expect(await windows.open('desk')).toBe(true);
    expect(fake.windows).toHaveLength(2);
  });
});
