// Start: the terminal while Electron is fetched: how far it is, and the Enter key that starts without it.
import { execFileSync } from 'node:child_process';
import type { Cancel, Clock } from '../shared/lib/clock.ts';
import { textOf } from '../shared/text/message.ts';
import type { ElectronDownload } from './host/shell-port.ts';

export interface Terminal {
  readonly input: Pick<NodeJS.ReadStream, 'isTTY' | 'once' | 'off' | 'pause'>;
  readonly output: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>;
  readonly clock: Clock;
}

/** Shortest time between two lines that are not rewritten, ms. */
const LINE_MS = 5_000;
/** Of a terminal that does not say its width. */
const DEFAULT_COLUMNS = 80;
const CLEAR_LINE = '\r\x1b[K';

/** True where the user's keys reach this process: a process in the background that read them would be stopped. */
export function readsKeys({ input, output }: Pick<Terminal, 'input' | 'output'>): boolean {
  if (!input.isTTY || !output.isTTY) return false;
  if (process.platform === 'win32') return true;
  try {
    return execFileSync('ps', ['-o', 'stat=', '-p', String(process.pid)], { encoding: 'utf8' }).includes('+');
  } catch {
    return false;
  }
}

/**
 * Shows how far a download is: in one line that is rewritten, or in a line every few seconds where the
 * output is no terminal.
 */
export function showDownload(download: ElectronDownload, { output, clock }: Omit<Terminal, 'input'>): Cancel {
  let shownAt = Number.NEGATIVE_INFINITY;
  const show = (): void => {
    const status = download.status();
    // The caller prints the outcome.
    if (status.code === 'electron.ready' || status.code === 'electron.failed') return;
    const line = `barograph: ${textOf(status)}`;
    if (output.isTTY) output.write(`${CLEAR_LINE}${line.slice(0, (output.columns || DEFAULT_COLUMNS) - 1)}`);
    else if (clock.now() - shownAt >= LINE_MS) {
      output.write(`${line}\n`);
      shownAt = clock.now();
    }
  };
  show();
  const stop = download.onChange(show);
  return () => {
    stop();
    if (output.isTTY) output.write(CLEAR_LINE);
  };
}

/** `pressed` resolves when the user presses Enter. */
export function waitForEnter({ input }: Pick<Terminal, 'input'>): {
  readonly pressed: Promise<'browser'>;
  readonly stop: Cancel;
} {
  const { promise: pressed, resolve } = Promise.withResolvers<'browser'>();
  const press = (): void => resolve('browser');
  input.once('data', press);
  return {
    pressed,
    stop() {
      input.off('data', press);
      input.pause();
    },
  };
}
