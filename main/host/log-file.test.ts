// Test: the log rotates at its limit, keeps the last files, loses no line, and holds one file open.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { notRun, whyNotLinux } from '../../test/harness/not-run.ts';
import { openLogFile } from './log-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'barograph-logs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
/** Number of files of the folder that this process holds open. */
const held = (): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return (
        statSync(`/proc/self/fd/${fd}`).isFile() &&
        readdirSync(folder).some((name) => sameFile(join(folder, name), `/proc/self/fd/${fd}`))
      );
    } catch {
      return false;
    }
  }).length;
const sameFile = (one: string, other: string): boolean =>
  statSync(one).ino === statSync(other).ino && statSync(one).dev === statSync(other).dev;

test('a file that would exceed the limit is rotated, the oldest is deleted, and each line is in one of them', () => {
  const log = openLogFile(folder, 100);
  for (let line = 0; line < 40; line++) log.write(`line ${String(line).padStart(3, '0')} ${'x'.repeat(20)}\n`);
  log.close();
  expect(readdirSync(folder).sort()).toEqual([
    'barograph.1.log',
    'barograph.2.log',
    'barograph.3.log',
    'barograph.log',
  ]);
  const lines = ['barograph.3.log', 'barograph.2.log', 'barograph.1.log', 'barograph.log'].flatMap((name) =>
    read(name).trim().split('\n'),
  );
  expect(lines.map((line) => Number(line.slice(5, 8)))).toEqual(Array.from({ length: 10 }, (_, index) => index + 30));
  for (const name of readdirSync(folder)) {
    expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(100);
    expect((statSync(join(folder, name)).mode & 0o777).toString(8)).toBe('600');
  }
});

test('an earlier run counts towards the limit, and a line larger than the limit is still written', () => {
  const first = openLogFile(folder, 100);
  first.write(`${'a'.repeat(89)}\n`);
  first.close();
  const second = openLogFile(folder, 100);
  second.write(`${'b'.repeat(300)}\n`);
  second.close();
  expect(read('barograph.1.log')).toHaveLength(90);
  expect(read('barograph.log')).toHaveLength(301);
});

test.skipIf(whyNotLinux)(`a hundred rotations leave one file open, and none after close${notRun(whyNotLinux)}`, () => {
  const log = openLogFile(folder, 10);
  for (let line = 0; line < 100; line++) log.write('0123456789\n');
  expect(held()).toBe(1);
  log.close();
  expect(held()).toBe(0);
  log.write('late\n');
  expect(read('barograph.log')).not.toContain('late');
});

test('a missing folder does not throw', () => {
  const log = openLogFile(folder, 10);
  rmSync(folder, { recursive: true });
  expect(() => log.write('0123456789\n')).not.toThrow();
  expect(() => log.write('0123456789\n')).not.toThrow();
  log.close();
  folder = mkdtempSync(join(tmpdir(), 'barograph-logs-'));
});
