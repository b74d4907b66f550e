// Pure: channels about alerts: rules, mutes, the inbox, the history of one event, the downtime.
// `at` fields are world time; `made_at`, `acked_at` and steps of a trace are this computer's time.
import { z } from 'zod';
import { MatchersSchema } from '../domain/matchers.ts';
import { WindowRouteSchema } from '../domain/window-routes.ts';
import { DAY_MS } from '../lib/time.ts';
import {
  GroupingSchema,
  OutageAlarmSchema,
  QuietHoursSchema,
  RuleIdSchema,
  RuleSchema,
  SOUNDS,
} from '../settings/alert-rules.ts';
import { MISSES } from '../settings/misses.ts';
import { ChannelIdSchema } from '../settings/notification-channels/channel-id.ts';
import { NotificationChannelSchema } from '../settings/notification-channels/channels.ts';
import { LONGEST_RULE_FILE } from '../settings/rule-file.ts';
import { ZONES } from '../text/format.ts';
import { MessageSchema } from '../text/message.ts';
import { SymbolParamSchema, SymbolSchema, TimestampSchema } from '../wire/primitives.ts';
import { StateSchema } from '../wire/records.ts';
import { intent, push, query } from './channel.ts';
import { AlertSchema, LocalAlertSchema } from './state.ts';

const LedgerIdSchema = z.number().int().positive();
/** The longest comment of a silence and the longest note, characters. */
export const LONGEST_COMMENT = 500;
export const CommentSchema = z.string().trim().max(LONGEST_COMMENT);
/** How far ahead the time of a snooze may be, ms. */
export const LONGEST_SNOOZE = 30 * DAY_MS;

export const RuleViewSchema = z.strictObject({
  /**
   * null: the settings hold an invalid rule; `problem` says why. It stays until the user repairs or deletes
   * it.
   */
  rule: RuleSchema.nullable(),
  /** The argument of `rules.delete`, also for an invalid rule. */
  id: z.string(),
  /**
   * Why the rule has no effect (invalid, expired, one of its lists is gone), as text; null while it works or
   * the user disabled it.
   */
  problem: MessageSchema.nullable(),
});

export const NotificationChannelViewSchema = z.strictObject({
  /** null: the settings hold an invalid one, or a rule names one that is not there; `problem` says which. */
  channel: NotificationChannelSchema.nullable(),
  id: z.string(),
  problem: MessageSchema.nullable(),
});

/** A snooze or silence that suppresses notifications now or later. */
export const MuteViewSchema = z.strictObject({
  id: z.number().int().positive(),
  kind: z.enum(['snooze', 'silence']),
  /** The covered alerts; a snooze covers one symbol. */
  matchers: MatchersSchema,
  until: z.enum(['time', 'change', 'recovery']),
  from: TimestampSchema,
  /** World time at which it ends; null: only a transition ends it. */
  until_at: TimestampSchema.nullable(),
  comment: z.string(),
  made_at: TimestampSchema,
  /** Alerts that this mute, or quiet hours, hold back now. */
  pending_count: z.number().int().nonnegative(),
});

/** The transitions of one symbol during the downtime. */
export const DowntimeSymbolSchema = z.strictObject({
  symbol: SymbolSchema,
  from_state: StateSchema,
  /** The state at the end: equal to `from_state` where it rose and came back. */
  to_state: StateSchema,
  peak_state: StateSchema,
  changes: z.number().int().positive(),
  /** Its transitions, oldest first, as ledger ids (the newest 50). */
  ledger_ids: z.array(LedgerIdSchema),
});
/** The downtime that the user has not reviewed yet. Stays until `downtime.acknowledge`. */
export const DowntimeSchema = z.strictObject({
  from: TimestampSchema,
  until: TimestampSchema,
  /** null: an earlier version kept none. */
  cause: MessageSchema.nullable(),
  /** Watched symbols that changed, the most severe peak first. */
  symbols: z.array(DowntimeSymbolSchema),
});
export type Downtime = z.infer<typeof DowntimeSchema>;

