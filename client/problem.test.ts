// Test: Retry-After and error bodies become problems.

import { expect, test } from 'vitest';
import { problemFromAnswer } from './problem.ts';

const NOW = Date.parse('2026-03-02T14:30:00Z');
const waitOf = (headers: Record<string, string>): number | null =>
  problemFromAnswer(503, new Headers(headers), '', NOW).retryAfter;
const date = (ms: number): string => new Date(ms).toUTCString();

test.each([
  ['nothing', {}, null],
  ['seconds', { 'retry-after': '7' }, 7_000],
  ['more than an hour', { 'retry-after': '86400' }, 3_600_000],
  ['a date, by this computer’s clock', { 'retry-after': date(NOW + 9_000) }, 9_000],
  ['a date, by the service’s own clock', { 'retry-after': date(NOW + 609_000), date: date(NOW + 600_000) }, 9_000],
  ['a date that is over', { 'retry-after': date(NOW - 9_000) }, 0],
])('Retry-After: %s', (_, headers, wait) => {
  expect(waitOf(headers as Record<string, string>)).toBe(wait);
});

test.each([
  [400, '', 'bad_request'],
  [401, '', 'unauthorized'],
  [402, '', 'forbidden'],
  [403, '', 'forbidden'],
  [404, '', 'not_found'],
  [404, 'SYMBOL_NOT_COVERED', 'not_covered'],
  [400, 'invalid_symbol', 'not_covered'],
  [418, '', 'bad_request'],
  [429, '', 'rate_limited'],
  [500, '', 'server'],
  [501, '', 'server'],
  [502, '', 'unavailable'],
  [503, '', 'unavailable'],
  [504, '', 'unavailable'],
])('status %i with code %j is %s', (status, code, kind) => {
  expect(problemFromAnswer(status, new Headers(), JSON.stringify({ code }), NOW).kind).toBe(kind);
});
