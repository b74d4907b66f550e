// Renderer: what a window holds. Plain data only: it is replaced by reduce.ts, written by ingest.ts, and read by everything else.
import type { Alerting, InboxPage } from '../../shared/channels/alerting.ts';
import type { ArchiveView } from '../../shared/channels/archive.ts';
import type { Profiles } from '../../shared/channels/profiles.ts';
import type {
  FactorPoint,
  FactorSheet,
  Granularity,
  RegimePoint,
  ValidationRecord,
} from '../../shared/channels/queries.ts';
import type { RelayView } from '../../shared/channels/relay.ts';
import type { SelfTestView } from '../../shared/channels/self-test.ts';
import type { ShellView } from '../../shared/channels/shell.ts';
import type { Alert, Connection, Gap, Row, Snapshot, Timeline } from '../../shared/channels/state.ts';
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

/** Something that was read when it was needed, as far as it is known. The old one stays visible while a new one is awaited. */
export interface QueryResult<Value> {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly value: Value | null;
  /** Why it could not be read. */
  readonly problem: string | null;
  /** 0..1 while a long query is in flight; null for one that is over at once. */
  readonly progress: number | null;
}

/** The powers of a symbol, day by day, oldest first. */
export interface FactorHistory {
  readonly symbol: string;
  readonly points: readonly FactorPoint[];
}

/** The regimes of a symbol in a range of time. */
export interface RegimeSeries {
  readonly symbol: string;
  /** What was asked for, and what the service gave. */
  readonly requested: Granularity;
  readonly granularity: Granularity;
  /** ms. */
  readonly from: number;
  readonly to: number;
  /** Oldest first. */
  readonly points: readonly RegimePoint[];
  /** Set where it comes from this computer's archive: when it was received, ISO. */
  readonly cachedAt?: string | undefined;
}

/** What is read when it is needed, by kind; within a kind by symbol, regimes by symbol and granularity ("SPY hour"), the record of validation under ''. */
export interface QueryData {
  readonly timelines: Timeline;
  readonly factors: FactorSheet;
  readonly histories: FactorHistory;
  readonly regimes: RegimeSeries;
  readonly validation: ValidationRecord;
  /** Under ''. */
  readonly inbox: InboxPage;
  /** Results of the calls of pages, by call; typed where they are made (`query-client.ts`). */
  readonly calls: unknown;
}
export type QueryKind = keyof QueryData;

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
  readonly queryCache: { readonly [Name in QueryKind]: Readonly<Record<string, QueryResult<QueryData[Name]>>> };
  readonly announcements: readonly Announcement[];
}

export const EMPTY_STATE: AppState = {
  link: 'waiting',
  linkSince: null,
  ended: null,
  problem: null,
  snapshot: null,
  features: { alerting: null, relay: null, archive: null, selfTest: null, profiles: null, shell: null },
  queryCache: { timelines: {}, factors: {}, histories: {}, regimes: {}, validation: {}, inbox: {}, calls: {} },
  announcements: [],
};
