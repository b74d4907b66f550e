// Test: the changes after an event: by the service's numbers, by times, by arrival.
import { expect, test } from 'vitest';
import type { EntryRow } from './entries.ts';
import { laterChanges, nextChange } from './later-changes.ts';

const row = (ledger_id: number, occurred_s: number, seq: number | null, log = 1): EntryRow => ({
  ledger_id,
  occurred_s,
  seq,
  log,
  to_state: 2,
  assumptions: '',
  sources: 'stream',
  event_id: `evt_${ledger_id}`,
  event: 'signal.high_risk',
  symbol: 'SPY',
  body: '{}',
  received_ms: 0,
  decision: null,
  transition: null,
  attributes: null,
  occurredAt: occurred_s * 1000,
});
const nextBreadth = () => undefined;
const after = (one: EntryRow, others: readonly EntryRow[]) => {
  const read = others
    .filter(({ occurred_s }) => occurred_s >= one.occurred_s)
    .sort((a, b) => a.occurred_s - b.occurred_s);
  const found = laterChanges({ entries: { signalsOf: () => read, nextBreadth } }, one).map(
    ({ ledger_id }) => ledger_id,
  );
  expect(nextChange({ entries: { signalsWithin: () => read, nextBreadth } }, one)?.ledger_id).toBe(found[0]);
  return found;
};

test('the numbers of the log decide over its times', () => {
  const one = row(19, 100, 19);
  expect(after(one, [row(6, 108, 6), row(20, 109, 20), row(21, 100, 21)])).toEqual([21, 20]);
});

test('times decide without numbers, or with numbers of different logs', () => {
  const one = row(5, 100, null);
  expect(after(one, [row(4, 101, null), row(6, 100, null), row(3, 100, null)])).toEqual([6, 4]);
  expect(after(row(5, 100, 9, 1), [row(4, 101, 2, 2)])).toEqual([4]);
});
