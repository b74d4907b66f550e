// Test: where back-fill begins when the service lists transitions alone.
import { expect, test } from 'vitest';
import { readEvent } from '../compat/read-event.ts';
import { openLedger } from '../ledger/ledger.ts';
import { type BackfillLedgerDeps, createBackfillLedger } from './backfill-ledger.ts';

const NOW = Date.parse('2026-03-02T14:30:00.000Z');
const at = (time: string) => Date.parse(`2026-03-02T${time}:00.000Z`);

function start(times: readonly number[], connectedUntil: string | null, here?: string): number | null {
  const ledger = openLedger(':memory:', 'now');
  const events = times.map((time, index) => {
    const data = { symbol: 'SPY', state: index % 3 };
    const event = readEvent({ id: `e${index}`, event: 'signal.created', timestamp: time, data }, { receivedAt: NOW });
    if (!event.ok) throw new Error(event.error);
    return event.value;
  });
  const evaluate = () => ({ reason: null, why: null, notification: null, ends: [] });
  ledger.ingest({ source: 'poll', events, receivedAt: NOW, evaluate });
  if (connectedUntil !== null) ledger.metadata.set('connected_until', connectedUntil);
  if (here !== undefined) ledger.metadata.set('proven_until_here', here);
  const context = { world: { now: () => NOW, view: () => ({ offset: 0, speed: 1 }) }, events: {} };
  const anchor = { from: () => null, forget: () => undefined };
  return createBackfillLedger({
    context,
    ledger,
    anchor,
    receive: () => undefined,
  } as unknown as BackfillLedgerDeps).newestTransition();
}

test('an event dated in the future does not hide later events', () => {
  expect(start([at('14:00'), at('14:20'), Date.parse('2027-01-01T00:00:00.000Z')], null)).toBe(at('14:20'));
  expect(start([Date.parse('2027-01-01T00:00:00.000Z')], null)).toBeNull();
});

test('a service whose clock is ahead for a while does not move the proof: the local clock bounds it too', () => {
  expect(start([at('14:00'), at('14:25')], '2026-03-02T14:29:00.000Z', '2026-03-02T14:05:00.000Z')).toBe(at('14:05'));
});

test('an event dated ahead at its arrival does not hide events of the downtime', () => {
  expect(start([at('14:00'), at('14:29')], '2026-03-02T14:05:00.000Z')).toBe(at('14:05'));
  expect(start([at('14:00')], '2026-03-02T14:05:00.000Z')).toBe(at('14:00'));
});
