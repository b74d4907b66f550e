// Main, core: the rules and quiet hours of the settings, read one by one.
// An invalid rule stays in the file with its problem, and does not affect the others.

import { z } from 'zod';
import type { Alerting } from '../../../shared/channels/alerting.ts';
import { refused } from '../../../shared/channels/channel.ts';
import {
  DEFAULT_GROUPING,
  DEFAULT_OUTAGE_ALARM,
  type Grouping,
  listsNamedBy,
  type OutageAlarm,
  type QuietHours,
  QuietHoursSchema,
  type Rule,
  RuleIdSchema,
  RuleSchema,
} from '../../../shared/settings/alert-rules.ts';
import { contradictionOf, type DeadEvents, deadEventsOf } from '../../../shared/settings/rule-contradictions.ts';
import type { Named } from '../../../shared/settings/rule-file.ts';
import type { Zone } from '../../../shared/text/format.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { SettingsStore } from '../ports.ts';
import type { Settings } from '../profiles/settings.ts';
import { firstIssue, parseKnown, withUnknownKeys } from '../profiles/unknown-keys.ts';
import { hasExpired } from './rules.ts';

type RuleView = Alerting['rules'][number];

export interface RuleStore {
  /** The valid rules, in order; disabled and expired ones too. */
  rules(): readonly Rule[];
  get(id: string): Rule | null;
  quiet(): QuietHours | null;
  outageAlarm(): OutageAlarm;
  grouping(): Grouping;
  /** Time zone of notifications, as a window last reported it; null: never. */
  zone(): Zone | null;
  /** The watchlists that rules may name. */
  lists(): readonly Named[];
  /** Names of the profiles. */
  profiles(): readonly string[];
  /** Each rule with its problem. `now`: world time, ms. */
  views(now: number): RuleView[];
  /** True when there is a production profile, which a sandbox must not drown. */
  hasProduction(): boolean;
  /** Reads the settings again; another core may have written them. Returns whether anything changed. */
  refresh(): boolean;
  /**
   * @throws RefusedError for an unknown watchlist, no known profile, or an enabled rule that can never notify
   */
  save(rule: Rule): void;
  /** Appends rules with ids that are not taken, all or none. @throws RefusedError as `save` */
  append(rules: readonly Rule[]): void;
  /** @throws RefusedError for an unknown rule */
  remove(id: string): void;
  setQuiet(quiet: QuietHours | null): void;
  setOutageAlarm(limits: OutageAlarm): void;
  setGrouping(grouping: Grouping): void;
  setZone(zone: Zone): void;
}

interface RuleEntry {
  readonly id: string;
  readonly rule: Rule | null;
  readonly problem: Message | null;
}

/** What the settings say. */
interface StoredRules {
  readonly entries: readonly RuleEntry[];
  readonly rules: readonly Rule[];
  readonly quiet: QuietHours | null;
  readonly quietProblem: Message | null;
  readonly outageAlarm: OutageAlarm;
  readonly grouping: Grouping;
  readonly zone: Zone | null;
  readonly lists: readonly Named[];
  readonly profiles: readonly string[];
  readonly hasProduction: boolean;
}

