// Start: `npm start`: chooses the shell that this machine can run, builds its missing parts, runs it.
// Never imports Electron: under plain Node its package tries to download itself.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../shared/text/message.ts';
import { ensureBuilt, ROOT } from './build.ts';
import { electronPackage, findElectron, runElectron, whyNoElectron } from './electron-binary.ts';
import type { ElectronFetch } from './electron-download.ts';
import { readsKeys, showDownload, waitForEnter } from './electron-wait.ts';
import { exitCodeOf, INTERRUPTED, UsageError } from './host/command-line.ts';
import { onEnd } from './host/end-signal.ts';
import { readRunFile } from './host/run-file.ts';
import { parseStartFlags, type StartFlags } from './host/start-flags.ts';
import { systemClock } from './host/system-clock.ts';

const say = (line: string): void => console.error(`barograph: ${line}`);

async function start(argv: readonly string[]): Promise<number> {
  const flags = parseStartFlags(argv);
  // The shell takes key and passphrase from this copy; the process environment, which children inherit, no
  // longer has them.
  const environment = { ...process.env };
  delete process.env.BAROGRAPH_KEY;
  delete process.env.BAROGRAPH_PASSPHRASE;
  // An app that runs in a browser opens its window itself.
  const runsInBrowser = typeof readRunFile(flags.dataFolder)?.address === 'string';
  const choice = runsInBrowser ? NODE_SHELL : await chooseShell(flags, environment);
  if (choice.shell === 'none') return INTERRUPTED;
  if (choice.shell === 'electron') {
    await ensureBuilt(['renderer', 'preload', 'main'], say);
    const code = await runElectron(choice.binary, [ROOT, ...argv], {
      isRunning: (pid) => readRunFile(flags.dataFolder)?.pid === pid,
      environment,
    });
    if (code !== null) return code;
    say('Electron does not run on this machine; a browser shows the window instead.');
  }
  if (flags.switches.length > 0) say(`${flags.switches.join(' ')} is for Electron; a browser shows this window.`);
  await ensureBuilt(['renderer'], say);
  const { runNodeShell } = await import('./node/entry.ts');
  const electron = choice.shell === 'node' ? choice.download : null;
  return runNodeShell({ flags, environment, page: join(ROOT, 'dist', 'renderer'), electron });
}

type ShellChoice =
  | { readonly shell: 'electron'; readonly binary: string }
  | { readonly shell: 'node'; readonly download: ElectronFetch | null }
  /** The user ended it. */
  | { readonly shell: 'none' };

const NODE_SHELL: ShellChoice = { shell: 'node', download: null };

async function chooseShell(flags: StartFlags, environment: NodeJS.ProcessEnv): Promise<ShellChoice> {
  if (flags.shell === 'node') return NODE_SHELL;
  const isRequired = flags.shell === 'electron';
  const unwanted = reasonInFlags(flags);
  const problem = unwanted ?? whyNoElectron(environment);
  if (problem !== null && isRequired) throw new UsageError(`--shell electron: ${problem}.`);
  if (problem !== null) {
    if (unwanted === null) say(`Electron cannot open a window: ${problem}. A browser page takes its place.`);
    return NODE_SHELL;
  }
  const binary = findElectron(ROOT);
  if (binary !== null) return { shell: 'electron', binary };
  if (existsSync(electronPackage(ROOT))) return waitForElectron(isRequired, environment);
  if (isRequired) throw new UsageError('--shell electron: its npm package is missing; npm install brings it.');
  return NODE_SHELL;
}

function reasonInFlags({ open, port }: StartFlags): string | null {
  if (!open) return '--no-open asks for no window';
  return port === null ? null : '--port is of the node shell';
}

async function waitForElectron(isRequired: boolean, environment: NodeJS.ProcessEnv): Promise<ShellChoice> {
  const { fetchElectron } = await import('./electron-download.ts');
  const terminal = { input: process.stdin, output: process.stderr, clock: systemClock };
  const download = fetchElectron({ root: ROOT, clock: systemClock, environment, again: isRequired });
  const interruption = Promise.withResolvers<'interrupted'>();
  const stopListening = onEnd(environment, systemClock, () => interruption.resolve('interrupted'));
  const isEnterOffered = !isRequired && readsKeys(terminal);
  if (isEnterOffered) say('Press Enter to start in a browser window; Electron then comes in the background.');
  const enter = isEnterOffered ? waitForEnter(terminal) : null;
  const stopShowing = showDownload(download, terminal);
  const first = await Promise.race([download.binary, interruption.promise, ...(enter === null ? [] : [enter.pressed])]);
  stopShowing();
  enter?.stop();
  stopListening();
  if (first === 'interrupted') {
    download.stop();
    await download.binary;
    say('Electron is not here yet. The next start goes on with what arrived.');
    return { shell: 'none' };
  }
  if (first === 'browser') {
    void download.binary.then(() => say(textOf(download.status())));
    return { shell: 'node', download };
  }
  if (first !== null) return { shell: 'electron', binary: first };
  const problem = textOf(download.status());
  if (isRequired) throw new Error(`${problem} Without --shell electron a browser shows the window.`);
  say(`${problem} A browser shows the window.`);
  return NODE_SHELL;
}

process.exitCode = await exitCodeOf('npm start', () => start(process.argv.slice(2)), console.error);
