// Test: `npm run test:electron` over a stand-in of Electron: its plumbing, where no binary can be had.
// The stand-in speaks with Playwright as Electron does. Its windows are pages of the Node shell in Chromium.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureBuilt } from '../../main/build.ts';
import { findBrowser } from '../harness/browser.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { asOrdinaryUser, copyProgram, giveToOrdinaryUser } from '../harness/ordinary-user.ts';
import { nodeScript, type RunningProcess, start } from '../harness/processes.ts';

/** Several starts on a machine that other tests fill. */
const RUN_MS = 900_000;

const folder = temporaryFolder();
const copy = join(folder.path, 'repository');
let running: RunningProcess | null = null;

beforeAll(async () => {
  await ensureBuilt(['renderer', 'preload', 'main'], () => undefined);
  copyProgram(copy, []);
  const { executablePath = '', args } = (await findBrowser()).launchOptions;
  writeFileSync(join(folder.path, 'stand-in.cjs'), STAND_IN);
  const program = [process.execPath, '--inspect=0', join(folder.path, 'stand-in.cjs')];
  writeFileSync(join(folder.path, 'electron'), `#!/bin/sh\nexec ${program.join(' ')} "$@"\n`, { mode: 0o755 });
  writeFileSync(join(folder.path, 'chromium.json'), JSON.stringify([executablePath, ...args]));
  giveToOrdinaryUser(folder.path);
});
afterAll(async () => {
  await running?.kill();
  folder.remove();
});

function testElectron(specs: readonly string[], display: Readonly<Record<string, string>>): RunningProcess {
  const [script = ''] = nodeScript('test:electron');
  const [command = '', ...args] = asOrdinaryUser([process.execPath, join(copy, script), ...specs]);
  running = start(command, args, {
    HOME: folder.path,
    XDG_RUNTIME_DIR: folder.path,
    ELECTRON_OVERRIDE_DIST_PATH: folder.path,
    ...display,
  });
  return running;
}

test('a missing display is named, with its cure, and nothing runs', async () => {
  const run = testElectron([], { DISPLAY: '', WAYLAND_DISPLAY: '' });
  expect((await run.exit).code).toBe(1);
  expect(run.printed()).toMatch(/^Electron: .*\/electron\nwindow: {3}there is no display: .* xvfb-run -a\n$/);
});

test('specs of the windows run over Electron, and a table counts them', { timeout: RUN_MS }, async () => {
  const run = testElectron(['first-start', 'transition', 'electron.spec'], { DISPLAY: ':99' });
  const { code } = await run.exit;
  const printed = run.printed();
  expect(printed, printed).toMatch(/^first-start\.spec\.ts +1 +0 +0$/m);
  expect(printed, printed).toMatch(/^transition\.spec\.ts +1 +0 +0$/m);
  expect(printed).toMatch(/^attack\.spec\.ts +all {2}the ports of the Node shell/m);
  // The stand-in is no Electron, and the tests of Electron itself notice.
  expect(printed).toMatch(/^electron\.spec\.ts +\d +[1-4] +\d/m);
  expect(code).toBe(1);
});

/** Arguments: those of Electron. */
const STAND_IN = `
const { spawn } = require('node:child_process');
const { EventEmitter, once } = require('node:events');
const { mkdtempSync, readFileSync, rmSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { createInterface } = require('node:readline');

process.argv = [process.execPath, ...process.argv.slice(2)];
if (process.argv.includes('--no-sandbox')) {
  console.error('Barograph does not run without the sandbox of its windows');
  process.exit(1);
}
const app = Object.assign(new EventEmitter(), { commandLine: { appendSwitch() {} }, whenReady: async () => ({}), quit: () => void end() });
const load = Module._load;
Module._load = (name, ...rest) => (name === 'electron' ? { app } : load(name, ...rest));
const preload = process.argv.indexOf('-r');
if (preload !== -1) require(process.argv[preload + 1]);
app.emit('ready', {});

const profile = mkdtempSync(join(__dirname, 'chromium-'));
const [chromium, ...switches] = JSON.parse(readFileSync(join(__dirname, 'chromium.json'), 'utf8'));
const options = ['--headless=new', '--no-sandbox', '--no-startup-window', '--remote-debugging-port=0', '--user-data-dir=' + profile];
// Both children end with this process, also when it is killed.
const untilEnd = '"$@" & child=$!; cat > /dev/null; kill -9 $child; wait';
const browser = spawn('sh', ['-c', untilEnd, 'sh', chromium, ...switches, ...options], { stdio: ['pipe', 'ignore', 'pipe'] });
const port = new Promise((resolve) =>
  createInterface({ input: browser.stderr }).on('line', (line) => {
    console.error(line);
    const found = /^DevTools listening on ws:\\/\\/[^:]+:(\\d+)/.exec(line);
    if (found) resolve(found[1]);
  }),
);
let shell = null;
// As the entry of the app reads them: an unknown argument ends the start.
app.whenReady().then(() => {
  const [, top, ...flags] = process.argv;
  shell = spawn(process.execPath, [join(top, 'main/start.ts'), '--shell', 'node', '--no-open', '--port', '0', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, npm_lifecycle_event: 'start' },
  });
  createInterface({ input: shell.stdout }).on('line', async (line) => {
    console.log(line);
    const [, url] = /^ready (http.*)$/.exec(line) ?? [];
    if (url) await fetch('http://127.0.0.1:' + (await port) + '/json/new?' + encodeURIComponent(url), { method: 'PUT' });
  });
  shell.on('exit', (code) => end(code ?? 1));
});
let ended = false;
async function end(code = 0) {
  if (ended) return;
  ended = true;
  if (shell !== null && shell.exitCode === null) {
    shell.kill('SIGTERM');
    [code] = await once(shell, 'exit');
  }
  browser.stdin.end();
  await once(browser, 'exit');
  rmSync(profile, { recursive: true, force: true });
  process.exit(code ?? 1);
}
process.on('SIGTERM', () => void end());
`;
