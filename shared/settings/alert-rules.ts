// Pure: the trader's alert rules and quiet hours. A rule is data; the core evaluates it.

import { z } from 'zod';
import { SCHEDULED_KINDS } from '../domain/scheduled-events.ts';
import { isOpen, SESSION_CALENDARS, type SessionCalendar, zonedTime } from '../domain/sessions.ts';
import { EVENT_NAMES } from '../wire/events.ts';
import { SymbolSchema, TimestampSchema } from '../wire/primitives.ts';
import { AssetClassSchema, PercentSchema, StateSchema } from '../wire/records.ts';
import { BreadthConditionSchema, ListShareSchema } from './breadth-conditions.ts';
import { BREADTH_EVENT, FOREIGN_EVENT, PRICE_EVENT } from './core-events.ts';
import { ChannelIdSchema } from './notification-channels/channel-id.ts';
import { PriceConditionSchema } from './price-conditions.ts';
import { ProfileNameSchema } from './profiles.ts';

const ZoneSchema = z.string().refine(isZone, { error: 'must be an IANA time zone, like Europe/Berlin' });
const ClockTimeSchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, like 09:30');

/** A recurring range of time. */
export const HoursSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('always') }),
  /** While a market trades; `own`: the market of the event's instrument. */
  z.strictObject({ kind: z.literal('session'), calendar: z.enum([...SESSION_CALENDARS, 'own']) }),
  /**
   * Every week on these days (0: Sunday), from `from` until before `to` on that zone's clock; `to` at or
   * before `from` is on the next day.
   */
  z.strictObject({
    kind: z.literal('daily'),
    zone: ZoneSchema,
    days: z.array(z.number().int().min(0).max(6)).min(1).max(7),
    from: ClockTimeSchema,
    to: ClockTimeSchema,
  }),
]);
export type Hours = z.infer<typeof HoursSchema>;

export const MOST_DUE_SESSIONS = 10;
/** only: while one of the kinds is due within so many sessions; not: while none is. Unknown holds, both ways. */
export const DueConditionSchema = z.strictObject({
  when: z.enum(['only', 'not']),
  kinds: z.array(z.enum(SCHEDULED_KINDS)).min(1).max(SCHEDULED_KINDS.length),
  sessions: z.number().int().min(0).max(MOST_DUE_SESSIONS),
});
export type DueCondition = z.infer<typeof DueConditionSchema>;

/**
 * Which symbols a rule covers. `watched`: those of any watchlist; `lists`: of these watchlists, by id. Events
 * without a symbol match every scope.
 */
export const ScopeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('watched') }),
  z.strictObject({ kind: z.literal('lists'), ids: z.array(z.string().min(1).max(64)).min(1).max(100) }),
  z.strictObject({ kind: z.literal('symbols'), symbols: z.array(SymbolSchema).min(1).max(2000) }),
  z.strictObject({ kind: z.literal('all') }),
]);

export const SOUNDS = ['chime', 'bell', 'alarm'] as const;
export type SoundName = (typeof SOUNDS)[number];
/** Seconds between two plays: fewer would merge, more would not repeat within LONGEST_REPEAT. */
export const REPEAT_SECONDS = { least: 5, most: 300 };
/** Maximum duration of a repeating sound, ms. */
export const LONGEST_REPEAT = 10 * 60_000;
export const SoundSchema = z.strictObject({
  name: z.enum(SOUNDS),
  /** Until the user has dealt with the alert, for LONGEST_REPEAT at most. null: it plays once. */
  repeat_seconds: z.number().int().min(REPEAT_SECONDS.least).max(REPEAT_SECONDS.most).nullable(),
});
export type Sound = z.infer<typeof SoundSchema>;

export const RuleIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and dashes, at most 40');

/** Events that a rule may name together. */
export const CHOSEN_EVENTS = [...EVENT_NAMES, FOREIGN_EVENT] as const;
/** Events of rules: also a price and the share of a list that meet the rule's condition. */
export const RULE_EVENTS = [...CHOSEN_EVENTS, PRICE_EVENT, BREADTH_EVENT] as const;
export type RuleEvent = (typeof RULE_EVENTS)[number];

