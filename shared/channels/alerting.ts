// Pure: what a window and the core say to each other about alerts: rules, mutes, the inbox, the way of one event, the time away.
// All `at` fields of the world's doings are world time; `made_at`, `acked_at` and steps of a trace are this computer's.
import { z } from 'zod';
import { MISSES, OutageAlarmSchema, QuietHoursSchema, RuleIdSchema, RuleSchema } from '../settings/alert-rules.ts';
import { SymbolParamSchema, SymbolSchema, TimestampSchema } from '../wire/primitives.ts';
import { StateSchema } from '../wire/records.ts';
import { intent, push, query } from './channel.ts';
import { AlertSchema } from './state.ts';

const LedgerIdSchema = z.number().int().positive();
const CommentSchema = z.string().trim().max(500);

/** A rule as it stands. */
export const RuleViewSchema = z.strictObject({
  /** null: what the settings hold is no rule; `problem` says why, and it is kept until it is mended or deleted. */
  rule: RuleSchema.nullable(),
  /** What `rules.delete` takes, also for a broken one. */
  id: z.string(),
  /** Why it does not do its work (broken, expired, a list of it is gone), as text; null while it does, or is disabled by the user. */
  problem: z.string().nullable(),
});

/** Something that keeps alerts quiet now or later. */
export const MuteViewSchema = z.strictObject({
  id: z.number().int().positive(),
  kind: z.enum(['snooze', 'silence']),
  /** null: every symbol. */
  symbols: z.array(SymbolSchema).nullable(),
  until: z.enum(['time', 'change', 'recovery']),
  from: TimestampSchema,
  /** World time at which it ends; null: only a transition ends it. */
  until_at: TimestampSchema.nullable(),
  comment: z.string(),
  made_at: TimestampSchema,
  /** How many alerts it, or quiet hours, keep back now. */
  pending_count: z.number().int().nonnegative(),
});

/** What one symbol did while nothing was seen. */
export const DowntimeSymbolSchema = z.strictObject({
  symbol: SymbolSchema,
  from_state: StateSchema,
  /** The state at the end: equal to `from_state` where it rose and came back. */
  to_state: StateSchema,
  peak_state: StateSchema,
  changes: z.number().int().positive(),
  /** Its transitions, oldest first, as places in the ledger (the newest 50). */
  ledger_ids: z.array(LedgerIdSchema),
});
/** The time that was not watched and that the user has not looked at yet. Stays until `downtime.acknowledge`. */
export const DowntimeSchema = z.strictObject({
  from: TimestampSchema,
  until: TimestampSchema,
  cause: z.string(),
  /** Watched symbols that changed, the gravest peak first. */
  symbols: z.array(DowntimeSymbolSchema),
});
export type Downtime = z.infer<typeof DowntimeSchema>;

/** Everything about alerts that is not a list of events. Answered by `alerting.read`, pushed whole by `alerting.changed`. */
export const AlertingSchema = z.strictObject({
  rules: z.array(RuleViewSchema),
  /** True while no rule can tell anything: it is to be shown as plainly as an outage. */
  silent: z.boolean(),
  quiet: QuietHoursSchema.nullable(),
  /** Quiet hours hold right now for US shares. */
  is_quiet: z.boolean(),
  /** After how long without a connection the desktop is told. */
  outage_alarm: OutageAlarmSchema,
  mutes: z.array(MuteViewSchema),
  /** Alerts that wait for a mute or quiet hours to end. */
  pending_count: z.number().int().nonnegative(),
  /** Set in a sandbox beside a production profile: the least time between two notifications, ms. */
  sandbox_pause: z.number().int().positive().nullable(),
  downtime: DowntimeSchema.nullable(),
});
export type Alerting = z.infer<typeof AlertingSchema>;

