// Main, core: decides queued notifications: sent alone, listed in a digest, muted or dropped. Pure.
import { type Message, message } from '../../../shared/text/message.ts';
import type { EntryRow } from '../ledger/entries.ts';
import { MUTE_BATCH, type QueuedNotification, WATCH_BATCH } from '../ledger/notification-queue.ts';

export type BatchDecision =
  | { readonly kind: 'drop' | 'send'; readonly row: QueuedNotification; readonly reason: Message | null }
  | { readonly kind: 'mute'; readonly row: QueuedNotification; readonly reason: Message }
  | { readonly kind: 'digest'; readonly rows: readonly [QueuedNotification, ...QueuedNotification[]] };

export interface BatchContext {
  readonly acknowledged: ReadonlySet<number>;
  /** Ledger id -> reason of the current mute of its alert. */
  readonly muted: ReadonlyMap<number, Message>;
  /** Why no further notification may be sent now; null: it may. */
  readonly pause: Message | null;
}

/** Wait of the first notification of a batch for others, ms of this computer. */
const BATCH_WINDOW = { downtime: 5_000, burst: 10_000, flap: 30_000 };
/** Batches up to this size are sent one by one. */
const MAX_SINGLE: Readonly<Record<string, number>> = { downtime: 2, burst: 1, [MUTE_BATCH]: 2 };

/** Parses "group:SECONDS:GROUP": wait of the first of a group for others, ms; null for any other batch. */
function groupWaitOf(batch: string): number | null {
  const [kind, seconds] = batch.split(':');
  return kind === 'group' ? Number(seconds) * 1000 : null;
}
export const groupBatch = (seconds: number, group: string): string => `group:${seconds}:${group}`;

/** Parses "hold:SECONDS:EVENT": the time that the state must hold, ms; null for any other batch. */
export function holdTimeOf(batch: string): number | null {
  const [kind, seconds] = batch.split(':');
  return kind === 'hold' ? Number(seconds) * 1000 : null;
}

export function windowOf(batch: string): number {
  // It is written at once, and complete.
  if (batch === WATCH_BATCH) return 0;
  if (batch.startsWith('flap:')) return BATCH_WINDOW.flap;
  return holdTimeOf(batch) ?? groupWaitOf(batch) ?? (batch === 'downtime' ? BATCH_WINDOW.downtime : BATCH_WINDOW.burst);
}

/**
 * The rest of a batch's window, which began at `since`, ms. Restarts of the program do not restart the wait,
 * except for missed events, which wait for back-fill.
 */
export function remainingWindow(batch: string, since: number, now: number): number {
  const whole = windowOf(batch);
  const waited = now - since;
  return batch === 'downtime' || waited < 0 ? whole : Math.max(0, whole - waited);
}

/** Decides the rows of a due batch. */
export function decideBatch(
  batch: string,
  rows: readonly QueuedNotification[],
  { acknowledged, muted, pause }: BatchContext,
): BatchDecision[] {
  const decisions: BatchDecision[] = [];
  const ready: QueuedNotification[] = [];
  for (const row of rows) {
    const reason = muted.get(row.ledgerId);
    if (acknowledged.has(row.ledgerId)) decisions.push({ kind: 'drop', row, reason: message('dropped.acknowledged') });
    else if (reason !== undefined) decisions.push({ kind: 'mute', row, reason });
    else ready.push(row);
  }
  if (pause !== null) return [...decisions, ...ready.map((row) => ({ kind: 'drop' as const, row, reason: pause }))];
  const [first, ...others] = ready;
  if (first === undefined) return decisions;
  if (ready.length > (MAX_SINGLE[batch] ?? 1)) return [...decisions, { kind: 'digest', rows: [first, ...others] }];
  // A notification that is sent when a mute ends keeps the reason of the mute.
  const sent = ready.map((row) => ({
    kind: 'send' as const,
    row,
    reason: row.outcome === 'muted' ? row.reason : null,
  }));
  return [...decisions, ...sent];
}

/**
 * True when the state of an event lasted long enough, by the times of the events: the state of a late event
 * may have held and ended. True when one of the times is assumed, because the duration is unknown.
 * @param later changes of its symbol after the event
 * @param least ms of the world's clock
 */
export function hasHeld(entry: EntryRow, later: readonly EntryRow[], least: number): boolean {
  const state = entry.to_state;
  if (state === null) return true;
  const from = entry.transition?.from_state ?? null;
  const back = later.find(
    ({ to_state: to }) => to !== null && (from !== null && from > state ? to > state : to < state),
  );
  if (back === undefined || isDateAssumed(entry) || isDateAssumed(back)) return true;
  return (back.occurred_s - entry.occurred_s) * 1000 >= least;
}

const isDateAssumed = ({ assumptions }: EntryRow): boolean =>
  assumptions?.split(',').some((assumption) => assumption === 'date' || assumption === 'time') === true;
