// Test harness: a ledger in a folder of its own, and events for it.
import { afterEach, beforeEach } from 'vitest';
import type { ArrivalSource, ReceivedEvent } from '../../main/core/compat/received-event.ts';
import type { IngestResult } from '../../main/core/ledger/arrival.ts';
import { type Ledger, openLedger } from '../../main/core/ledger/ledger.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { folderInMemory } from './folders.ts';

export const START = Date.parse('2026-03-02T14:30:00.000Z');

export interface LedgerBench {
  readonly ledger: Ledger;
  readonly folder: string;
  /** Every High Risk is notified. */
  take(events: readonly ReceivedEvent[], source?: ArrivalSource, after?: string | null): IngestResult;
  reopen(): void;
  /** A new ledger in memory. */
  restart(): void;
}

export function setUpLedger(): LedgerBench {
  let folder: ReturnType<typeof folderInMemory>;
  let ledger: Ledger;
  beforeEach(() => {
    folder = folderInMemory();
    ledger = openLedger(folder.path, 'now');
  });
  afterEach(() => {
    ledger.close();
    folder.remove();
  });
  return {
    get ledger() {
      return ledger;
    },
    get folder() {
      return folder.path;
    },
    take: (events, source = 'stream', after) =>
      ledger.ingest({
        source,
        events,
        receivedAt: START,
        evaluate: (one) => ({
          reason: 'r',
          why: null,
          notification:
            one.transition?.to_state === 2
              ? {
                  id: `n:${one.eventId}`,
                  kind: 'alert',
                  rules: ['high-risk'],
                  baseRate: 12,
                  outcome: 'intent',
                  reason: null,
                  batch: null,
                }
              : null,
          ends: [],
        }),
        ...(after === undefined ? {} : { after }),
      }),
    reopen() {
      ledger.close();
      ledger = openLedger(folder.path, timestamp(START));
    },
    restart() {
      ledger.close();
      ledger = openLedger(':memory:', 'now');
    },
  };
}

/** Number `seq` of a log: one minute after the one before. */
export const event = (seq: number | null, more: Partial<ReceivedEvent> & { state?: 0 | 1 | 2 } = {}): ReceivedEvent => {
  const { state = 2, symbol = 'SPY', occurredAt = START + (seq ?? 0) * 60_000, ...rest } = more;
  const eventId = more.eventId ?? `e${seq}`;
  return {
    eventId,
    seq,
    event: ['signal.normal', 'signal.elevated', 'signal.high_risk'][state] ?? '',
    occurredAt,
    symbol,
    transition: {
      event_id: eventId,
      symbol: symbol ?? '',
      asset_class: 'etf',
      from_state: 0,
      to_state: state,
      state_name: 'high_risk',
      regime: null,
      confidence: null,
      note: '',
      occurred_at: new Date(occurredAt).toISOString(),
      model_version: '',
    },
    attributes: null,
    body: '{}',
    assumptions: [],
    ...rest,
  };
};

export const instant = (iso: string) => ({ world: Date.parse(iso), here: Date.parse(iso) });
