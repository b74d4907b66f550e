// Bench: the app as `npm start` starts it, without a window; and addresses of windows of it.
import { join } from 'node:path';
import { readRunFile } from '../../../main/core/host/run-file.ts';
import { askForWindow } from '../../../main/node/app-client.ts';
import { type AppOptions, startApp } from '../../harness/app.ts';
import type { Context } from '../row.ts';

export interface BenchApp {
  readonly pid: number;
  /** From the command to its "ready", s. */
  readonly startSeconds: number;
  /** An address that opens one window. */
  address(): Promise<string>;
  stop(): Promise<unknown>;
}

export async function runApp({ folder, defer }: Context, options: Partial<AppOptions> = {}): Promise<BenchApp> {
  const dataDir = options.dataDir ?? join(folder, 'app');
  const begun = performance.now();
  const app = await startApp({ dataDir, ...options });
  const startSeconds = (performance.now() - begun) / 1000;
  defer(() => app.process.kill());
  return {
    pid: app.process.pid,
    startSeconds,
    address() {
      const run = readRunFile(dataDir);
      if (run === null) throw new Error('the app wrote no run.json');
      return askForWindow(run, options.profile ?? null);
    },
    stop: () => app.process.stop(),
  };
}
