// Main, core: the state that windows show: one snapshot, then numbered changes, batched.

import type { z } from 'zod';
import {
  type Alert,
  type Change,
  type Connection,
  type Gap,
  MAX_ALERTS,
  type NumberedChanges,
  type ProfileViewSchema,
  type Row,
  type Snapshot,
} from '../../../shared/channels/state.ts';
import type { Watchlist } from '../../../shared/domain/watchlists.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';

/** The source of each part of the state; the state holds no copy. */
export interface StateSources {
  profile(): z.infer<typeof ProfileViewSchema>;
  connection(): Connection;
  watchlists(): Watchlist[];
  selected(): string | null;
  rows(symbols?: readonly string[]): Row[];
  /** Without ids: the newest. */
  alerts(ledgerIds?: readonly number[]): Alert[];
  gaps(): Gap[];
  ledger(): Snapshot['ledger'];
  notifier(): Snapshot['notifier'];
  /** Ledger ids of the alerts that need attention; the same set while nothing changed. */
  attention(): ReadonlySet<number>;
}

type StatePart = 'connection' | 'profile' | 'watchlists' | 'gaps' | 'ledger' | 'notifier';

export interface CoreState {
  snapshot(): Snapshot;
  /** Marks a part as changed; it is pushed with the next batch. */
  touch(part: StatePart): void;
  touchRows(symbols: readonly string[]): void;
  touchAlerts(ledgerIds: readonly number[]): void;
  /** The set of alerts that need attention may have changed. */
  touchAttention(): void;
  stop(): void;
}

/**
 * Least time between two pushes, ms: half a frame. A change after a pause is pushed at once, later ones in a
 * batch.
 */
const BATCH_INTERVAL = 8;
/**
 * More alerts than this at once are a flood: nobody reads so many in a frame, and reading them is the most
 * expensive part of a push.
 */
export const FEW_ALERTS = 20;
/**
 * Least time between two pushes of alerts in a flood, ms; each sends the whole list where more arrived than a
 * window keeps.
 */
const FLOOD_BATCH_INTERVAL = 500;
/** Delay of updates to many known alerts, ms; it never delays a new alert. */
const UPDATE_BATCH_INTERVAL = 250;

export function createState(clock: Clock, sources: StateSources, push: (changes: NumberedChanges) => void): CoreState {
  let number = 0;
  const parts = new Set<StatePart>();
  const rows = new Set<string>();
  /** Ledger ids of alerts that no window has, and of alerts to send again. */
  const fresh = new Set<number>();
  const again = new Set<number>();
  /** The newest alert that windows have. */
  let highest = 0;
  let cancel: Cancel | null = null;
  let flushedAt = Number.NEGATIVE_INFINITY;
  let floodAt = Number.NEGATIVE_INFINITY;
  let againAt = Number.NEGATIVE_INFINITY;
  /** Number of updates sent since then. */
  let shownAgain = 0;
  let lastAttention: ReadonlySet<number> = new Set();
  let lastNotifier = JSON.stringify(sources.notifier());

  // A clock that was set back counts as elapsed.
  const isWithin = (ms: number, since: number): boolean => Math.abs(clock.now() - since) < ms;
  const mayShowFresh = (): boolean => {
    if (fresh.size <= FEW_ALERTS) return true;
    if (isWithin(FLOOD_BATCH_INTERVAL, floodAt)) return false;
    floodAt = clock.now();
    return true;
  };
  const mayShowAgain = (): boolean => {
    if (!isWithin(UPDATE_BATCH_INTERVAL, againAt)) {
      againAt = clock.now();
      shownAgain = 0;
    } else if (shownAgain + again.size > FEW_ALERTS) return false;
    shownAgain += again.size;
    return true;
  };
  /** Takes the alerts that may be pushed now out of the queue. */
  const takeAlerts = (): number[] => {
    const taken: number[] = [];
    if (fresh.size > 0 && mayShowFresh()) {
      for (const id of fresh) {
        taken.push(id);
        highest = Math.max(highest, id);
      }
      fresh.clear();
    }
    if (again.size > 0 && mayShowAgain()) {
      taken.push(...again);
      again.clear();
    }
    return taken;
  };
  /** An alert, or the end of a snooze, may change the need of earlier alerts: those are sent again. */
  const compareAttention = (): void => {
    const attention = sources.attention();
    if (attention === lastAttention) return;
    for (const id of [...attention, ...lastAttention])
      if (attention.has(id) !== lastAttention.has(id) && !fresh.has(id)) again.add(id);
    lastAttention = attention;
  };
  const flush = (): void => {
    cancel = null;
    flushedAt = clock.now();
    // No event announces that a desktop stops or starts to show notifications: the status changes with a
    // dispatch, which is pushed anyway.
    const notifier = JSON.stringify(sources.notifier());
    if (notifier !== lastNotifier) parts.add('notifier');
    lastNotifier = notifier;
    compareAttention();
    const changes: Change[] = [];
    // Rows and alerts first: they are newer than the window's counters.
    if (rows.size > 0) {
      const changed = sources.rows([...rows]);
      if (changed.length > 0) changes.push({ part: 'rows', rows: changed });
    }
    const alerts = takeAlerts();
    if (alerts.length > 0) {
      // More than a window keeps: read those that occurred last, which may not be those that arrived last.
      const changed = sources.alerts(alerts.length > MAX_ALERTS ? undefined : alerts);
      if (changed.length > 0) changes.push({ part: 'alerts', alerts: changed });
    }
    for (const part of parts) changes.push(whole(part));
    rows.clear();
    parts.clear();
    if (fresh.size + again.size > 0) soon();
    if (changes.length === 0) return;
    number += 1;
    push({ number, changes });
  };
  const whole = (part: StatePart): Change => {
    switch (part) {
      case 'connection':
        return { part, connection: sources.connection() };
      case 'profile':
        return { part, profile: sources.profile() };
      case 'watchlists':
        return { part, watchlists: sources.watchlists() };
      case 'gaps':
        return { part, gaps: sources.gaps() };
      case 'ledger':
        return { part, ledger: sources.ledger() };
      case 'notifier':
        return { part, notifier: sources.notifier() };
    }
  };
  const soon = (): void => {
    cancel ??= clock.after(isWithin(BATCH_INTERVAL, flushedAt) ? BATCH_INTERVAL : 0, flush);
  };

  return {
    snapshot: () => ({
      number,
      profile: sources.profile(),
      connection: sources.connection(),
      watchlists: sources.watchlists(),
      selected: sources.selected(),
      rows: sources.rows(),
      alerts: sources.alerts(),
      gaps: sources.gaps(),
      ledger: sources.ledger(),
      notifier: sources.notifier(),
    }),
    touch(part) {
      parts.add(part);
      soon();
    },
    touchRows(symbols) {
      if (symbols.length === 0) return;
      for (const symbol of symbols) rows.add(symbol);
      soon();
    },
    touchAlerts(ledgerIds) {
      if (ledgerIds.length === 0) return;
      // With one more than a window keeps, the whole list is read, and single ids do not matter.
      for (const id of ledgerIds) {
        const waiting = id > highest ? fresh : again;
        if (waiting.size <= MAX_ALERTS) waiting.add(id);
      }
      soon();
    },
    touchAttention: soon,
    stop() {
      cancel?.();
      cancel = null;
    },
  };
}
