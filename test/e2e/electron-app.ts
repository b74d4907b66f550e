// End to end: starts the app in Electron.
import { once } from 'node:events';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { ensureBuilt } from '../../main/build.ts';
import { electronArguments } from '../../main/electron-binary.ts';
import { type AppOptions, startFlags } from '../harness/app.ts';
import { type Exit, environmentOf, type RunningProcess, TOP } from '../harness/processes.ts';

export interface LaunchedElectron {
  readonly electron: ElectronApplication;
  /** The first window. */
  readonly page: Page;
  readonly process: Pick<RunningProcess, 'printed' | 'stop' | 'kill'>;
}

/** Time limit of the first window, ms. */
const WINDOW_MS = 120_000;

/**
 * Playwright finds the binary itself. Given its path, it would leave its own switches in the arguments, which
 * the app refuses; and without `chromiumSandbox` it switches off the sandbox, without which the app ends.
 */
export async function launchElectron(options: AppOptions): Promise<LaunchedElectron> {
  // Rebuilt only where it is outdated: other tests run beside this one.
  await ensureBuilt(['renderer', 'preload', 'main'], () => undefined);
  const electron = await _electron.launch({
    chromiumSandbox: true,
    args: electronArguments([TOP, ...startFlags(options)]),
    cwd: TOP,
    env: environmentOf({
      // Wayland needs its runtime folder; so the bus is an address where there is none.
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
      ...(options.key === undefined ? {} : { BAROGRAPH_KEY: options.key }),
    }),
  });
  const child = electron.process();
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      printed += chunk;
    });
  const exit = once(child, 'exit').then(([code, signal]): Exit => ({ code, signal }));
  const end = (signal: NodeJS.Signals): Promise<Exit> => {
    child.kill(signal);
    return exit;
  };
  const page = await electron.firstWindow({ timeout: WINDOW_MS }).catch((error: Error) => {
    child.kill('SIGKILL');
    throw new Error(`${error.message}\n${printed}`);
  });
  return {
    electron,
    page,
    process: { printed: () => printed, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') },
  };
}
