// Pure: the state that the core holds for its windows, and the numbered changes that update it.
// A window derives everything it shows from this alone.
import { z } from 'zod';
import { WatchlistSchema } from '../domain/watchlists.ts';
import { ProgressSchema } from '../lib/progress.ts';
import { BreadthSchema } from '../settings/breadth-conditions.ts';
import { ForeignAlertSchema } from '../settings/foreign-alerts.ts';
import { CrossingSchema } from '../settings/price-conditions.ts';
import { MessageSchema } from '../text/message.ts';
import { SymbolSchema, TimestampSchema } from '../wire/primitives.ts';
import { AssetClassSchema, PercentSchema, SignalSchema, TransitionSchema } from '../wire/records.ts';

export * from './state-order.ts';

/**
 * ok: works. degraded: works in part (some symbols stale, polling instead of streaming). down: does not work.
 */
export const HealthIndicatorSchema = z.strictObject({
  state: z.enum(['ok', 'degraded', 'down']),
  /** When it entered this state, by this computer's clock. */
  since: TimestampSchema,
  /** A short one: "closed", "26 of 27". */
  detail: MessageSchema,
});
export type HealthIndicator = z.infer<typeof HealthIndicatorSchema>;

export const ConnectionSchema = z.strictObject({
  indicators: z.strictObject({
    open: HealthIndicatorSchema,
    bytes: HealthIndicatorSchema,
    fresh: HealthIndicatorSchema,
    verified: HealthIndicatorSchema,
  }),
  /** Set during an outage: since when, and why. */
  outage: z.strictObject({ since: TimestampSchema, cause: MessageSchema }).nullable(),
  /** Number and time of the next attempt, while the stream is closed. */
  retry: z.strictObject({ attempt: z.number().int(), at: TimestampSchema }).nullable(),
  /**
   * Why the service refuses the stream. Slow retries continue; meanwhile the core polls events, except in an
   * outage.
   */
  refused: MessageSchema.nullable(),
  /** Service (world) time minus this computer's time, ms, and its rate (1: as ours; 0: frozen). */
  clock: z.strictObject({ offset: z.number(), speed: z.number() }),
  /** True where the service can prove that nothing was missed (it numbers and lists its events). */
  provable: z.boolean(),
  /** How far the reading of missed events is; absent: none, or a short one. */
  backfill: ProgressSchema.exactOptional(),
});
export type Connection = z.infer<typeof ConnectionSchema>;

/** How a High Risk alert of a watched symbol was dispatched. */
export const NotificationDispatchSchema = z.strictObject({
  notification_id: z.string(),
  /**
   * intent: recorded, not yet dispatched. shown: the desktop showed it. in_app: only this app could show it.
   * failed: nothing showed it.
   */
  outcome: z.enum(['intent', 'shown', 'in_app', 'failed']),
  at: TimestampSchema,
  /** The receiver's answer, or what failed. */
  detail: MessageSchema.nullable(),
});
export type NotificationDispatch = z.infer<typeof NotificationDispatchSchema>;

/** A service's own text for a state, where it names none of the three: it ranks as High Risk until it is mapped. */
const StateWordSchema = z.string().max(40).optional();
export const RecordedTransitionSchema = TransitionSchema.extend({ state_word: StateWordSchema });
export type RecordedTransition = z.infer<typeof RecordedTransitionSchema>;

export const AlertSchema = z.strictObject({
  /** The transition as the ledger has it. */
  transition: RecordedTransitionSchema,
  /** Fields that the service omitted: the time is the arrival time, the previous state is unknown. */
  assumed: z.array(z.enum(['time', 'from'])).optional(),
  /** Id in the local ledger; the newest is the largest. */
  ledger_id: z.number().int().positive(),
  /** The sources of its arrivals, in order. */
  sources: z.array(z.enum(['stream', 'backfill', 'relay', 'poll', 'foreign'])),
  received_at: TimestampSchema,
  watched: z.boolean(),
  /**
   * The core decides this once for windows, tray, dock and title: watched, not acknowledged, not snoozed, and
   * active, or a notified High Risk that nobody has dealt with.
   */
  needs_attention: z.boolean(),
  /** It needs attention, and its symbol left its state then. */
  over_since: TimestampSchema.optional(),
  dispatch: NotificationDispatchSchema.nullable(),
  /**
   * notified: on the desktop, alone or in a digest. waiting: for a batch, a hold time, or the end of a mute.
   * dropped: suppressed, with its reason. none: no rule matched.
   */
  notification_status: z.enum(['notified', 'waiting', 'dropped', 'none']),
  /**
   * The decision: "matched:high-risk", "below_state:high-risk" (the nearest rule and the condition that
   * failed), "before_baseline:high-risk".
   */
  decision: z.string().nullable(),
  /** Why it waits or was dropped; null otherwise. */
  reason: MessageSchema.nullable(),
  /** The base rate of its confidence that its notification stated, percent; absent: none stated one. */
  base_rate: PercentSchema.optional(),
  /** When the user acknowledged it, this computer's time; null: not yet. */
  acked_at: TimestampSchema.nullable(),
  /** Who deals with it, as the desk says; absent: no desk does. */
  acked_by: z.string().optional(),
  /** The user's note; empty: none. */
  note: z.string(),
});
export type Alert = z.infer<typeof AlertSchema>;

