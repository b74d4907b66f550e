// Renderer: what a window holds. Plain data only: it is replaced by reduce.ts, written by ingest.ts, and read by everything else.
import type { Alert, Connection, Gap, Row, Snapshot, Timeline } from '../../shared/channels/state.ts';
import type { Watchlist } from '../../shared/domain/watchlists.ts';

/** The core's state as this window knows it. */
export interface Board {
  readonly profile: Snapshot['profile'];
  readonly connection: Connection;
  /** This computer's time when `connection` arrived, ms: the anchor of the world clock. */
  readonly anchoredAt: number;
  readonly watchlists: readonly Watchlist[];
  readonly selected: string | null;
  readonly rows: Readonly<Record<string, Row>>;
  /** Newest first. */
  readonly alerts: readonly Alert[];
  readonly gaps: readonly Gap[];
  readonly ledger: Snapshot['ledger'];
  readonly notifier: Snapshot['notifier'];
  /** Grows whenever what was read before may have holes: after a new snapshot and when sight returns. */
  readonly epoch: number;
}

/** One symbol's timeline as far as it was read. The old one stays visible while a new one is awaited. */
export interface TimelineSlot {
  readonly status: 'reading' | 'ready' | 'failed';
  readonly timeline: Timeline | null;
  /** Why it could not be read, in words. */
  readonly problem: string | null;
}

/** What must be spoken once, in order. Words are found where it is spoken. */
export type Announcement =
  | { readonly id: string; readonly kind: 'high_risk'; readonly alert: Alert; readonly baseRate: number | null }
  | { readonly id: string; readonly kind: 'blind' /** World time, ms. */; readonly since: number; readonly cause: string };

export interface AppState {
  /** waiting: nothing heard yet. down: the core was there and is gone. */
  readonly link: 'waiting' | 'up' | 'down';
  /** This computer's time when `link` became what it is, ms; null before anything was heard. */
  readonly linkSince: number | null;
  /** Set when this window will not hear of the core again, and what to do, in words. */
  readonly ended: string | null;
  /** Why there is no state to show, or why the last intent was refused; in words. */
  readonly problem: string | null;
  readonly board: Board | null;
  readonly timelines: Readonly<Record<string, TimelineSlot>>;
  readonly announcements: readonly Announcement[];
}

export const EMPTY_STATE: AppState = {
  link: 'waiting',
  linkSince: null,
  ended: null,
  problem: null,
  board: null,
  timelines: {},
  announcements: [],
};