/**
 * Everything about alerts that is not a list of events. Answered by `alerting.read`; `alerting.changed`
 * pushes all of it.
 */
export const AlertingSchema = z.strictObject({
  rules: z.array(RuleViewSchema),
  /** True while no rule can notify: show it as plainly as an outage. */
  silent: z.boolean(),
  /** Channels besides the desktop, which rules name. */
  channels: z.array(NotificationChannelViewSchema),
  quiet: QuietHoursSchema.nullable(),
  /** Quiet hours apply right now to US shares. */
  is_quiet: z.boolean(),
  /** Minutes without a connection after which the desktop is notified. */
  outage_alarm: OutageAlarmSchema,
  grouping: GroupingSchema,
  /** The zone of times in notifications; null: no window reported one, and it is the default one. */
  zone: z.enum(ZONES).nullable(),
  mutes: z.array(MuteViewSchema),
  /** Alerts that wait for the end of a mute or of quiet hours. */
  pending_count: z.number().int().nonnegative(),
  /** Set in a sandbox beside a production profile: the minimum time between two notifications, ms. */
  sandbox_pause: z.number().int().positive().nullable(),
  downtime: DowntimeSchema.nullable(),
  /** Grows with every note on a symbol: the signal to read them again. */
  notes_version: z.number().int().nonnegative(),
});
export type Alerting = z.infer<typeof AlertingSchema>;

/** A rule of a file, as it is imported. */
const RuleImportSchema = z.strictObject({
  /** As in the file; null: it has none that can be read. */
  name: z.string().nullable(),
  /** As it is saved; null: it is not, and `notes` say why. */
  rule: RuleSchema.nullable(),
  /** What differs from the file, and what to do about it. */
  notes: z.array(MessageSchema),
});
export type RuleImport = z.infer<typeof RuleImportSchema>;

