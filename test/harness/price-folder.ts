// Test harness: a folder of price files for each test of a file.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type TemporaryFolder, temporaryFolder } from './folders.ts';

export const HEADER = 'symbol,date,open,high,low,close,volume\n';
export const row = (symbol: string, date: string, close = 100): string =>
  `${symbol},${date},${close},${close + 1},${close - 1},${close},1000\n`;

/** Path of the folder. */
export let folder = '';
let own: TemporaryFolder;

export function eachInItsOwnFolder(): void {
  beforeEach(() => {
    own = temporaryFolder();
    folder = own.path;
  });
  afterEach(() => own.remove());
}

export const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
