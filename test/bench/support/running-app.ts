// Bench: the app as `npm start` starts it, without a window; and addresses of windows of it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { askForWindow } from '../../../main/host/app-client.ts';
import { readRunFile } from '../../../main/host/run-file.ts';
import { type AppOptions, startApp } from '../../harness/app.ts';
import type { Context } from '../row.ts';

export interface BenchApp {
  readonly pid: number;
  /** From the command to its "ready", s. */
  readonly startSeconds: number;
  /** An address that opens one window. */
  address(): Promise<string>;
  /** Until it is warm: what a start leaves to be done beside its work (the validation record, back-fill, the archive) is done. @returns s, at most 30 */
  settled(): Promise<number>;
  stop(): Promise<unknown>;
}

/** Of /proc: clock ticks a second. */
const TICKS = 100;
/** It counts as warm when it used less than this share of a core, in as many checks in a row, a second each; tried for no longer than this, s. */
const WARM = { share: 0.15, samples: 3, most: 30 };

/** Seconds of processor that a process has used, all its threads. */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** How often the threads of a process woke since they began: each time that one waited of its own will. */
export const wakeUps = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
    return sum + Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  }, 0);

export function residentMegabytes(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
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
    async address() {
      const run = readRunFile(dataDir);
      if (run === null) throw new Error('the app wrote no run.json');
      return (await askForWindow(run, options.profile ?? null)) ?? app.url;
    },
    async settled() {
      const begun = performance.now();
      const passed = (): number => (performance.now() - begun) / 1000;
      for (let idle = 0; idle < WARM.samples && passed() < WARM.most; ) {
        const before = processorSeconds(app.process.pid);
        await setTimeout(1_000);
        idle = processorSeconds(app.process.pid) - before < WARM.share ? idle + 1 : 0;
      }
      return passed();
    },
    stop: () => app.process.stop(),
  };
}