export const ESCALATION_MINUTES = { least: 1, most: 240 };
export const MOST_STEPS = 5;
const StepsSchema = z
  .array(
    z.strictObject({
      /** Minutes after the notification, this computer's clock. */
      after_minutes: z.number().int().min(ESCALATION_MINUTES.least).max(ESCALATION_MINUTES.most),
      channels: z.array(ChannelIdSchema).min(1).max(20),
    }),
  )
  .max(MOST_STEPS)
  .refine((steps) => steps.every(({ after_minutes: at }, index) => at > (steps[index - 1]?.after_minutes ?? 0)), {
    error: 'must be in the order of their time',
  });

/** Steps in the order of their time. One that falls outside the hours waits for them. */
const EscalationSchema = z.strictObject({ hours: HoursSchema, steps: StepsSchema });

/** Ids of all channels that a rule names. */
export const channelsNamedBy = ({ channels, escalation }: Pick<Rule, 'channels' | 'escalation'>): string[] => [
  ...new Set([...channels, ...escalation.steps.flatMap((step) => step.channels)]),
];

/** Ids of all watchlists that a rule names. */
export const listsNamedBy = ({ scope, breadth }: Pick<Rule, 'scope' | 'breadth'>): string[] => [
  ...(scope.kind === 'lists' ? scope.ids : []),
  ...(breadth === null ? [] : [breadth.list]),
];

/** A rule: every condition must hold. Event, symbols, class, state, confidence, regime, price, share of a list, hours. */
export const RuleSchema = z.strictObject({
  id: RuleIdSchema,
  name: z.string().trim().min(1).max(80),
  enabled: z.boolean(),
  /** World time at which it expires; the user learns of it. null: never. */
  expires_at: TimestampSchema.nullable(),
  /** Names of the profiles of the rule. null: all, as for rules of earlier versions. */
  profiles: z.array(ProfileNameSchema).min(1).max(100).nullable().default(null),
  events: z.array(z.enum(RULE_EVENTS)).min(1).max(RULE_EVENTS.length),
  scope: ScopeSchema,
  /** Symbols of its scope that the rule excludes. Rules of earlier versions have none. */
  except: z.array(SymbolSchema).max(2000).default([]),
  /** The asset class of the signal is one of these; other events have none. null: any. */
  classes: z.array(AssetClassSchema).min(1).nullable().default(null),
  /** For signal.* events: the minimum state; for alerts of other programs, the minimum severity. */
  min_state: StateSchema,
  /** Percent; an event without a confidence does not reach it. null: any. */
  min_confidence: PercentSchema.nullable(),
  /** The event's regime is one of these. null: any. */
  regimes: z.array(z.string().min(1).max(80)).min(1).max(50).nullable(),
  /** Condition of `price.crossed`, then the only event of the rule. Rules of earlier versions have none. */
  price: PriceConditionSchema.nullable().default(null),
  /** Condition of `breadth.crossed`, likewise. */
  breadth: BreadthConditionSchema.nullable().default(null),
  /** What is due for its symbol and for every market. Rules of earlier versions have none. */
  due: DueConditionSchema.nullable().default(null),
  /** When the event happened. */
  hours: HoursSchema,
  /** Seconds that a rise must hold before it is notified, a fall likewise. 0: none. */
  hold_up_seconds: z.number().int().min(0).max(3600),
  hold_down_seconds: z.number().int().min(0).max(3600),
  /** Ids of the channels besides the desktop. */
  channels: z.array(ChannelIdSchema).max(20).default([]),
  /** Further channels while nobody has dealt with the alert. Rules of earlier versions have none. */
  escalation: EscalationSchema.default({ hours: { kind: 'always' }, steps: [] }),
  /** null: the desktop's default sound. Rules of earlier versions have none. */
  sound: SoundSchema.nullable().default(null),
});
export type Rule = z.infer<typeof RuleSchema>;

/** Finds the watchlists of a symbol. */
export interface WatchedSymbols {
  isWatched(symbol: string): boolean;
  /** Ids of the watchlists that have the symbol. */
  listsOf(symbol: string): readonly string[];
}

/** Whether a rule covers this symbol, its exceptions aside. */
export function isInScope({ scope }: Pick<Rule, 'scope'>, symbol: string, watch: WatchedSymbols): boolean {
  switch (scope.kind) {
    case 'all':
      return true;
    case 'watched':
      return watch.isWatched(symbol);
    case 'lists': {
      const lists = watch.listsOf(symbol);
      return scope.ids.some((id) => lists.includes(id));
    }
    case 'symbols':
      return scope.symbols.includes(symbol);
  }
}

/** Whether a rule applies in this profile. */
export const appliesIn = ({ profiles }: Pick<Rule, 'profiles'>, profile: string): boolean =>
  profiles === null || profiles.includes(profile);

