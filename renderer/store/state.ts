// Renderer: the types of a window's state: plain data, reduced by reduce.ts, written by ingest.ts.
import type { Alerting } from '../../shared/channels/alerting.ts';
import type { ArchiveView } from '../../shared/channels/archive.ts';
import type { Profiles } from '../../shared/channels/profiles.ts';
import type { RelayView } from '../../shared/channels/relay.ts';
import type { SelfTestView } from '../../shared/channels/self-test.ts';
import type { ShellView } from '../../shared/channels/shell.ts';
import type { Alert, Connection, Gap, LocalAlert, Row, Snapshot } from '../../shared/channels/state.ts';
import type { Watchlist } from '../../shared/domain/watchlists.ts';
import type { Message } from '../../shared/text/message.ts';

/** The window's copy of the core's state. */
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
  /** Newest first. */
  readonly local_alerts: readonly LocalAlert[];
  readonly gaps: readonly Gap[];
  readonly ledger: Snapshot['ledger'];
  readonly notifier: Snapshot['notifier'];
  /** Grows whenever earlier reads may have gaps: after a new snapshot and when the connection returns. */
  readonly epoch: number;
  /** Grows whenever the core or the service is reachable again: failed reads can be retried. */
  readonly reconnects: number;
}

/** Feature states that the core pushes beside the snapshot; null until received. */
export interface FeatureStates {
  readonly alerting: Alerting;
  readonly relay: RelayView;
  readonly archive: ArchiveView;
  readonly selfTest: SelfTestView;
  readonly profiles: Profiles;
  readonly shell: ShellView;
}
export type FeatureName = keyof FeatureStates;

/** An announcement for screen readers, spoken once, in order. Components make its text. */
export type Announcement =
  | { readonly id: string; readonly kind: 'high_risk'; readonly alert: Alert; readonly baseRate: number | null }
  | {
      readonly id: string;
      readonly kind: 'outage' /** World time, ms. */;
      readonly since: number;
      readonly cause: Message;
    }
  /** Data arrives again. */
  | { readonly id: string; readonly kind: 'online' };

export interface AppState {
  /** waiting: nothing received yet. down: the link was lost, and no new snapshot has arrived since. */
  readonly link: 'waiting' | 'up' | 'down';
  /** This computer's time of the last change of `link`, ms; null before anything was received. */
  readonly linkSince: number | null;
  /** Set when the link has ended for good: what to do. */
  readonly ended: Message | null;
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
