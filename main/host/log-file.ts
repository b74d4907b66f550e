// Main, host: barograph.log: written synchronously, so that a crash loses no line; rotated by size.
import { closeSync, fstatSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openPrivateFile } from '../core/files/private-file.ts';

export interface LogFile {
  /** Never throws: a full disk must not end the monitor. */
  write(text: string): void;
  close(): void;
}

export const LOG_NAME = 'barograph.log';
/** Bytes of one file. */
const LIMIT = 5 * 1024 * 1024;
/** Rotated files kept beside the current one: barograph.1.log is the newest. */
const MAX_FILES = 3;

const older = (folder: string, number: number): string => join(folder, LOG_NAME.replace('.log', `.${number}.log`));

/** The first line opens the file; where that fails, a later line does. */
export function openLogFile(folder: string, limit = LIMIT): LogFile {
  const path = join(folder, LOG_NAME);
  const open = (): number => openPrivateFile(path, 'a');
  let file: number | null = null;
  let size = 0;
  let isClosed = false;
  const opened = (): number => {
    if (file !== null) return file;
    file = open();
    size = fstatSync(file).size;
    return file;
  };

  /** Rotates the files. Another process may still write to a rotated one, and loses no line. */
  const turnOver = (now: number): void => {
    for (let number = MAX_FILES - 1; number >= 1; number--) rename(older(folder, number), older(folder, number + 1));
    rename(path, older(folder, 1));
    const next = open();
    closeSync(now);
    file = next;
    size = fstatSync(next).size;
  };

  return {
    write(text) {
      if (isClosed) return;
      try {
        const length = Buffer.byteLength(text);
        const now = opened();
        if (size > 0 && size + length > limit) turnOver(now);
        size += length;
        writeSync(opened(), text);
      } catch {
        // A lost line is no fault of the run: stderr has the warnings too.
      }
    },
    close() {
      isClosed = true;
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

function rename(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    // The file does not exist yet, or the platform holds it open: the log continues in place.
  }
}
