// Service, limits, test: calls of a minute that two nodes count together.
import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../shared/lib/time.ts';
import { createWindows } from './windows.ts';

const NOW = Date.parse('2026-03-02T14:30:00.000Z');
const SIGNAL = { method: 'GET', path: '/signal' };
const HISTORY = { method: 'GET', path: '/history' };

/** Stands in for PostgreSQL, which adds up the calls of all nodes. */
function createTotals() {
  const totals = new Map<string, number>();
  return (calls: readonly (readonly [string, number])[]) =>
    calls.map(([name, count]) => {
      totals.set(name, (totals.get(name) ?? 0) + count);
      return [name, totals.get(name) ?? 0] as const;
    });
}

test('a node counts what the others counted, by endpoint and caller, and its own calls once', () => {
  const total = createTotals();
  const [one, other] = [createWindows(), createWindows()];
  const share = (windows: typeof one): void => {
    const { minute, calls } = windows.takeCalls(NOW);
    windows.receiveCalls({ minute, calls: total(calls) });
  };
  for (let call = 0; call < 7; call++) one.count(SIGNAL, 'key', NOW);
  share(one);
  expect(one.used(SIGNAL, 'key', NOW)).toBe(7);
  other.count(SIGNAL, 'key', NOW);
  share(other);
  expect(other.used(SIGNAL, 'key', NOW)).toBe(8);
  expect(other.used(SIGNAL, 'another', NOW)).toBe(0);
  expect(other.used(HISTORY, 'key', NOW)).toBe(0);
  one.count(SIGNAL, 'key', NOW);
  share(one);
  expect(one.used(SIGNAL, 'key', NOW)).toBe(9);
});

test('a new minute begins at zero, and a late report about the previous minute changes nothing', () => {
  const windows = createWindows();
  windows.count(SIGNAL, 'key', NOW);
  const { minute, calls } = windows.takeCalls(NOW);
  windows.receiveCalls({ minute, calls: calls.map(([name]) => [name, 50]) });
  expect(windows.used(SIGNAL, 'key', NOW)).toBe(50);
  expect(windows.used(SIGNAL, 'key', NOW + MINUTE_MS)).toBe(0);
  windows.receiveCalls({ minute, calls: [['GET /signal key', 60]] });
  expect(windows.used(SIGNAL, 'key', NOW + MINUTE_MS)).toBe(0);
});
