// Main, core: the ledger's interface for back-fill, and the switch to a new log of the service.

import { DAY_MS } from '../../../shared/lib/time.ts';
import type { Message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { ArrivalSource, ReceivedEvent } from '../compat/received-event.ts';
import type { IngestResult } from '../ledger/arrival.ts';
import { startNewLog } from '../ledger/baseline.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import type { Receive } from '../receive.ts';
import type { Anchor } from './anchor.ts';

/** The part of the ledger that a reading of the service's log uses. */
export interface BackfillLedger {
  /** seq: null when the log has no numbers. */
  cursor(): { readonly eventId: string | null; readonly seq: number | null };
  /** Events pending beyond a hole. */
  pending(): readonly string[];
  /** The event after which reading begins, at or before the cursor; null: at the oldest. */
  start(): string | null;
  /** The service does not know the start event. */
  forgetStart(): void;
  forgetCursor(cause: Message): void;
  ingest(source: ArrivalSource, events: ReceivedEvent[], after?: string | null): IngestResult;
  /**
   * World time, ms, up to which transitions are known; null: none is known. Never later than the proven
   * instants or the present, whatever dates the events have.
   */
  newestTransition(): number | null;
  isKnown(eventId: string): boolean;
  /** True when the symbol entered High Risk in this range of world time, ms. */
  hasHighRisk(symbol: string, from: number, to: number): boolean;
  /** True when a list of the service contained this event. */
  isListed(eventId: string): boolean;
}

export interface BackfillLedgerDeps {
  readonly context: CoreContext;
  readonly ledger: Ledger;
  readonly anchor: Anchor;
  readonly receive: Receive;
}

/** Entries of one symbol within one alert that are looked through. */
const MOST_WITHIN = 1_000;

export function createBackfillLedger({ context, ledger, anchor, receive }: BackfillLedgerDeps): BackfillLedger {
  const { world, events } = context;
  /**
   * Instants up to which all is known: by world time, and by local time if the clocks differ by less than a
   * day.
   */
  const provenUntil = (): number[] => {
    const { metadata } = ledger;
    const byWorld = metadata.get('connected_until') ?? metadata.get('baseline');
    const { offset, speed } = world.view();
    const byHere = speed === 1 && Math.abs(offset) < DAY_MS ? metadata.get('proven_until_here') : null;
    return [byWorld, byHere].flatMap((instant) => (instant === null ? [] : [Date.parse(instant)]));
  };
  return {
    cursor: ledger.cursor,
    pending: ledger.pendingIds,
    start: anchor.from,
    forgetStart: anchor.forget,
    forgetCursor(cause) {
      const { metadata, newestTransition } = ledger;
      startNewLog(metadata, {
        world: world.now(),
        here: context.guard.clock.now(),
        speed: world.view().speed,
        newest: newestTransition(),
      });
      ledger.forgetCursor(cause, timestamp(world.now()));
      anchor.forget();
      events.signal('gapsChanged');
    },
    ingest: receive,
    newestTransition() {
      // An event dated in the future must not hide later missed events.
      const [newest] = ledger.entries.signalsBefore(Math.floor(world.now() / 1000) + 1, 0, 1);
      return newest === undefined ? null : Math.min(newest.occurred_s * 1000, ...provenUntil());
    },
    isKnown: (eventId) => ledger.entries.findById(eventId) !== undefined || ledger.removed.has(eventId),
    hasHighRisk(symbol, from, to) {
      const [first, last] = [Math.floor(from / 1000), Math.ceil(to / 1000)];
      const within = ledger.entries.signalsWithin(symbol, first, last, MOST_WITHIN);
      return [...within, ledger.entries.signalBefore(symbol, first)].some((row) => row?.to_state === 2);
    },
    isListed(eventId) {
      const sources = ledger.entries.findById(eventId)?.sources.split(',') ?? [];
      return sources.includes('backfill') || sources.includes('poll');
    },
  };
}