export function createRuleStore(settings: SettingsStore): RuleStore {
  const first = settings.read();
  let key = keyOf(first);
  let stored = readStored(first);

  const refresh = (): boolean => {
    const now = settings.read();
    const keyNow = keyOf(now);
    if (keyNow === key) return false;
    key = keyNow;
    stored = readStored(now);
    return true;
  };
  const write = (change: (alerting: Settings['alerting']) => Partial<Settings['alerting']>): void => {
    settings.change((now) => ({ ...now, alerting: { ...now.alerting, ...change(now.alerting) } }));
    refresh();
  };
  const missingLists = (rule: Rule): string[] =>
    listsNamedBy(rule).filter((id) => !stored.lists.some((list) => list.id === id));
  const isOfNoProfile = (rule: Rule): boolean =>
    rule.profiles?.every((name) => !stored.profiles.includes(name)) === true;
  const problemOf = (rule: Rule, now: number): Message | null => {
    if (!rule.enabled) return null;
    if (hasExpired(rule, now)) return message('rule.expired', { at: rule.expires_at ?? '' });
    const contradiction = contradictionOf(rule);
    if (contradiction !== null) return contradictionMessage(rule, { why: contradiction, events: rule.events });
    if (isOfNoProfile(rule)) return message('rule.profiles_gone', { profiles: rule.profiles?.join(', ') ?? '' });
    const missing = missingLists(rule);
    return missing.length === 0 ? null : message('rule.list_gone', { lists: missing.join(', ') });
  };

  /** @throws RefusedError */
  const check = (rule: Rule): void => {
    const dead = deadMessage(rule);
    if (dead !== null) throw refused(dead);
    if (isOfNoProfile(rule))
      throw refused(message('rule.unknown_profiles', { profiles: rule.profiles?.join(', ') ?? '' }));
    const missing = missingLists(rule);
    if (missing.length > 0) throw refused(message('rule.unknown_list', { lists: missing.join(', ') }));
  };

  return {
    rules: () => stored.rules,
    get: (id) => stored.rules.find((rule) => rule.id === id) ?? null,
    quiet: () => stored.quiet,
    outageAlarm: () => stored.outageAlarm,
    grouping: () => stored.grouping,
    zone: () => stored.zone,
    lists: () => stored.lists,
    profiles: () => stored.profiles,
    views(now) {
      const { entries, quietProblem } = stored;
      const views = entries.map(({ id, rule, problem }) => ({
        id,
        rule,
        problem: rule === null ? problem : problemOf(rule, now),
      }));
      return quietProblem === null ? views : [...views, { id: 'quiet-hours', rule: null, problem: quietProblem }];
    },
    hasProduction: () => stored.hasProduction,
    refresh,
    save(rule) {
      check(rule);
      write(({ rules: all }) => {
        const position = all.findIndex((one, index) => readRule(one, index).id === rule.id);
        if (position === -1) return { rules: [...all, rule] };
        const before = all[position];
        return { rules: all.with(position, withUnknownKeys(before, parseKnown(RuleSchema, before).data, rule)) };
      });
    },
    append(added) {
      for (const rule of added) check(rule);
      write(({ rules: all }) => ({ rules: [...all, ...added] }));
    },
    remove(id) {
      if (!stored.entries.some((one) => one.id === id)) throw refused(message('rule.unknown', { id }));
      write(({ rules: all }) => ({ rules: all.filter((one, index) => readRule(one, index).id !== id) }));
    },
    setQuiet: (to) => write(({ quiet: before }) => ({ quiet: withUnknownKeys(before, parseQuiet(before).data, to) })),
    setOutageAlarm: (to) => write(() => ({ outage: to })),
    setGrouping: (to) => write(() => ({ grouping: to })),
    setZone: (to) => write(() => ({ zone: to })),
  };
}

/** Changes with every part of the settings that this store reads. */
const keyOf = ({ alerting, watchlists, profiles }: Settings): string =>
  JSON.stringify([alerting, watchlists.map(({ id, name }) => [id, name]), profiles]);

function readStored({ alerting, watchlists, profiles }: Settings): StoredRules {
  const entries = alerting.rules.map(readRule);
  const quiet = parseQuiet(alerting.quiet);
  return {
    entries,
    rules: entries.flatMap(({ rule }) => rule ?? []),
    // Invalid quiet hours do not mute: a wrong mute would hide alerts.
    quiet: quiet.success ? quiet.data : null,
    quietProblem: quiet.success ? null : message('rule.quiet_invalid', { why: firstIssue(quiet.error) }),
    outageAlarm: alerting.outage ?? DEFAULT_OUTAGE_ALARM,
    grouping: alerting.grouping ?? DEFAULT_GROUPING,
    zone: alerting.zone ?? null,
    lists: watchlists.map(({ id, name }) => ({ id, name })),
    profiles: profiles.map(({ name }) => name),
    hasProduction: profiles.some(({ environment }) => environment === 'production'),
  };
}

const contradictionMessage = ({ min_state }: Rule, { why, events }: DeadEvents): Message =>
  message('rule.contradiction', { why, events: events.join(' '), state: min_state });

/** Why an enabled rule can never notify of one of its events. A disabled rule may be incomplete. */
export function deadMessage(rule: Rule): Message | null {
  const dead = rule.enabled ? deadEventsOf(rule) : null;
  return dead === null ? null : contradictionMessage(rule, dead);
}

const parseQuiet = (value: unknown) => parseKnown(QuietHoursSchema.nullable(), value);

function readRule(value: unknown, index: number): RuleEntry {
  const parsed = parseKnown(RuleSchema, value);
  if (parsed.success) return { id: parsed.data.id, rule: parsed.data, problem: null };
  const named = z.object({ id: RuleIdSchema }).safeParse(value);
  return {
    id: named.success ? named.data.id : `broken-${index + 1}`,
    rule: null,
    problem: message('rule.invalid', { why: firstIssue(parsed.error) }),
  };
}
