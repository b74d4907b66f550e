// Pure: the status of long work in a terminal: one line that is rewritten, or a line every few seconds.
import { type Clock, isRecent } from './clock.ts';

export interface StatusOutput {
  readonly isTTY: boolean;
  readonly columns: number;
  write(text: string): unknown;
}

export interface StatusLine {
  show(text: string): void;
  /** Removes the line that is rewritten. */
  clear(): void;
}

/** Shortest time between two lines that are not rewritten, ms. */
const LINE_MS = 5_000;
/** Of a terminal that does not say its width. */
const DEFAULT_COLUMNS = 80;
const CLEAR_LINE = '\r\x1b[K';

export function createStatusLine(output: StatusOutput, clock: Pick<Clock, 'now'>): StatusLine {
  let shownAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  return {
    show(text) {
      const isTerminal = output.isTTY;
      if (!isTerminal && isRecent(clock, shownAt, LINE_MS)) return;
      shownAt = clock.now();
      isShown = isTerminal;
      // A line that wraps could not be rewritten.
      output.write(isTerminal ? `${CLEAR_LINE}${text.slice(0, (output.columns || DEFAULT_COLUMNS) - 1)}` : `${text}\n`);
    },
    clear() {
      if (isShown) output.write(CLEAR_LINE);
      isShown = false;
    },
  };
}
