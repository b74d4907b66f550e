// Test: a check is one line, failures alone decide the exit code, and no output contains a secret.
import { expect, test } from 'vitest';
import { type Check, diagnose, exitCode, fail, good, linesOf, warn } from './check.ts';

const of = (...checks: Omit<Check, 'profile'>[]): Check[] =>
  checks.map((check, index) => ({ ...check, profile: index === 0 ? null : 'desk' }));

test('each check is printed in one line: status, profile and name, finding, remedy; then come the counts', () => {
  const diagnosis = diagnose(
    of(good('disk', 'Much is free.'), warn('clock', 'It is\n late.', 'Set it.'), fail('key', 'None.', 'Set one.')),
    [],
  );
  expect(linesOf(diagnosis)).toEqual([
    'ok    disk         Much is free.',
    'warn  desk: clock  It is late. Set it.',
    'FAIL  desk: key    None. Set one.',
    '1 ok, 1 warning, 1 failed',
  ]);
  expect(linesOf(diagnose([], []))).toEqual(['0 ok, 0 warnings, 0 failed']);
});

test.each([
  [[good('a', '.'), warn('b', '.', '.')], 0],
  [[good('a', '.'), fail('b', '.', '.'), warn('c', '.', '.')], 1],
])('%j ends with %d', (findings, code) => {
  expect(exitCode(diagnose(of(...findings), []))).toBe(code);
});

test('a secret is hidden in any form', () => {
  const diagnosis = diagnose(
    of(fail('key', 'svc_live_plantedplanted01 and hunter2', 'Say hunter2, or Bearer plantedplanted'), good('a', '')),
    ['hunter2', ''],
  );
  expect(diagnosis.checks[0]).toMatchObject({
    found: 'svc_live_[hidden] and [hidden]',
    cure: 'Say [hidden], or Bearer [hidden]',
  });
});
