// Test: `npm start` without Electron, from a mirror on a slow line to a running binary, as an ordinary user.
// It runs in a copy of the repository, whose package electron is a stand-in.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ensureBuilt } from '../../main/build.ts';
import {
  type ElectronMirror,
  electronArchive,
  startElectronMirror,
  VERSION,
  writeElectronPackage,
} from '../harness/electron-mirror.ts';
import { eventually } from '../harness/eventually.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { notRun, whyNoProgram, whyNotLinux } from '../harness/not-run.ts';
import { asOrdinaryUser, copyProgram, giveToOrdinaryUser, ordinaryUser } from '../harness/ordinary-user.ts';
import { nodeScript, type RunningProcess, start } from '../harness/processes.ts';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts';

/** Bytes a second. */
const RATE = 200_000;
const SIZE = 1_600_000;
/** The first answer ends here in both tests that act in the middle, however slow the machine is. */
const HALF = 800_000;
const CONTROL_C = '\x03';
/** A start on a machine that many other tests fill. */
const START_MS = 150_000;
/** The port "discard", where nothing listens. */
const ABSENT = 'http://127.0.0.1:9/';

const folder = temporaryFolder();
const copy = join(folder.path, 'repository');
const data = join(folder.path, 'home', 'data');
const ran = join(folder.path, 'ran');
const archive = electronArchive(`echo "$(id -u) $@" > '${ran}'`, SIZE);
let mirror: ElectronMirror;
let line: TcpProxy;
let address = '';
const started: RunningProcess[] = [];

beforeAll(async () => {
  await ensureBuilt(['renderer', 'preload', 'main'], () => undefined);
  copyProgram(copy, ['electron', '@electron', '@electron-internal']);
  writeElectronPackage(copy, archive);
  mkdirSync(join(folder.path, 'home'));
  giveToOrdinaryUser(folder.path, join(folder.path, 'home'), join(copy, 'node_modules/electron'));
  mirror = await startElectronMirror(archive);
  line = await startTcpProxy({ port: mirror.port, host: '127.0.0.1' });
  line.limit(RATE);
});
beforeEach(() => {
  address = `http://127.0.0.1:${line.port}/`;
  mirror.ranges.length = 0;
  for (const path of [
    'ran',
    'home/cache',
    'repository/node_modules/.cache',
    'repository/node_modules/electron/path.txt',
  ])
    rmSync(join(folder.path, path), { recursive: true, force: true });
});
afterEach(async () => {
  for (const run of started.splice(0)) await run.kill();
});
afterAll(async () => {
  await line.close();
  await mirror.close();
  folder.remove();
});

/** `npm start` in the copy, as an ordinary user with a display. @param under a program that runs it */
function npmStart(flags: readonly string[] = [], under: (command: readonly string[]) => string[] = (it) => [...it]) {
  const script = nodeScript('start').map((part) => (part.endsWith('.ts') ? join(copy, part) : part));
  const node = [process.execPath, ...script, '--data-dir', data, ...flags];
  const [command = '', ...rest] = asOrdinaryUser(under(node));
  const run = start(command, rest, {
    HOME: join(folder.path, 'home'),
    DISPLAY: ':99',
    DBUS_SESSION_BUS_ADDRESS: '',
    XDG_RUNTIME_DIR: '',
    ELECTRON_MIRROR: address,
    electron_config_cache: join(folder.path, 'home', 'cache'),
    NODE_COMPILE_CACHE: join(folder.path, 'home', 'compiled'),
  });
  started.push(run);
  return run;
}

const electronRan = (): string => (existsSync(ran) ? readFileSync(ran, 'utf8').trim() : '');

test('a start that was ended in the middle goes on at the next, which runs Electron', {
  timeout: 2 * START_MS,
}, async () => {
  mirror.answers.push({ bytes: HALF });
  const first = npmStart();
  await eventually(() => expect(first.printed()).toMatch(/ of 1\.5 MB \(\d+ %\), \d+ KB\/s, /));
  expect((await first.stop()).code).toBe(130);
  expect(first.printed()).toMatch(/Electron is not here yet\. The next start goes on with what arrived\.\n$/);
  expect(electronRan()).toBe('');

  const second = npmStart();
  expect((await second.exit).code).toBe(0);
  expect(electronRan()).toBe(`${ordinaryUser} ${copy} --data-dir=${data}`);
  // A busy machine may end an attempt once more, even after its last byte.
  const [whole, ...others] = mirror.ranges;
  expect([whole, others.length > 0]).toEqual([undefined, true]);
  for (const range of others) expect(range).toMatch(/^bytes=[1-9]\d+-$/);

  const third = npmStart();
  expect((await third.exit).code).toBe(0);
  expect(mirror.ranges).toHaveLength(1 + others.length);
});

test('a mirror that is absent is known at once, and a browser window takes the place of Electron', {
  timeout: 2 * START_MS,
}, async () => {
  address = ABSENT;
  const required = npmStart(['--shell', 'electron']);
  expect((await required.exit).code).toBe(1);
  expect(required.printed()).toMatch(
    new RegExp(`Electron ${VERSION} could not be fetched: 127\\.0\\.0\\.1:9: nothing listens there\\.`),
  );
  address = `http://127.0.0.1:${line.port}/`;
  const instead = npmStart(['--hidden']);
  await instead.line(/^ready http/, START_MS);
  expect(instead.printed()).toMatch(/could not be fetched: .*--shell electron tries at once\. A browser shows/);
  // Within the pause.
  expect(mirror.ranges).toEqual([]);
  await instead.stop();
});

const why = whyNotLinux ?? whyNoProgram('script');
describe.skipIf(why)(`in a terminal${notRun(why)}`, () => {
  test('Enter starts in a browser window, and Electron comes meanwhile', { timeout: 2 * START_MS }, async () => {
    mirror.answers.push({ bytes: HALF });
    const keys = join(folder.path, 'keys');
    writeFileSync(keys, '');
    const terminal = npmStart(['--hidden'], (command) => [
      'sh',
      '-c',
      `tail -f '${keys}' | script -qefc '${command.join(' ')}' /dev/null`,
    ]);
    await eventually(() => expect(terminal.printed()).toMatch(/Press Enter [\s\S]* of 1\.5 MB/));
    appendFileSync(keys, '\n');
    await terminal.line(/ready http/, START_MS);
    mirror.reset();
    await eventually(() =>
      expect(terminal.printed()).toContain(`Electron ${VERSION} is here: the next start opens it.`),
    );
    expect(electronRan()).toBe('');
    appendFileSync(keys, CONTROL_C);
    await eventually(() => expect(existsSync(join(data, 'run.json'))).toBe(false));
    await terminal.kill();
    expect((await npmStart().exit).code).toBe(0);
    expect(electronRan()).not.toBe('');
  });
});