/** What `rules.try` answers: what the rule would have done with the last 30 days of this ledger. */
export const RuleBacktestSchema = z.strictObject({
  /** World time of the first event that was looked at; null: the ledger has none. */
  from: TimestampSchema.nullable(),
  evaluated: z.number().int().nonnegative(),
  /** Events for which every condition of the rule holds. */
  matched: z.number().int().nonnegative(),
  /** Of these: told at once, alone or in a digest. "It would have told you N times." */
  notified: z.number().int().nonnegative(),
  /** Of these: did not hold long enough. */
  not_sustained: z.number().int().nonnegative(),
  /** Of these: fell into the quiet hours. */
  quiet: z.number().int().nonnegative(),
  /** Of the told: between 22:00 and 7:00 on this computer's clock. */
  at_night: z.number().int().nonnegative(),
  /** Of the told: the symbol was back in its former state within 20 minutes. */
  brief: z.number().int().nonnegative(),
  /** The newest of the told, newest first. */
  examples: z.array(
    z.strictObject({
      ledger_id: LedgerIdSchema,
      symbol: SymbolSchema.nullable(),
      event: z.string(),
      at: TimestampSchema,
    }),
  ),
});
export type RuleBacktest = z.infer<typeof RuleBacktestSchema>;

/** A row of the inbox: an alert, and what came of it. */
export const InboxRowSchema = z.strictObject({
  alert: AlertSchema,
  /** The symbol's next transition; null while the alert stands. */
  ended: z.strictObject({ at: TimestampSchema, to_state: StateSchema }).nullable(),
  /** How often the symbol changed in the 20 minutes up to this event; from 4 on it is flapping. */
  changes: z.number().int().positive(),
});
export type InboxRow = z.infer<typeof InboxRowSchema>;

export const INBOX_FILTERS = ['all', 'notified', 'unacked', 'suppressed', 'ended'] as const;
export const InboxQuerySchema = z.strictObject({
  /**
   * notified: alone or in a digest. unacked: notified and not acknowledged. suppressed: a rule asked for it, and it waits or was dropped. ended: rose out of Normal and is over.
   */
  filter: z.enum(INBOX_FILTERS).default('all'),
  symbol: SymbolParamSchema.nullable().default(null),
  /** `next` of the page before; null: the newest. */
  before: z.strictObject({ at: TimestampSchema, ledger_id: LedgerIdSchema }).nullable().default(null),
  limit: z.number().int().min(1).max(200).default(50),
});
export type InboxQuery = z.output<typeof InboxQuerySchema>;
export const InboxPageSchema = z.strictObject({
  rows: z.array(InboxRowSchema),
  next: z.strictObject({ at: TimestampSchema, ledger_id: LedgerIdSchema }).nullable(),
});
export type InboxPage = z.infer<typeof InboxPageSchema>;

/**
 * Steps on the way of one event, in order of time.
 * received: by which source. verified: what vouches for it. repeated: it came again and was not told again. evaluated: which rule, or which came nearest.
 * waits: pending, batched or muted, and why. digest: named in one. dropped: decided against. dispatched: to the desktop or a channel. answered: what that said.
 * clicked, acknowledged, snoozed, noted: by the user. recovered: the symbol left that state.
 */
export const TRACE_STEPS = [
  'received',
  'verified',
  'repeated',
  'evaluated',
  'waits',
  'digest',
  'dropped',
  'dispatched',
  'answered',
  'clicked',
  'acknowledged',
  'snoozed',
  'noted',
  'recovered',
] as const;
export type TraceStepName = (typeof TRACE_STEPS)[number];
export const TraceSchema = z.strictObject({
  ledger_id: LedgerIdSchema,
  event_id: z.string(),
  event: z.string(),
  steps: z.array(z.strictObject({ at: TimestampSchema, step: z.enum(TRACE_STEPS), detail: z.string() })),
  /** Rules, as they are now, that did not ask for it, and the first thing that it lacks for them. */
  silent: z.array(z.strictObject({ rule: RuleIdSchema, miss: z.enum(MISSES) })),
});
export type Trace = z.infer<typeof TraceSchema>;

export const SnoozeUntilSchema = z.discriminatedUnion('kind', [
  /** World time, at most 30 days ahead. */
  z.strictObject({ kind: z.literal('time'), at: TimestampSchema }),
  /** The next opening of the symbol's market; in the sandbox, which trades around the clock, the next day. */
  z.strictObject({ kind: z.literal('next_open') }),
  /** The symbol's next transition, whichever. */
  z.strictObject({ kind: z.literal('change') }),
  /** Its return to Normal. (The others end on it too.) */
  z.strictObject({ kind: z.literal('recovery') }),
]);
export type SnoozeUntil = z.infer<typeof SnoozeUntilSchema>;

