// Test: opening a window never shows its address in a process list; small programs act as browsers.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClock } from '../../shared/lib/clock.ts';
import { deleteExpiredPages, TOKEN_LIFE } from '../host/launch-page.ts';
import { findChromium, openWindow } from './open-window.ts';

const ADDRESS = 'http://127.0.0.1:4780/#t=secret-token</script>';
let folder: string;
let data: string;
/** Pending timers. */
let due: { ms: number; job: () => void }[];
const clock = createClock<number>({
  now: Date.now,
  setTimeout: (job, ms) => due.push({ ms, job }),
  clearTimeout: (handle) => {
    due[handle - 1] = { ms: 0, job: () => undefined };
  },
});

beforeEach(() => {
  due = [];
  folder = mkdtempSync(join(tmpdir(), 'barograph-window-'));
  data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** A browser on the PATH that records its arguments and environment. */
function browser(name: string, code: number): void {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" > ${folder}/args\nenv > ${folder}/env\nexit ${code}\n`);
  chmodSync(path, 0o755);
}
const open = (environment: NodeJS.ProcessEnv) =>
  openWindow(ADDRESS, { platform: 'linux', environment, clock, folder: data });
const withDisplay = (): NodeJS.ProcessEnv => ({
  DISPLAY: ':7',
  PATH: `${folder}:/bin:/usr/bin`,
  BAROGRAPH_KEY: 'svc_test_x',
});

test('a Chromium opens a private file in app mode; the token is in no argument', async () => {
  browser('chromium', 0);
  expect(await open(withDisplay())).toBe('app');
  const args = readFileSync(join(folder, 'args'), 'utf8').trim();
  expect(args).toMatch(/^--app=file:\/\/\S+\/barograph\.html$/);
  expect(args).not.toContain('secret-token');
  expect(readFileSync(join(folder, 'env'), 'utf8')).not.toContain('BAROGRAPH_KEY');
  const file = fileURLToPath(args.slice('--app='.length));
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  expect((statSync(dirname(file)).mode & 0o777).toString(8)).toBe('700');
  const html = readFileSync(file, 'utf8');
  expect(html).toContain('location.replace("http://127.0.0.1:4780/#t=secret-token\\u003c/script>")');
});

test('an open window keeps no command running; the app deletes its file once the token has expired', async () => {
  browser('chromium', 0);
  expect(await open(withDisplay())).toBe('app');
  expect(due.filter(({ ms }) => ms > 0)).toEqual([]);
  const [page = ''] = readdirSync(data);
  deleteExpiredPages(data, clock);
  due.at(-1)?.job();
  expect(readdirSync(data)).toEqual([page]);
  const expired = Date.now() / 1_000 - TOKEN_LIFE / 1_000 - 1;
  utimesSync(join(data, page), expired, expired);
  due.at(-1)?.job();
  expect(readdirSync(data)).toEqual([]);
});

test('files of a dead process are deleted', async () => {
  browser('chromium', 0);
  const old = join(data, 'window-old');
  mkdirSync(old);
  writeFileSync(join(old, 'barograph.html'), 'x');
  utimesSync(old, new Date(0), new Date(0));
  await open(withDisplay());
  expect(readdirSync(data)).toHaveLength(1);
  expect(existsSync(old)).toBe(false);
});

test('the default browser inherits no key, passphrase or option of Node', async () => {
  // The program to which xdg-open passes a file on GNOME.
  browser('gio', 0);
  vi.stubEnv('BAROGRAPH_KEY', 'svc_test_x');
  vi.stubEnv('BAROGRAPH_PASSPHRASE', 'correct horse');
  vi.stubEnv('NODE_OPTIONS', '--no-warnings');
  vi.stubEnv('DISPLAY', ':7');
  vi.stubEnv('XDG_CURRENT_DESKTOP', 'GNOME');
  vi.stubEnv('PATH', `${folder}:/bin:/usr/bin`);
  expect(await open({ DISPLAY: ':7', PATH: folder })).toBe('browser');
  expect(readFileSync(join(folder, 'args'), 'utf8')).toMatch(/barograph\.html$/m);
  expect(readFileSync(join(folder, 'env'), 'utf8')).not.toMatch(/BAROGRAPH_|NODE_OPTIONS|svc_test_x|correct horse/);
});

test('without a display nothing starts', async () => {
  browser('chromium', 0);
  expect(await open({ PATH: folder })).toBeNull();
  expect(existsSync(join(folder, 'args'))).toBe(false);
  expect(readdirSync(data)).toEqual([]);
});

test('the browsers are searched in order, and only executable ones count', () => {
  expect(findChromium('linux', { PATH: folder })).toBeNull();
  browser('microsoft-edge', 0);
  writeFileSync(join(folder, 'google-chrome'), '');
  expect(findChromium('linux', { PATH: `/nowhere:${folder}` })).toBe(join(folder, 'microsoft-edge'));
  browser('chromium', 0);
  expect(findChromium('linux', { PATH: folder })).toBe(join(folder, 'chromium'));
  expect(findChromium('linux', {})).toBeNull();
});

test('a folder that takes no file, on a full or read-only disk, opens nothing and throws nothing', async () => {
  browser('chromium', 0);
  rmSync(data, { recursive: true });
  writeFileSync(data, 'no folder');
  expect(await open(withDisplay())).toBeNull();
  expect(existsSync(join(folder, 'args'))).toBe(false);
});

test('an expired file that cannot be deleted ends no program', async () => {
  browser('chromium', 0);
  await open(withDisplay());
  rmSync(data, { recursive: true });
  symlinkSync(data, data);
  deleteExpiredPages(data, clock);
  expect(() => due.at(-1)?.job()).not.toThrow();
});

test('a file of a dead process that cannot be read keeps no window from opening', async () => {
  browser('chromium', 0);
  symlinkSync('/nowhere', join(data, 'window-old'));
  expect(await open(withDisplay())).toBe('app');
});
