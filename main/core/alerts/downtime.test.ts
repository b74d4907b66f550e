// Test: the summary of a downtime: read once, and again after a late event.

import { expect, test } from 'vitest';
import type { Gap } from '../../../shared/channels/state.ts';
import { plainMessage } from '../../../shared/text/message.ts';
import { SIGNAL_EVENTS } from '../../../shared/wire/events.ts';
import { iso, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import type { IngestResult } from '../ledger/arrival.ts';
import type { EntryRow } from '../ledger/entries.ts';
import { createDowntimeSummary } from './downtime.ts';

const MINUTE = 60_000;
const GAP: Gap = {
  id: 1,
  from: iso(T0),
  to: null,
  cause: plainMessage('Barograph was not running.'),
  closed: false,
  filled: 0,
  lost: false,
};

/** A ledger of these transitions, which counts its reads. */
function rig() {
  const metadata = new Map<string, string>();
  const rows: EntryRow[] = [];
  const watched = new Set(['SPY', 'QQQ']);
  const ledger = { reads: 0 };
  const summary = createDowntimeSummary(
    {
      metadata: {
        get: (name: string) => metadata.get(name) ?? null,
        set: (name: string, value: string) => void metadata.set(name, value),
      },
      entries: {
        signalsBetween(from: number, to: number) {
          ledger.reads += 1;
          return rows.filter(({ occurred_s }) => occurred_s >= from && occurred_s < to);
        },
      },
      transaction: (work: () => unknown) => work(),
    } as unknown as Parameters<typeof createDowntimeSummary>[0],
    (symbol) => watched.has(symbol),
  );
  const write = (symbol: string, from: 0 | 1 | 2, to: 0 | 1 | 2, at: number): void => {
    const data = transition(symbol, from, to, at);
    const event = SIGNAL_EVENTS[to];
    rows.push({
      ledger_id: rows.length + 1,
      event_id: data.event_id,
      event,
      symbol,
      to_state: to,
      body: '{}',
      transition: data,
      attributes: null,
      occurredAt: at,
      occurred_s: Math.floor(at / 1000),
      received_ms: at,
      decision: null,
      seq: null,
      log: 1,
      assumptions: null,
      sources: 'stream',
    });
    summary.added([{ ledgerId: rows.length, event: { occurredAt: at } }] as unknown as IngestResult['added']);
  };
  const symbolChanges = () =>
    summary.read()?.symbols.map(({ symbol, to_state, changes }) => [symbol, to_state, changes]);
  return { summary, write, symbolChanges, watched, ledger };
}

test('the downtime is read from the ledger once, and later events do not repeat that', () => {
  const { summary, write, symbolChanges, ledger } = rig();
  write('SPY', 0, 2, T0 + MINUTE);
  summary.ended([GAP], iso(T0 + 10 * MINUTE));
  for (let turn = 0; turn < 50; turn += 1) {
    write('SPY', 2, 1, T0 + (11 + turn) * MINUTE);
    expect(symbolChanges()).toEqual([['SPY', 2, 1]]);
  }
  expect(ledger.reads).toBe(1);
});

test('the downtime is read again when an event of that time arrives late, at its very ends too', () => {
  const { summary, write, symbolChanges } = rig();
  summary.ended([GAP], iso(T0 + 10 * MINUTE));
  expect(symbolChanges()).toEqual([]);
  write('SPY', 0, 1, T0);
  expect(symbolChanges()).toEqual([['SPY', 1, 1]]);
  write('SPY', 1, 2, T0 + 10 * MINUTE + 900);
  expect(symbolChanges()).toEqual([['SPY', 2, 2]]);
});

test('the downtime covers the symbols that are watched when it is requested', () => {
  const { summary, write, symbolChanges, watched } = rig();
  write('SPY', 0, 2, T0 + MINUTE);
  write('IWM', 0, 1, T0 + MINUTE);
  summary.ended([GAP], iso(T0 + 10 * MINUTE));
  expect(symbolChanges()).toEqual([['SPY', 2, 1]]);
  watched.add('IWM');
  expect(symbolChanges()).toEqual([
    ['SPY', 2, 1],
    ['IWM', 1, 1],
  ]);
});

test('the summary grows with a further downtime, and ends with its acknowledgement', () => {
  const { summary, write, symbolChanges } = rig();
  write('SPY', 0, 2, T0 + MINUTE);
  summary.ended([GAP], iso(T0 + 10 * MINUTE));
  expect(symbolChanges()).toEqual([['SPY', 2, 1]]);
  write('SPY', 2, 0, T0 + 25 * MINUTE);
  summary.ended([{ ...GAP, id: 2, from: iso(T0 + 20 * MINUTE) }], iso(T0 + 30 * MINUTE));
  expect(symbolChanges()).toEqual([['SPY', 0, 2]]);
  summary.acknowledge();
  expect(summary.read()).toBeNull();
});