/** An alert that is no transition of the service, and the outcome of its notification. Stays until acknowledged. */
const LocalAlertFields = AlertSchema.pick({
  ledger_id: true,
  received_at: true,
  needs_attention: true,
  dispatch: true,
  notification_status: true,
  decision: true,
  reason: true,
  base_rate: true,
  acked_at: true,
  acked_by: true,
  note: true,
}).extend({
  event_id: z.string(),
  /** null: the share of a list, or an alert of another program that names none. */
  symbol: SymbolSchema.nullable(),
  /** World time at which Barograph saw it; of an alert of another program, its own. */
  at: TimestampSchema,
});
/** A price that met the condition of a rule. */
const PriceAlertSchema = LocalAlertFields.extend({ symbol: SymbolSchema, crossing: CrossingSchema });
export type PriceAlert = z.infer<typeof PriceAlertSchema>;
/** An alert of another program, that came to the relay's inbound address. */
const ForeignAlertRowSchema = LocalAlertFields.extend({ foreign: ForeignAlertSchema });
/** The share of a list that met the condition of a rule. */
const BreadthAlertSchema = LocalAlertFields.extend({
  breadth: BreadthSchema,
  /** The share fell again, or another crossing followed. */
  over_since: TimestampSchema.optional(),
});
export const LocalAlertSchema = z.union([PriceAlertSchema, ForeignAlertRowSchema, BreadthAlertSchema]);
export type LocalAlert = z.infer<typeof LocalAlertSchema>;
/** How many of these alerts a window holds besides those that need attention. */
export const MAX_LOCAL_ALERTS = 50;

export const GapSchema = z.strictObject({
  id: z.number().int().positive(),
  from: TimestampSchema,
  /** null while it is open. */
  to: TimestampSchema.nullable(),
  cause: MessageSchema,
  /** True once back-fill has proved that no event of it is missing. */
  closed: z.boolean(),
  /** Events that back-fill found in it. */
  filled: z.number().int().nonnegative(),
  /** The service itself has no record of it: it stays open. */
  lost: z.boolean(),
});
export type Gap = z.infer<typeof GapSchema>;

export const ProfileViewSchema = z.strictObject({
  name: z.string(),
  environment: z.enum(['sandbox', 'production']),
  /** The service replays past prices on a simulated clock. */
  replay: z.boolean(),
  /** Where its data comes from: the simulated market and its seed, or a host and the end of the key. */
  label: MessageSchema,
});

export const LedgerViewSchema = z.strictObject({
  events: z.number().int().nonnegative(),
  /** Set while its file cannot be written: since when, by this computer's clock, and why. */
  unwritten: z.strictObject({ since: TimestampSchema, cause: MessageSchema }).optional(),
});
export type LedgerView = z.infer<typeof LedgerViewSchema>;

/** A notification that the desktop has not taken, for the browser of a window in the background. */
export const OfferedNotificationSchema = z.strictObject({
  notification_id: z.string(),
  /** Grows with each event that joins it. */
  revision: z.number().int().positive(),
  /** It replaces the one on the screen that has the same tag. */
  tag: z.string(),
  title: z.string(),
  body: z.string(),
  is_urgent: z.boolean(),
  is_silent: z.boolean(),
  /** open: nothing showed it yet. shown: a window or a browser did. withdrawn: it leaves the screen. */
  status: z.enum(['open', 'shown', 'withdrawn']),
});
export type OfferedNotification = z.infer<typeof OfferedNotificationSchema>;

export const NotifierViewSchema = z.strictObject({
  /** system: the desktop shows notifications. in_app: it does not, so this window or its browser must. */
  tier: z.enum(['system', 'in_app']),
  detail: MessageSchema,
  /** The newest, oldest first; absent: none. */
  offered: z.array(OfferedNotificationSchema).optional(),
});

