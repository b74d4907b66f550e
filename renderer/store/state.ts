// Renderer: what a window holds. Plain data only: it is replaced by reduce.ts, written by ingest.ts, and read by everything else.
import type { Alerting } from '../../shared/channels/alerting.ts';
import type { ArchiveView } from '../../shared/channels/archive.ts';
import type { Profiles } from '../../shared/channels/profiles.ts';
import type { RelayView } from '../../shared/channels/relay.ts';
import type { SelfTestView } from '../../shared/channels/self-test.ts';
import type { ShellView } from '../../shared/channels/shell.ts';
import type { Alert, Connection, Gap, Row, Snapshot } from '../../shared/channels/state.ts';
import type { Watchlist } from '../../shared/domain/watchlists.ts';

/** The core's state as this window knows it. */
export interface CoreSnapshot {
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
  /** Grows whenever what was read before may have holes: after a new snapshot and when the connection returns. */
  readonly epoch: number;
  /** Grows whenever the connection comes back, to the core or to the service: what could not be read before can be asked for again. */
  readonly reconnects: number;
}

/** Feature states that the core pushes, beside the snapshot; null until it was received. */
export interface FeatureStates {
  readonly alerting: Alerting;
  readonly relay: RelayView;
  readonly archive: ArchiveView;
  readonly selfTest: SelfTestView;
  readonly profiles: Profiles;
  readonly shell: ShellView;
}
export type FeatureName = keyof FeatureStates;

/** What must be spoken once, in order. Its text is made where it is spoken. */
export type Announcement =
  | { readonly id: string; readonly kind: 'high_risk'; readonly alert: Alert; readonly baseRate: number | null }
  | {
      readonly id: string;
      readonly kind: 'outage' /** World time, ms. */;
      readonly since: number;
      readonly cause: string;
    };

export interface AppState {
  /** waiting: nothing received yet. down: the core was there and is gone. */
  readonly link: 'waiting' | 'up' | 'down';
  /** This computer's time when `link` became what it is, ms; null before anything was received. */
  readonly linkSince: number | null;
  /** Set when this window will not receive anything from the core again, and what to do, as text. */
  readonly ended: string | null;
  /** Why there is no state to show, or why the last intent was refused. */
  readonly problem: string | null;
  readonly snapshot: CoreSnapshot | null;
  readonly features: { readonly [Name in FeatureName]: FeatureStates[Name] | null };
  readonly announcements: readonly Announcement[];
}

export const EMPTY_STATE: AppState = {
  link: 'waiting',
  linkSince: null,
  ended: null,
  problem: null,
  snapshot: null,
  features: { alerting: null, relay: null, archive: null, selfTest: null, profiles: null, shell: null },
  announcements: [],
};
