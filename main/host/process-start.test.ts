// Test: when a process started, as each platform tells it.
import { existsSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { processStart } from './process-start.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test.runIf(existsSync('/bin/ps'))('where ps tells it, it is the same text in every time zone', () => {
  const texts = ['UTC', 'Asia/Tokyo', 'America/New_York'].map((zone) => {
    vi.stubEnv('TZ', zone);
    return processStart(process.pid, 'darwin');
  });
  expect(new Set(texts).size).toBe(1);
  expect(Math.abs(Date.parse(`${texts[0]} UTC`) - performance.timeOrigin)).toBeLessThan(10_000);
});

test('Windows does not tell', () => {
  expect(processStart(process.pid, 'win32')).toBeNull();
});