/**
 * A signal for windows. The specification requires only symbol, state, confidence and note; missing values
 * are null and shown as unknown.
 */
export const RowSignalSchema = SignalSchema.extend({
  asset_class: AssetClassSchema.nullable(),
  since: TimestampSchema.nullable(),
  decided_at: TimestampSchema.nullable(),
  next_decision_at: TimestampSchema.nullable(),
  updated_at: TimestampSchema.nullable(),
  state_word: StateWordSchema,
});
export type RowSignal = z.infer<typeof RowSignalSchema>;

/**
 * A symbol of a watchlist and its current state. `signal` is the last known signal; `coverage` says why it is
 * missing.
 */
export const RowSchema = z.strictObject({
  symbol: SymbolSchema,
  coverage: z.enum(['unknown', 'full', 'regime_only', 'none']),
  signal: RowSignalSchema.nullable(),
  /** Regime of a regime-only symbol; the signal has it for other symbols. */
  regime: z.string().nullable(),
  /** Last price of a regime-only symbol; absent: the service reports none. */
  quote: z
    .strictObject({
      price: z.number().positive(),
      /** Percent; null where the service does not report it, and for an old price. */
      change_pct: z.number().nullable(),
      /** null: unknown. */
      at: TimestampSchema.nullable(),
      /** The price is old, because the symbol's prices ended. */
      old: z.boolean(),
    })
    .optional(),
  /** Time of the last receipt, this computer's time. */
  received_at: TimestampSchema.nullable(),
  /**
   * The signal is too old: no receipt for too long, or its next decision is overdue. Show it with its age.
   */
  stale: z.boolean(),
});
export type Row = z.infer<typeof RowSchema>;

/** How many gaps a window holds, the open ones first; older ones stay in the ledger. */
export const MAX_GAPS = 100;

export const SnapshotSchema = z.strictObject({
  /** Number of the last change that this snapshot contains. */
  number: z.number().int().nonnegative(),
  profile: ProfileViewSchema,
  connection: ConnectionSchema,
  watchlists: z.array(WatchlistSchema),
  /** The symbol that a window selects first; from then on each window has its own. */
  selected: SymbolSchema.nullable(),
  rows: z.array(RowSchema),
  /** Newest first: the newest MAX_ALERTS, and those that are active or need attention, however old. */
  alerts: z.array(AlertSchema),
  /**
   * Newest first: the newest MAX_LOCAL_ALERTS, and those that need attention; `localAlerts.read` reads older
   * ones.
   */
  local_alerts: z.array(LocalAlertSchema),
  /** Newest first: MAX_GAPS, open ones however old, and the newest others; `gaps.list` reads older ones. */
  gaps: z.array(GapSchema).max(MAX_GAPS),
  ledger: LedgerViewSchema,
  notifier: NotifierViewSchema,
});
export type Snapshot = z.infer<typeof SnapshotSchema>;

/**
 * One change of the state: a complete new part. Windows merge rows by symbol and alerts by event_id, and
 * replace the other parts.
 */
export const ChangeSchema = z.discriminatedUnion('part', [
  z.strictObject({ part: z.literal('rows'), rows: z.array(RowSchema) }),
  z.strictObject({ part: z.literal('alerts'), alerts: z.array(AlertSchema) }),
  z.strictObject({ part: z.literal('local_alerts'), local_alerts: z.array(LocalAlertSchema) }),
  z.strictObject({ part: z.literal('connection'), connection: ConnectionSchema }),
  z.strictObject({ part: z.literal('profile'), profile: ProfileViewSchema }),
  z.strictObject({ part: z.literal('watchlists'), watchlists: z.array(WatchlistSchema) }),
  z.strictObject({ part: z.literal('gaps'), gaps: z.array(GapSchema).max(MAX_GAPS) }),
  z.strictObject({ part: z.literal('ledger'), ledger: LedgerViewSchema }),
  z.strictObject({ part: z.literal('notifier'), notifier: NotifierViewSchema }),
]);
export type Change = z.infer<typeof ChangeSchema>;

/**
 * A push: ordered changes under one number. After a gap in the numbers the window must take the snapshot
 * again. `from`: number of the first where several pushes were merged; `number` is that of the last.
 */
export const NumberedChangesSchema = z.strictObject({
  from: z.number().int().positive().optional(),
  number: z.number().int().positive(),
  changes: z.array(ChangeSchema).min(1),
});
export type NumberedChanges = z.infer<typeof NumberedChangesSchema>;
