// Test: the start of a process, read from each platform.
import { existsSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { processStart } from './run-file.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test.runIf(existsSync('/bin/ps'))('ps gives the same text in every time zone', () => {
  const texts = ['UTC', 'Asia/Tokyo', 'America/New_York'].map((zone) => {
    vi.stubEnv('TZ', zone);
    return processStart(process.pid, 'darwin');
  });
  expect(new Set(texts).size).toBe(1);
  expect(Math.abs(Date.parse(`${texts[0]} UTC`) - performance.timeOrigin)).toBeLessThan(10_000);
});

test('it is unknown on Windows', () => {
  expect(processStart(process.pid, 'win32')).toBeNull();
});
