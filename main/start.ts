// Start: `npm start`: chooses the shell that this machine can run, builds its missing parts, runs it.
// Never imports Electron: under plain Node its package tries to download itself.
import { join } from 'node:path';
import { ensureBuilt, ROOT } from './build.ts';
import { keepCompiled } from './compiled.ts';
import { findElectron, runElectron } from './electron-binary.ts';
import { exitCodeOf, UsageError } from './host/command-line.ts';
import { readRunFile } from './host/run-file.ts';
import { parseStartFlags, type StartFlags } from './host/start-flags.ts';

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
  const binary = runsInBrowser ? null : await chooseElectron(flags);
  if (binary !== null) {
    await ensureBuilt(['renderer', 'preload', 'main'], say);
    const code = await runElectron(binary, [ROOT, ...argv], {
      isRunning: (pid) => readRunFile(flags.dataFolder)?.pid === pid,
      environment,
    });
    if (code !== null) return code;
    say('Electron does not run on this machine; a browser shows the window instead.');
  }
  if (flags.switches.length > 0) say(`${flags.switches.join(' ')} is for Electron; a browser shows this window.`);
  await ensureBuilt(['renderer'], say);
  const { runNodeShell } = await import('./node/entry.ts');
  return runNodeShell({ flags, environment, page: join(ROOT, 'dist', 'renderer') });
}

/** The binary to use, or null for the Node shell. */
async function chooseElectron(flags: StartFlags): Promise<string | null> {
  if (flags.shell === 'node') return null;
  const isElectronRequired = flags.shell === 'electron';
  const reason = whyNotElectron(flags);
  if (reason === null) {
    const found = await findElectron(ROOT, { again: isElectronRequired, say });
    if (found !== null || !isElectronRequired) return found;
    throw new Error(
      'Electron is not on this machine and could not be fetched. Without --shell electron a browser shows the window.',
    );
  }
  if (isElectronRequired) throw new UsageError(`--shell electron: ${reason}.`);
  return null;
}

function whyNotElectron({ open, port }: StartFlags): string | null {
  if (!open) return '--no-open asks for no window';
  if (port !== null) return '--port is of the node shell';
  if (process.platform !== 'linux') return null;
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return 'there is no display';
  return process.getuid?.() === 0 ? 'its sandbox does not work for root' : null;
}

keepCompiled();
process.exitCode = await exitCodeOf('npm start', () => start(process.argv.slice(2)), console.error);