export const AlertIdsSchema = z.array(LedgerIdSchema).min(1).max(1000);
const AlertsInputs = {
  ids: z.strictObject({ ledger_ids: AlertIdsSchema }),
  acknowledge: z.strictObject({ ledger_ids: AlertIdsSchema, acknowledged: z.boolean() }),
  snooze: z.strictObject({ ledger_ids: AlertIdsSchema, until: SnoozeUntilSchema }),
  note: z.strictObject({ ledger_id: LedgerIdSchema, note: CommentSchema }),
  trace: z.strictObject({ ledger_id: LedgerIdSchema }),
  clicked: z.strictObject({ notification_id: z.string().min(1).max(300) }),
  silence: z.strictObject({
    /** null: every symbol. */
    symbols: z.array(SymbolParamSchema).min(1).max(500).nullable(),
    /** World time; null: from now on. */
    from: TimestampSchema.nullable(),
    until: TimestampSchema,
    comment: CommentSchema,
  }),
  mute: z.strictObject({ id: z.number().int().positive() }),
  rule: z.strictObject({ rule: RuleSchema }),
  ruleId: z.strictObject({ id: z.string().min(1).max(80) }),
  quiet: z.strictObject({ quiet: QuietHoursSchema.nullable() }),
  outage_alarm: z.strictObject({ outage_alarm: OutageAlarmSchema }),
  channel: z.strictObject({ rule: RuleIdSchema }),
  secret: z.strictObject({ rule: RuleIdSchema, secret: z.string().min(1).max(500).nullable() }),
} as const;
export type SilenceInput = z.output<typeof AlertsInputs.silence>;

const nothing = z.strictObject({});

/** The channels about alerts; part of the one table in `channels.ts`. */
export const alertingChannels = {
  /** Rules, mutes, quiet hours, time away. Subscribe to `alerting.changed` first; each push is the whole. */
  'alerting.read': query(nothing, AlertingSchema),
  'alerting.changed': push(AlertingSchema),
  /** Replaces the rule of that id, or adds it at the end. Refused where a watchlist that it names is not there, or no channel secret can be kept. */
  'rules.save': intent(AlertsInputs.rule, nothing),
  'rules.delete': intent(AlertsInputs.ruleId, nothing),
  /** Tries a rule, saved or not, on the last 30 days of this ledger. Nothing is told. */
  'rules.backtest': query(AlertsInputs.rule, RuleBacktestSchema),
  'quiet.save': intent(AlertsInputs.quiet, nothing),
  'outageAlarm.save': intent(AlertsInputs.outage_alarm, nothing),
  /** Sends a test through the channel of a saved rule and answers what it said; refused with its words when it did not take it. */
  'channel.test': intent(AlertsInputs.channel, z.strictObject({ detail: z.string() })),
  /** Keeps the channel's token or password in the keychain; null removes it. It never comes back to a window. */
  'channel.secret': intent(AlertsInputs.secret, nothing),

  /** The inbox, newest first, a page at a time. Read it again when `state.changed` brings alerts. */
  'alerts.read': query(InboxQuerySchema, InboxPageSchema),
  /** Why / why not: the way of one event. */
  'alerts.trace': query(AlertsInputs.trace, TraceSchema),
  /** Acknowledged: seen, and not told again when a mute ends. One or many. */
  'alerts.acknowledge': intent(AlertsInputs.acknowledge, nothing),
  /** Quiet for the symbols of these alerts until then; if an alert still stands at the end it is told again. Refused where none of them stands. */
  'alerts.snooze': intent(AlertsInputs.snooze, nothing),
  /** Takes a snooze back that was just made: it ends, and what was told before it is not told again. */
  'alerts.unsnooze': intent(AlertsInputs.ids, nothing),
  'alerts.note': intent(AlertsInputs.note, nothing),
  /** The user clicked a notification, on the desktop or in a window. */
  'alerts.clicked': intent(AlertsInputs.clicked, nothing),
  'silences.add': intent(AlertsInputs.silence, nothing),
  /** Ends a snooze or a silence now. */
  'mutes.end': intent(AlertsInputs.mute, nothing),
  /** The user has looked at the time away. */
  'downtime.acknowledge': intent(nothing, nothing),
} as const;
