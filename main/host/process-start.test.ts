// Test: the start of a process, read from each platform.
import { afterEach, expect, test, vi } from 'vitest';
import { notRun, whyNoProgram } from '../../test/harness/not-run.ts';
import { processStart } from './run-file.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const why = whyNoProgram('/bin/ps');
test.skipIf(why)(`ps gives the same text in every time zone${notRun(why)}`, () => {
  const texts = ['UTC', 'Asia/Tokyo', 'America/New_York'].map((zone) => {
    vi.stubEnv('TZ', zone);
    return processStart(process.pid, 'darwin');
  });
  expect(new Set(texts).size).toBe(1);
  expect(Math.abs(Date.parse(`${texts[0]} UTC`) - performance.timeOrigin)).toBeLessThan(10_000);
});

test('the start of a process is unknown on Windows', () => {
  expect(processStart(process.pid, 'win32')).toBeNull();
});
