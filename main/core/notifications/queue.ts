// Main, core: the queued notifications, as rows of the ledger; decides each batch when it is due.
import { type Cancel, type Clock, every } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { EventBus } from '../events.ts';
import type { EntryRow } from '../ledger/entries.ts';
import { laterChanges } from '../ledger/later-changes.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { MUTE_BIN, type QueuedNotification } from '../ledger/notifications.ts';
import type { Logger } from '../ports.ts';
import { type BatchDecision, decideBatch, gravestOf, hasHeld, holdTimeOf, remainingWindow } from './batching.ts';
import type { Dispatcher } from './dispatcher.ts';
import { hasRunOut } from './mutes.ts';
import type { DispatchPolicy } from './policy.ts';
import { digestId } from './text.ts';

export interface NotificationQueue {
  /** A notification was queued, or a mute ended. */
  arrived(): void;
  /** Every missed event has been fetched: dispatches them now. */
  caughtUp(): void;
  /** Resumes the queue that a crash left. */
  start(): void;
  stop(): void;
  /** The symbols of the currently muted alerts, one per alert. */
  heldBack(): readonly (string | null)[];
}

export interface NotificationQueueOptions {
  readonly ledger: Ledger;
  readonly policy: DispatchPolicy;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
  readonly events: Pick<EventBus, 'emit' | 'signal'>;
  readonly clock: Clock;
  readonly world: { now(): number; view(): { readonly speed: number } };
  readonly logger: Logger;
}

/** Delay after a failed write, ms. */
const RETRY = 5_000;
/** Interval of the checks for ended mutes, ms. */
const MUTE_CHECK_INTERVAL = 1_000;

export function createNotificationQueue(options: NotificationQueueOptions): NotificationQueue {
  const { ledger, policy, dispatcher, events, clock, world, logger } = options;
  const { notifications } = ledger;
  const apply = createDecisionWriter(options);
  const timers = new Map<string, Cancel>();
  let cancelChecks: Cancel = () => undefined;
  let hasMuted = false;

  const entryOf = (ledgerId: number): EntryRow | undefined => ledger.entries.byLedgerIds([ledgerId])[0];
  const announce = (ledgerIds: readonly number[]): void => {
    if (ledgerIds.length === 0) return;
    dispatcher.wake();
    events.emit('alertsChanged', { ledgerIds });
  };
  const arm = (batch: string, ms: number): void => {
    if (timers.has(batch)) return;
    const decideLater = (): void => {
      timers.delete(batch);
      decide(batch);
    };
    timers.set(batch, clock.after(ms, decideLater));
  };
  /** Writes the decisions about a batch; retries where the ledger cannot be written. */
  const decide = (batch: string): void => {
    let touched: readonly number[] = [];
    try {
      touched = ledger.transaction(() => {
        const rows = notifications.queued(batch);
        const [only] = rows;
        const hold = holdTimeOf(batch);
        return hold !== null && only !== undefined ? settlePending(only, hold) : releaseRows(batch, rows);
      });
    } catch (error) {
      logger.warn({ batch, problem: messageOf(error) }, 'a batch could not be decided; it is tried again');
      arm(batch, RETRY);
    }
    announce(touched);
  };
  /** Returns the events with a decision. */
  const releaseRows = (batch: string, rows: readonly QueuedNotification[]): number[] => {
    const muted = new Map<number, string>();
    // Usually nothing is muted, and there may be thousands of entries to read.
    if (policy.mayMute())
      for (const { ledgerId } of rows) {
        const entry = entryOf(ledgerId);
        const reason = entry === undefined ? null : policy.mutedBy(entry);
        if (reason !== null) muted.set(ledgerId, reason);
      }
    const acknowledged = ledger.annotations.acknowledgedOf(rows.map(({ ledgerId }) => ledgerId));
    const decisions = decideBatch(batch, rows, { acknowledged, muted, pause: policy.pause() });
    for (const decision of decisions) apply(decision);
    if (decisions.some(({ kind }) => kind === 'mute')) hasMuted = true;
    return rows.map(({ ledgerId }) => ledgerId);
  };
  const settlePending = (row: QueuedNotification, hold: number): number[] => {
    const entry = entryOf(row.ledgerId);
    const least = hold * Math.max(1, world.view().speed);
    if (entry !== undefined && !hasHeld(entry, laterChanges(ledger, entry), least))
      apply({ kind: 'drop', row, reason: 'it did not hold' });
    else releaseRows(row.batch, [row]);
    return [row.ledgerId];
  };

  /** Ends expired mutes; notifies again alerts that are still active. */
  const checkMutes = (): void => {
    const active = ledger.mutes.active();
    if (active.length === 0 && !hasMuted) return;
    const now = world.now();
    const over = active.filter((mute) => hasRunOut(mute, now));
    let touched: number[] = [];
    try {
      touched = ledger.transaction(() => {
        for (const mute of over) ledger.mutes.end(mute.id, timestamp(mute.untilAt ?? now), 'its time came');
        return releaseMuted();
      });
    } catch (error) {
      logger.warn({ problem: messageOf(error) }, 'the end of a mute could not be written; it is tried again');
    }
    announce(touched);
    if (touched.length > 0 || over.length > 0) events.signal('mutesChanged');
  };
  const releaseMuted = (): number[] => {
    const rows = notifications.queued(MUTE_BIN);
    const ready: QueuedNotification[] = [];
    const dropped: number[] = [];
    for (const row of rows) {
      const entry = entryOf(row.ledgerId);
      if (entry === undefined || policy.mutedBy(entry) !== null) continue;
      if (laterChanges(ledger, entry).length === 0) ready.push(row);
      else {
        apply({ kind: 'drop', row, reason: `${row.reason}, and over before that ended` });
        dropped.push(row.ledgerId);
      }
    }
    hasMuted = rows.length > ready.length + dropped.length;
    return [...dropped, ...releaseRows(MUTE_BIN, ready)];
  };

  const resume = (): void => {
    for (const batch of notifications.queuedBatches()) {
      if (batch === MUTE_BIN) hasMuted = true;
      if (batch === MUTE_BIN || timers.has(batch)) continue;
      const [first] = notifications.queued(batch);
      if (first !== undefined) arm(batch, remainingWindow(batch, first.since, clock.now()));
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
      cancelChecks = every(clock, MUTE_CHECK_INTERVAL, checkMutes);
    },
    stop() {
      cancelChecks();
      for (const cancel of timers.values()) cancel();
      timers.clear();
    },
    heldBack: () =>
      hasMuted ? notifications.queued(MUTE_BIN).map(({ ledgerId }) => entryOf(ledgerId)?.symbol ?? null) : [],
  };
}