/** Result of `rules.backtest`: what the rule would have done with the last 30 days of this ledger. */
export const RuleBacktestSchema = z.strictObject({
  /** World time of the first event evaluated; null: the ledger has none. */
  from: TimestampSchema.nullable(),
  /**
   * World time from which on the ledger knows what happened, 30 days ago at the earliest; null: it knows
   * nothing.
   */
  known_from: TimestampSchema.nullable(),
  evaluated: z.number().int().nonnegative(),
  /** Events that meet every condition of the rule. */
  matched: z.number().int().nonnegative(),
  /** Matches notified at once, alone or in a digest. */
  notified: z.number().int().nonnegative(),
  /** Matches that did not last for the hold time. */
  not_sustained: z.number().int().nonnegative(),
  /** Matches within the quiet hours. */
  quiet: z.number().int().nonnegative(),
  /** Notified matches between 22:00 and 7:00 on this computer's clock. */
  at_night: z.number().int().nonnegative(),
  /** Notified matches whose symbol returned to its former state within 20 minutes. */
  brief: z.number().int().nonnegative(),
  /** Notified matches that another enabled rule notifies, too. */
  also: z.array(z.strictObject({ rule: RuleIdSchema, count: z.number().int().positive() })),
  /** The newest notified matches, newest first. */
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

/** A row of the inbox: an alert and its outcome. */
export const InboxRowSchema = z.strictObject({
  alert: AlertSchema,
  /** The symbol's next transition; null while the alert is active. */
  ended: z.strictObject({ at: TimestampSchema, to_state: StateSchema }).nullable(),
  /** Changes of the symbol in the 20 minutes up to this event; from 4 on it is flapping. */
  changes: z.number().int().positive(),
});
export type InboxRow = z.infer<typeof InboxRowSchema>;

export const INBOX_FILTERS = ['all', 'notified', 'unacked', 'suppressed', 'ended'] as const;
export const InboxQuerySchema = z.strictObject({
  /**
   * notified: alone or in a digest. unacked: notified and not acknowledged. suppressed: a rule matched, and
   * the alert waits or was dropped. ended: left Normal and is over.
   */
  filter: z.enum(INBOX_FILTERS).default('all'),
  symbol: SymbolParamSchema.nullable().default(null),
  /** `next` of the previous page; null: the newest. */
  before: z.strictObject({ at: TimestampSchema, ledger_id: LedgerIdSchema }).nullable().default(null),
  limit: z.number().int().min(1).max(200).default(50),
});
export type InboxQuery = z.output<typeof InboxQuerySchema>;
export const InboxPageSchema = z.strictObject({
  rows: z.array(InboxRowSchema),
  next: z.strictObject({ at: TimestampSchema, ledger_id: LedgerIdSchema }).nullable(),
});
export type InboxPage = z.infer<typeof InboxPageSchema>;

export const LocalAlertPageSchema = z.strictObject({
  rows: z.array(LocalAlertSchema),
  /** `before` of the next page; null: there are no older ones. */
  next: LedgerIdSchema.nullable(),
});
export type LocalAlertPage = z.infer<typeof LocalAlertPageSchema>;

/** Alerts of either kind. */
export const FoundAlertsSchema = z.strictObject({
  rows: z.array(InboxRowSchema),
  local_alerts: z.array(LocalAlertSchema),
});
export type FoundAlerts = z.infer<typeof FoundAlertsSchema>;

/**
 * Steps in the history of one event, in order of time. received: by which source. verified: by which proof.
 * repeated: a duplicate, not notified again. evaluated: which rule matched or came nearest. waits: pending,
 * batched or muted, and why. digest: named in one. dropped: suppressed for good. escalated: nobody had dealt
 * with it. dispatched: to the desktop or a channel. answered: the channel's reply. clicked, acknowledged, snoozed, noted: by the user. recovered:
 * the symbol left that state.
 */
export const TRACE_STEPS = [
  'received',
  'verified',
  'repeated',
  'evaluated',
  'waits',
  'digest',
  'dropped',
  'escalated',
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
  steps: z.array(z.strictObject({ at: TimestampSchema, step: z.enum(TRACE_STEPS), detail: MessageSchema.nullable() })),
  /** Rules, as they are now, that did not match, each with the first condition that failed. */
  silent: z.array(z.strictObject({ rule: RuleIdSchema, miss: z.enum(MISSES) })),
});
export type Trace = z.infer<typeof TraceSchema>;

export const SnoozeUntilSchema = z.discriminatedUnion('kind', [
  /** World time, at most `LONGEST_SNOOZE` ahead. */
  z.strictObject({ kind: z.literal('time'), at: TimestampSchema }),
  /** The next opening of the symbol's market; in the sandbox, which trades around the clock, the next day. */
  z.strictObject({ kind: z.literal('next_open') }),
  /** The symbol's next transition, whichever. */
  z.strictObject({ kind: z.literal('change') }),
  /** Its return to Normal. (The other kinds end on it too.) */
  z.strictObject({ kind: z.literal('recovery') }),
]);
export type SnoozeUntil = z.infer<typeof SnoozeUntilSchema>;

export const AlertIdsSchema = z.array(LedgerIdSchema).min(1).max(1000);
const SilenceInputSchema = z.strictObject({
  /** Empty: every alert. */
  matchers: MatchersSchema,
  /** World time; null: from now on. */
  from: TimestampSchema.nullable(),
  until: TimestampSchema,
  comment: CommentSchema,
});
const NotificationIdSchema = z.string().min(1).max(600);
const AlertsInputs = {
  ids: z.strictObject({ ledger_ids: AlertIdsSchema }),
  acknowledge: z.strictObject({ ledger_ids: AlertIdsSchema, acknowledged: z.boolean() }),
  snooze: z.strictObject({ ledger_ids: AlertIdsSchema, until: SnoozeUntilSchema }),
  page: z.strictObject({ before: LedgerIdSchema.nullable(), limit: z.number().int().min(1).max(200).default(50) }),
  find: z.strictObject({ name: z.string().trim().min(1).max(128) }),
  note: z.strictObject({ ledger_id: LedgerIdSchema, note: CommentSchema }),
  trace: z.strictObject({ ledger_id: LedgerIdSchema }),
  clicked: z.strictObject({ notification_id: NotificationIdSchema }),
  shown: z.strictObject({
    notification_id: NotificationIdSchema,
    /** The revision that the browser showed, while the window was in the background; absent: the window showed it. */
    browser_revision: z.number().int().positive().optional(),
  }),
  silence: SilenceInputSchema,
  silence_edit: z.strictObject({ id: z.number().int().positive(), silence: SilenceInputSchema }),
  mute: z.strictObject({ id: z.number().int().positive() }),
  rule: z.strictObject({ rule: RuleSchema }),
  rule_file: z.strictObject({ text: z.string().max(LONGEST_RULE_FILE), dry_run: z.boolean() }),
  ruleId: z.strictObject({ id: z.string().min(1).max(80) }),
  quiet: z.strictObject({ quiet: QuietHoursSchema.nullable() }),
  outage_alarm: z.strictObject({ outage_alarm: OutageAlarmSchema }),
  grouping: z.strictObject({ grouping: GroupingSchema }),
  zone: z.strictObject({ zone: z.enum(ZONES) }),
  channel: z.strictObject({ channel: NotificationChannelSchema }),
  channelId: z.strictObject({ id: z.string().min(1).max(80) }),
  secret: z.strictObject({
    id: ChannelIdSchema,
    secret: z.string().min(1).max(1000).nullable(),
    /** Kept until the end of the program, on a computer without a keychain. */
    for_session: z.boolean().default(false),
  }),
} as const;
export type SilenceInput = z.output<typeof AlertsInputs.silence>;

/** A note of the user in a symbol's chart: at an instant, or on one of its alerts. */
const SymbolNoteSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('symbol'), id: z.number().int().positive(), at: TimestampSchema, text: z.string() }),
  z.strictObject({ kind: z.literal('alert'), ledger_id: LedgerIdSchema, at: TimestampSchema, text: z.string() }),
]);
const SymbolNotesInputs = {
  read: z.strictObject({ symbol: SymbolParamSchema }),
  save: z.strictObject({
    /** null: a new one. */
    id: z.number().int().positive().nullable(),
    symbol: SymbolParamSchema,
    at: TimestampSchema,
    text: CommentSchema.min(1),
  }),
  id: z.strictObject({ id: z.number().int().positive() }),
} as const;

