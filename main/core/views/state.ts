// Main, core: the state that windows show: one snapshot, then numbered changes, batched.
import {
  type Alert,
  type Change,
  MAX_ALERTS,
  type NumberedChanges,
  type Row,
  type Snapshot,
} from '../../../shared/channels/state.ts';
import { type Cancel, type Clock, isRecent } from '../../../shared/lib/clock.ts';
import { createAlertQueue } from './alert-queue.ts';

/** A part that is sent as a whole. */
type WholePart = Exclude<Change['part'], 'rows' | 'alerts'>;

/** Reads the parts of the state, which holds no copy. */
export interface StateSources {
  readonly parts: { readonly [Part in WholePart]: () => Snapshot[Part] };
  selected(): string | null;
  rows(symbols?: readonly string[]): Row[];
  /** Without ids: the alerts of the snapshot. */
  alerts(ledgerIds?: readonly number[]): Alert[];
  /** Ledger ids of the alerts that need attention; the same set while nothing changed. */
  attention(): ReadonlySet<number>;
}

export interface CoreState {
  snapshot(): Snapshot;
  /** Marks a part as changed; it is pushed with the next batch. */
  touch(part: WholePart): void;
  touchRows(symbols: readonly string[]): void;
  touchAlerts(ledgerIds: readonly number[]): void;
  /** The set of alerts that need attention may have changed. */
  touchAttention(): void;
  /** Ledger ids changed: windows take the snapshot again. */
  replace(): void;
  stop(): void;
}

/**
 * Least time between two pushes, ms: half a frame. A change after a pause is pushed at once, later ones in a
 * batch.
 */
const BATCH_INTERVAL = 8;

export function createState(
  clock: Clock,
  sources: StateSources,
  push: (changes: NumberedChanges) => void,
  firstNumber = 0,
): CoreState {
  const { parts } = sources;
  let alerts = createAlertQueue(clock);
  const changedParts = new Set<WholePart>();
  const changedRows = new Set<string>();
  let number = firstNumber;
  let cancel: Cancel | null = null;
  let flushedAt = Number.NEGATIVE_INFINITY;
  let lastNotifier = JSON.stringify(parts.notifier());

  const rowChanges = (): Change[] => {
    const rows = changedRows.size === 0 ? [] : sources.rows([...changedRows]);
    return rows.length === 0 ? [] : [{ part: 'rows', rows }];
  };
  const alertChanges = (): Change[] => {
    const { ids, settled } = alerts.take();
    // More alerts than a window keeps: reads those that occurred last, which need not have arrived last.
    const isMany = ids.length > MAX_ALERTS;
    const changed = ids.length === 0 ? [] : sources.alerts(isMany ? undefined : ids);
    if (isMany && settled.length > 0) changed.push(...sources.alerts(settled));
    return changed.length === 0 ? [] : [{ part: 'alerts', alerts: changed }];
  };
  const whole = (part: WholePart): Change => ({ part, [part]: parts[part]() }) as unknown as Change;
  const flush = (): void => {
    cancel = null;
    flushedAt = clock.now();
    // No event announces that a desktop stops showing notifications: the status changes with a dispatch,
    // which causes a push anyway.
    const notifier = JSON.stringify(parts.notifier());
    if (notifier !== lastNotifier) changedParts.add('notifier');
    lastNotifier = notifier;
    alerts.compareAttention(sources.attention());
    // Rows and alerts come first, because they are newer than the window's counters.
    const changes = [...rowChanges(), ...alertChanges(), ...[...changedParts].map(whole)];
    changedRows.clear();
    changedParts.clear();
    if (alerts.hasPending()) soon();
    if (changes.length === 0) return;
    number += 1;
    push({ number, changes });
  };
  const soon = (): void => {
    cancel ??= clock.after(isRecent(clock, flushedAt, BATCH_INTERVAL) ? BATCH_INTERVAL : 0, flush);
  };

  return {
    snapshot: () => ({
      number,
      profile: parts.profile(),
      connection: parts.connection(),
      watchlists: parts.watchlists(),
      selected: sources.selected(),
      rows: sources.rows(),
      alerts: sources.alerts(),
      local_alerts: parts.local_alerts(),
      gaps: parts.gaps(),
      ledger: parts.ledger(),
      notifier: parts.notifier(),
    }),
    touch(part) {
      changedParts.add(part);
      soon();
    },
    touchRows(symbols) {
      if (symbols.length === 0) return;
      for (const symbol of symbols) changedRows.add(symbol);
      soon();
    },
    touchAlerts(ledgerIds) {
      if (ledgerIds.length === 0) return;
      alerts.add(ledgerIds);
      soon();
    },
    touchAttention: soon,
    replace() {
      // The gap in the numbers makes windows take the snapshot again.
      number += 1;
      alerts = createAlertQueue(clock);
      soon();
    },
    stop() {
      cancel?.();
      cancel = null;
    },
  };
}