/** Writes one decision, with its step in the trace of each event. */
function createDecisionWriter({
  ledger,
  policy,
  clock,
}: Pick<NotificationQueueOptions, 'ledger' | 'policy' | 'clock'>): (decision: BatchDecision) => void {
  const { notifications, trace } = ledger;
  const copyToChannels = (rows: readonly QueuedNotification[], id: string): void => {
    for (const rule of policy.withChannel(rows.flatMap(({ rules }) => rules)))
      notifications.copyTo(rule, id, clock.now());
  };
  const sendDigest = (rows: readonly [QueuedNotification, ...QueuedNotification[]]): void => {
    const [{ id: firstId, reason: firstReason }] = rows;
    const id = digestId(firstId);
    const rules = [...new Set(rows.flatMap((row) => row.rules))];
    const gravest = gravestOf(ledger.entries.byLedgerIds(rows.map(({ ledgerId }) => ledgerId)));
    notifications.write(
      gravest,
      { id, kind: 'digest', rules, baseRate: null, outcome: 'intent', reason: firstReason, batch: null },
      clock.now(),
    );
    notifications.join(
      rows.map((row) => row.id),
      id,
      clock.now(),
    );
    for (const [reason, same] of Map.groupBy(rows, (row) => row.reason)) {
      const message = `Named with ${rows.length - 1} others in one notification: ${reason}.`;
      const ledgerIds = same.map(({ ledgerId }) => ledgerId);
      trace.noteEach(ledgerIds, 'digest', message, clock.now());
    }
    copyToChannels(rows, id);
  };
  return (decision) => {
    if (decision.kind === 'digest') return sendDigest(decision.rows);
    const { kind, row, reason } = decision;
    const at = clock.now();
    switch (kind) {
      case 'drop':
        notifications.move(row.id, 'dropped', reason, null, at);
        trace.note(row.ledgerId, 'dropped', reason, at);
        return;
      case 'mute':
        notifications.move(row.id, 'muted', reason, MUTE_BIN, at);
        trace.note(row.ledgerId, 'waits', `Kept back: ${reason}.`, at);
        return;
      case 'send':
        notifications.move(row.id, 'intent', reason, null, at);
        copyToChannels([row], row.id);
    }
  };
}