const SoundSchemas = {
  /** Id of one play, for `sound.played`. */
  due: z.strictObject({ id: z.string().min(1).max(40), name: z.enum(SOUNDS) }),
  played: z.strictObject({ id: z.string().min(1).max(40) }),
  test: z.strictObject({ name: z.enum(SOUNDS) }),
  tested: z.strictObject({ detail: MessageSchema }),
} as const;

const nothing = z.strictObject({});

/** The channels about alerts; part of the one table in `channels.ts`. */
export const alertingChannels = {
  /** Rules, mutes, quiet hours, downtime. Subscribe to `alerting.changed` first; each push is complete. */
  'alerting.read': query(nothing, AlertingSchema),
  'alerting.changed': push(AlertingSchema),
  /**
   * Replaces the rule of that id, or appends it. Refused where it names an unknown watchlist or channel.
   */
  'rules.save': intent(AlertsInputs.rule, nothing),
  /**
   * Appends the rules of a file (rule-file.ts) that can be saved, all at once. `dry_run`: saves nothing. Refused where
   * the file is none of rules.
   */
  'rules.import': intent(AlertsInputs.rule_file, z.strictObject({ rules: z.array(RuleImportSchema) })),
  'rules.delete': intent(AlertsInputs.ruleId, nothing),
  /** Evaluates a rule, saved or not, on the last 30 days of this ledger. Notifies nobody. */
  'rules.backtest': query(AlertsInputs.rule, RuleBacktestSchema),
  'quiet.save': intent(AlertsInputs.quiet, nothing),
  'outageAlarm.save': intent(AlertsInputs.outage_alarm, nothing),
  /** How alerts become notifications, from the next one on. */
  'grouping.save': intent(AlertsInputs.grouping, nothing),
  /** Sets the time zone of a window; notifications use it too. */
  'notificationZone.save': intent(AlertsInputs.zone, nothing),
  /** Replaces the channel of that id, or appends it. */
  'channels.save': intent(AlertsInputs.channel, nothing),
  /** Removes a channel, also from the rules that name it, and its secret. */
  'channels.delete': intent(AlertsInputs.channelId, nothing),
  /**
   * Sends a test through a saved channel and answers its reply; refused with that reply when the channel
   * rejected it.
   */
  'channels.test': intent(AlertsInputs.channelId, z.strictObject({ detail: MessageSchema })),
  /** Stores the channel's token or password in the keychain; null removes it. It never returns to a window. */
  'channels.secret': intent(AlertsInputs.secret, nothing),

  /** Asks one window to play this sound now. */
  'sound.due': push(SoundSchemas.due),
  /** Reports that a window plays the sound, so that the desktop does not. */
  'sound.played': intent(SoundSchemas.played, nothing),
  /** Plays a sound the way an alert would, and answers who played it. */
  'sound.test': intent(SoundSchemas.test, SoundSchemas.tested),

  /** The inbox, newest first, a page at a time. Read it again when `state.changed` brings alerts. */
  'alerts.read': query(InboxQuerySchema, InboxPageSchema),
  /** Price alerts, newest first, a page at a time; null: from the newest. */
  'localAlerts.read': query(AlertsInputs.page, LocalAlertPageSchema),
  /** By the id of an event, or by a symbol: its alerts that need attention. Refused where there is none. */
  'alerts.find': query(AlertsInputs.find, FoundAlertsSchema),
  /** The history of one event. */
  'alerts.trace': query(AlertsInputs.trace, TraceSchema),
  /** Acknowledges alerts; the end of a mute does not notify them again. */
  'alerts.acknowledge': intent(AlertsInputs.acknowledge, nothing),
  /**
   * Mutes the symbols of these alerts until then; an alert that is still active at the end is notified again.
   * Refused where none is active.
   */
  'alerts.snooze': intent(AlertsInputs.snooze, nothing),
  /** Undoes a snooze: it ends, and earlier notifications are not repeated. */
  'alerts.unsnooze': intent(AlertsInputs.ids, nothing),
  'alerts.note': intent(AlertsInputs.note, nothing),
  /** Oldest first. Read again when `notes_version` grows, or an alert changes. */
  'notes.read': query(SymbolNotesInputs.read, z.strictObject({ notes: z.array(SymbolNoteSchema) })),
  /** Adds a note, or replaces its time and text. Refused where it was removed meanwhile. */
  'notes.save': intent(SymbolNotesInputs.save, SymbolNotesInputs.id),
  'notes.remove': intent(SymbolNotesInputs.id, nothing),
  /** The user clicked a notification, in a window or its browser; answers where it leads, null where it is unknown. */
  'alerts.clicked': intent(AlertsInputs.clicked, z.strictObject({ route: WindowRouteSchema.nullable() })),
  /** A visible window, or a browser, showed a notification that the desktop has not taken. */
  'alerts.shown': intent(AlertsInputs.shown, nothing),
  /** Answers the id for `mutes.end`, which undoes it and notifies active alerts that arrived meanwhile. */
  'silences.add': intent(AlertsInputs.silence, AlertsInputs.mute),
  /** Replaces matchers and time of an active silence; notifies active alerts that it no longer covers. */
  'silences.edit': intent(AlertsInputs.silence_edit, nothing),
  /** Ends a snooze or a silence now. */
  'mutes.end': intent(AlertsInputs.mute, nothing),
  /** The user has reviewed the downtime. */
  'downtime.acknowledge': intent(nothing, nothing),
} as const;
