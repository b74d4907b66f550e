// Start: the terminal while Electron is fetched: how far it is, and the Enter key that starts without it.
import { execFileSync } from 'node:child_process';
import type { Cancel, Clock } from '../shared/lib/clock.ts';
import { createStatusLine } from '../shared/lib/status-line.ts';
import { textOf } from '../shared/text/message.ts';
import type { ElectronDownload } from './host/shell-port.ts';

export interface Terminal {
  readonly input: Pick<NodeJS.ReadStream, 'isTTY' | 'once' | 'off' | 'pause'>;
  readonly output: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>;
  readonly clock: Clock;
}

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
  const line = createStatusLine(output, clock);
  const show = (): void => {
    const status = download.status();
    // The caller prints the outcome.
    if (status.code !== 'electron.ready' && status.code !== 'electron.failed')
      line.show(`barograph: ${textOf(status)}`);
  };
  show();
  const stop = download.onChange(show);
  return () => {
    stop();
    line.clear();
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
