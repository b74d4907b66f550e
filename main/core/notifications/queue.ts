// Main, core: the queue of notifications that are not dispatched at once: batched, pending or muted. Later each is
// dispatched alone, named in a digest, or dropped with its reason. All are rows of the ledger: a crash loses none.
import { sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { EntryRow } from '../ledger/entries.ts';
import { laterChanges } from '../ledger/later-changes.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { MUTE_BIN, type QueuedNotification } from '../ledger/notifications.ts';
import { transitionOf } from '../ledger/transition.ts';
import type { Logger } from '../ports.ts';
import { hasRunOut, mutedBy } from './mutes.ts';
import type { RuleStore } from './rule-store.ts';
import { digestId } from './text.ts';

export interface NotificationQueue {
  /** Something new waits, or a mute ended. */
  arrived(): void;
  /** All that was missed has been fetched: it is dispatched now. */
  caughtUp(): void;
  /** Takes up what a crash left waiting. */
  start(): void;
  stop(): void;
  /** How many alerts mutes keep back now, by symbol. */
  heldBack(): readonly (string | null)[];
}

export interface NotificationQueueOptions {
  readonly ledger: Ledger;
  readonly ruleStore: Pick<RuleStore, 'get' | 'quiet'>;
  readonly environment: 'sandbox' | 'production';
  readonly clock: Clock;
  readonly world: { now(): number; view(): { readonly speed: number } };
  readonly logger: Logger;
  readonly pause: () => string | null;
  /** There are new intents, or decisions about these events. */
  readonly onDecided: (ledgerIds: readonly number[]) => void;
  /** Mutes ended, or keep back others than before. */
  readonly onMutes: () => void;
}

/** How long the first of a batch waits for others, ms of this computer. */
const BATCH_WINDOW = { downtime: 5_000, burst: 10_000, flap: 30_000 };
/** Up to so many of a batch are dispatched one by one. */
const ALONE = { downtime: 2, burst: 1, flap: 1, mute: 2 };
/** What could not be written is tried again after, ms. */
const RETRY = 5_000;
/** How often the mutes are checked for their end, ms. */
const TICK = 1_000;

export function createNotificationQueue(options: NotificationQueueOptions): NotificationQueue {
  const { ledger, ruleStore, environment, clock, world, logger } = options;
  const { notifications, trace } = ledger;
  const timers = new Map<string, Cancel>();
  let cancelTick: Cancel = () => undefined;
  let hasMuted = false;

  const durationOf = (batch: string): number => {
    if (batch.startsWith('hold:')) return Number(batch.split(':')[1]) * 1000;
    return batch.startsWith('flap:')
      ? BATCH_WINDOW.flap
      : batch === 'downtime'
        ? BATCH_WINDOW.downtime
        : BATCH_WINDOW.burst;
  };
  const arm = (batch: string, ms = durationOf(batch)): void => {
    if (timers.has(batch)) return;
    timers.set(
      batch,
      clock.after(ms, () => {
        timers.delete(batch);
        decide(batch);
      }),
    );
  };
  /** A program that is restarted again and again must not begin to wait each time; what was missed waits for back-fill, which is quick. */
  const leftOf = (batch: string, since: number): number => {
    const whole = durationOf(batch);
    const waited = clock.now() - since;
    return batch === 'downtime' || waited < 0 ? whole : Math.max(0, whole - waited);
  };
  /** Writes what becomes of those that wait; tries again where the ledger cannot be written. */
  const decide = (batch: string): void => {
    let touched: readonly number[] = [];
    try {
      touched = ledger.transaction(() => {
        const rows = notifications.queued(batch);
        const [only] = rows;
        if (batch.startsWith('hold:') && only !== undefined) return settlePending(only);
        return releaseRows(rows, batch === 'downtime' ? ALONE.downtime : batch === 'burst' ? ALONE.burst : ALONE.flap);
      });
    } catch (error) {
      logger.warn({ batch, problem: messageOf(error) }, 'what waits could not be decided; it is tried again');
      arm(batch, RETRY);
    }
    if (touched.length > 0) options.onDecided(touched);
  };

  const entryOf = (ledgerId: number): EntryRow | undefined => ledger.entries.byLedgerIds([ledgerId])[0];
  const isMuted = (row: EntryRow): string | null => {
    const calendar = sessionCalendarOf(transitionOf(row)?.asset_class ?? 'etf', environment);
    return mutedBy(ledger.mutes.active(), ruleStore.quiet(), row.symbol, calendar, world.now())?.reason ?? null;
  };
  const drop = (row: QueuedNotification, why: string): void => {
    notifications.move(row.id, 'dropped', why, null, clock.now());
    trace.note(row.ledgerId, 'dropped', why, clock.now());
  };
  const sendSingle = (row: QueuedNotification, why: string): void => {
    notifications.move(row.id, 'intent', why, null, clock.now());
    for (const rule of channelsOf([row])) notifications.copyTo(rule, row.id, clock.now());
  };
  const channelsOf = (rows: readonly QueuedNotification[]): string[] =>
    [...new Set(rows.flatMap(({ rules }) => rules))].filter((id) => ruleStore.get(id)?.channel != null);

  /** Rows whose time has come. Returns the events about which something was decided. */
  const releaseRows = (rows: readonly QueuedNotification[], alone: number): number[] => {
    const ready: QueuedNotification[] = [];
    // Mostly nothing mutes, and there may be thousands of entries to be read.
    const mayBeMuted = ledger.mutes.active().length > 0 || ruleStore.quiet() !== null;
    const acknowledged = ledger.annotations.acknowledgedOf(rows.map(({ ledgerId }) => ledgerId));
    for (const row of rows) {
      const entry = mayBeMuted ? entryOf(row.ledgerId) : undefined;
      const muted = entry === undefined ? null : isMuted(entry);
      if (acknowledged.has(row.ledgerId)) drop(row, 'acknowledged before it was told');
      else if (muted !== null) {
        notifications.move(row.id, 'muted', muted, MUTE_BIN, clock.now());
        trace.note(row.ledgerId, 'waits', `Kept back: ${muted}.`, clock.now());
        hasMuted = true;
      } else ready.push(row);
    }
    const pause = ready.length > 0 ? options.pause() : null;
    if (pause !== null) for (const row of ready) drop(row, pause);
    else if (ready.length <= alone) for (const row of ready) sendSingle(row, row.outcome === 'muted' ? row.reason : '');
    else sendDigest(ready);
    return rows.map(({ ledgerId }) => ledgerId);
  };
  const sendDigest = (rows: readonly QueuedNotification[]): void => {
    const [first] = rows;
    if (first === undefined) return;
    const id = digestId(first.id);
    const rules = [...new Set(rows.flatMap((row) => row.rules))];
    notifications.write(
      gravest(rows),
      { id, kind: 'digest', rules, baseRate: null, outcome: 'intent', reason: first.reason, batch: null },
      clock.now(),
    );
    notifications.join(
      rows.map((row) => row.id),
      id,
      clock.now(),
    );
    for (const [reason, same] of Map.groupBy(rows, (row) => row.reason)) {
      const message = `Named with ${rows.length - 1} others in one notification: ${reason}.`;
      trace.noteEach(
        same.map(({ ledgerId }) => ledgerId),
        'digest',
        message,
        clock.now(),
      );
    }
    for (const rule of channelsOf(rows)) notifications.copyTo(rule, id, clock.now());
  };
  /** The event that a digest opens with: the highest state, then the surest, then the newest. */
  const gravest = (rows: readonly QueuedNotification[]): number => {
    const graded = ledger.entries.byLedgerIds(rows.map(({ ledgerId }) => ledgerId)).map((row) => ({
      id: row.ledger_id,
      grade: [row.to_state ?? -1, transitionOf(row)?.confidence ?? -1, row.occurred_s] as const,
    }));
    graded.sort((a, b) => b.grade[0] - a.grade[0] || b.grade[1] - a.grade[1] || b.grade[2] - a.grade[2]);
    return graded[0]?.id ?? 0;
  };

  const settlePending = (row: QueuedNotification): number[] => {
    const entry = entryOf(row.ledgerId);
    const from = entry === undefined ? null : (transitionOf(entry)?.from_state ?? null);
    const state = entry?.to_state ?? null;
    const isBack = ({ to_state: later }: EntryRow): boolean =>
      later !== null && state !== null && (from !== null && from > state ? later > state : later < state);
    const back = entry === undefined ? undefined : laterChanges(ledger, entry).find(isBack);
    // By the times of the events: what came late may have held long enough, and be over.
    const lastedMs =
      back === undefined || entry === undefined
        ? Number.POSITIVE_INFINITY
        : (back.occurred_s - entry.occurred_s) * 1000;
    if (lastedMs < durationOf(row.batch) * Math.max(1, world.view().speed)) drop(row, 'it did not hold');
    else releaseRows([row], 1);
    return [row.ledgerId];
  };

  /** Ends mutes whose time came; notifies again what is still active. */
  const checkMutes = (): void => {
    const active = ledger.mutes.active();
    if (active.length === 0 && !hasMuted) return;
    const now = world.now();
    const over = active.filter((mute) => hasRunOut(mute, now));
    let touched: number[] = [];
    try {
      touched = ledger.transaction(() => {
        for (const mute of over) ledger.mutes.end(mute.id, timestamp(mute.untilAt ?? now), 'its time came');
        return release();
      });
    } catch (error) {
      logger.warn({ problem: messageOf(error) }, 'the end of a mute could not be written; it is tried again');
    }
    if (touched.length > 0) options.onDecided(touched);
    if (touched.length > 0 || over.length > 0) options.onMutes();
  };
  const release = (): number[] => {
    const rows = notifications.queued(MUTE_BIN);
    const ready: QueuedNotification[] = [];
    const dropped: number[] = [];
    for (const row of rows) {
      const entry = entryOf(row.ledgerId);
      if (entry === undefined || isMuted(entry) !== null) continue;
      const [next] = laterChanges(ledger, entry);
      if (next === undefined) ready.push(row);
      else {
        drop(row, `${row.reason}, and over before that ended`);
        dropped.push(row.ledgerId);
      }
    }
    hasMuted = rows.length > ready.length + dropped.length;
    return [...dropped, ...releaseRows(ready, ALONE.mute)];
  };

  const resume = (): void => {
    for (const batch of notifications.queuedBatches()) {
      if (batch === MUTE_BIN) hasMuted = true;
      if (batch === MUTE_BIN || timers.has(batch)) continue;
      const [first] = notifications.queued(batch);
      if (first !== undefined) arm(batch, leftOf(batch, first.since));
    }
  };

  return {
    arrived() {
      resume();
      checkMutes();
    },
    caughtUp() {
      timers.get('downtime')?.();
      if (timers.delete('downtime')) decide('downtime');
    },
    start() {
      resume();
      const tick = (): void => {
        cancelTick = clock.after(TICK, () => {
          tick();
          checkMutes();
        });
      };
      tick();
    },
    stop() {
      cancelTick();
      for (const cancel of timers.values()) cancel();
      timers.clear();
    },
    heldBack: () =>
      hasMuted ? notifications.queued(MUTE_BIN).map(({ ledgerId }) => entryOf(ledgerId)?.symbol ?? null) : [],
  };
}