/** The rule of a new profile. */
export const DEFAULT_RULE: Rule = {
  id: 'high-risk',
  name: 'High Risk of a watched symbol',
  enabled: true,
  expires_at: null,
  profiles: null,
  events: ['signal.high_risk'],
  scope: { kind: 'watched' },
  except: [],
  classes: null,
  min_state: 2,
  min_confidence: null,
  regimes: null,
  price: null,
  breadth: null,
  due: null,
  hours: { kind: 'always' },
  hold_up_seconds: 0,
  hold_down_seconds: 0,
  channels: [],
  escalation: { hours: { kind: 'always' }, steps: [] },
  sound: null,
};

/**
 * Hours without notifications; matched alerts are listed and, if still active at the end, notified then.
 * `outside`: quiet outside these hours.
 */
export const QuietHoursSchema = z.strictObject({
  when: z.enum(['inside', 'outside']),
  hours: HoursSchema.refine((hours) => hours.kind !== 'always', {
    error: 'quiet hours must end: choose a session or times of day',
  }),
});
export type QuietHours = z.infer<typeof QuietHoursSchema>;

/**
 * Minutes without a connection until the desktop is notified: while a market of a watched symbol is open, and
 * at any time.
 */
export const OutageAlarmSchema = z.strictObject({
  market_minutes: z.number().int('whole minutes').min(1, 'at least 1 minute').max(240, 'at most 240 minutes'),
  other_minutes: z.number().int('whole minutes').min(1, 'at least 1 minute').max(1440, 'at most 1440 minutes'),
});
export type OutageAlarm = z.infer<typeof OutageAlarmSchema>;
export const DEFAULT_OUTAGE_ALARM: OutageAlarm = { market_minutes: 2, other_minutes: 30 };

export const GROUP_BY = ['all', 'symbol', 'class', 'list', 'none'] as const;
/** Seconds that the first alerts of a group wait for others: no alert, High Risk included, waits longer. */
export const GROUP_WAIT = { least: 0, most: 60 };
/** Seconds without a further alert after which a notification no longer grows. */
export const GROUP_INTERVAL = { least: 10, most: 300 };
/** Minutes after which a notification that nobody has dealt with is sent again. */
export const GROUP_REPEAT = { least: 15, most: 720 };
/** How alerts become notifications: alerts of a group share one that grows. */
export const GroupingSchema = z.strictObject({
  by: z.enum(GROUP_BY),
  wait_seconds: z.number().int().min(GROUP_WAIT.least).max(GROUP_WAIT.most),
  interval_seconds: z.number().int().min(GROUP_INTERVAL.least).max(GROUP_INTERVAL.most),
  /** Minutes after which it is sent again, for a day, until somebody has dealt with it. null: never. */
  repeat_minutes: z.number().int().min(GROUP_REPEAT.least).max(GROUP_REPEAT.most).nullable().default(null),
  /**
   * While this symbol, or this share of a list, is High Risk, alerts of others are listed with it, or held back. null:
   * never.
   */
  inhibited_by: z.union([SymbolSchema, ListShareSchema]).nullable().default(null),
});
export type Grouping = z.infer<typeof GroupingSchema>;
export const DEFAULT_GROUPING: Grouping = {
  by: 'all',
  wait_seconds: 0,
  interval_seconds: 60,
  repeat_minutes: null,
  inhibited_by: null,
};

/** @param own the calendar of the instrument in question */
export function isWithin(hours: Hours, at: number, own: SessionCalendar): boolean {
  switch (hours.kind) {
    case 'always':
      return true;
    case 'session':
      return isOpen(hours.calendar === 'own' ? own : hours.calendar, at);
    case 'daily': {
      const { weekday, minute } = zonedTime(at, hours.zone);
      const [from, to] = [minutesOf(hours.from), minutesOf(hours.to)];
      if (from < to) return hours.days.includes(weekday) && from <= minute && minute < to;
      // Over midnight: the evening of a listed day, or the morning after it.
      return minute >= from ? hours.days.includes(weekday) : minute < to && hours.days.includes((weekday + 6) % 7);
    }
  }
}

export const isQuiet = (quiet: QuietHours | null, at: number, own: SessionCalendar): boolean =>
  quiet !== null && isWithin(quiet.hours, at, own) === (quiet.when === 'inside');

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

function isZone(name: string): boolean {
  try {
    zonedTime(0, name);
    return true;
  } catch {
    return false;
  }
}
