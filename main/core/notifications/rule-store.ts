// Main, core: the rules and quiet hours of the settings, read one by one.
// An invalid rule remains in the file, is named, and does not affect the others.
import { z } from 'zod';
import type { Alerting } from '../../../shared/channels/alerting.ts';
import { RefusedError } from '../../../shared/channels/channel.ts';
import {
  DEFAULT_OUTAGE_ALARM,
  type OutageAlarm,
  type QuietHours,
  QuietHoursSchema,
  type Rule,
  RuleIdSchema,
  RuleSchema,
} from '../../../shared/settings/alert-rules.ts';
import type { SettingsStore } from '../ports.ts';
import type { Settings } from '../profiles/settings.ts';
import { hasExpired } from './rules.ts';

type RuleView = Alerting['rules'][number];

export interface RuleStore {
  /** The valid rules, in order; disabled and expired ones too. */
  rules(): readonly Rule[];
  get(id: string): Rule | null;
  quiet(): QuietHours | null;
  outageAlarm(): OutageAlarm;
  /** Each rule with its problem. `now`: world time, ms. */
  views(now: number): RuleView[];
  /** A sandbox beside a production profile must not drown it; two sandboxes do not affect each other. */
  hasProduction(): boolean;
  /** Reads the settings again; another core may have written them. Returns whether anything changed. */
  refresh(): boolean;
  /** @throws RefusedError where it names an unknown watchlist */
  save(rule: Rule): void;
  /** @throws RefusedError for an unknown rule */
  remove(id: string): void;
  setQuiet(quiet: QuietHours | null): void;
  setOutageAlarm(limits: OutageAlarm): void;
}

interface RuleEntry {
  readonly id: string;
  readonly rule: Rule | null;
  readonly problem: string | null;
}

export function createRuleStore(settings: SettingsStore): RuleStore {
  let text = '';
  let entries: readonly RuleEntry[] = [];
  let rules: readonly Rule[] = [];
  let quiet: QuietHours | null = null;
  let outageAlarm = DEFAULT_OUTAGE_ALARM;
  let quietProblem: string | null = null;
  let lists = new Set<string>();
  let production = false;

  const refresh = (): boolean => {
    const now = settings.read();
    const seen = JSON.stringify([now.alerting, now.watchlists.map(({ id }) => id), now.profiles]);
    if (seen === text) return false;
    text = seen;
    lists = new Set(now.watchlists.map(({ id }) => id));
    production = now.profiles.some(({ environment }) => environment === 'production');
    entries = now.alerting.rules.map(readRule);
    rules = entries.flatMap(({ rule }) => rule ?? []);
    outageAlarm = now.alerting.outage ?? DEFAULT_OUTAGE_ALARM;
    const parsed = QuietHoursSchema.nullable().safeParse(now.alerting.quiet);
    // Invalid quiet hours do not mute: a wrong mute would hide alerts.
    quiet = parsed.success ? parsed.data : null;
    quietProblem = parsed.success
      ? null
      : `The quiet hours cannot be read and do not apply: ${firstLine(parsed.error)}`;
    return true;
  };
  refresh();

  const write = (change: (alerting: Settings['alerting']) => Partial<Settings['alerting']>): void => {
    const now = settings.read();
    settings.write({ ...now, alerting: { ...now.alerting, ...change(now.alerting) } });
    refresh();
  };
  const missingLists = ({ scope }: Rule): string[] =>
    scope.kind === 'lists' ? scope.ids.filter((id) => !lists.has(id)) : [];
  const problemOf = (rule: Rule, now: number): string | null => {
    if (!rule.enabled) return null;
    if (hasExpired(rule, now)) return `It ended at ${rule.expires_at}. Give it a later end, or delete it.`;
    const missing = missingLists(rule);
    return missing.length === 0
      ? null
      : `The watchlist ${missing.join(', ')} is gone. Choose another, or delete the rule.`;
  };

  return {
    rules: () => rules,
    get: (id) => rules.find((rule) => rule.id === id) ?? null,
    quiet: () => quiet,
    outageAlarm: () => outageAlarm,
    views(now) {
      const views = entries.map(({ id, rule, problem }) => ({
        id,
        rule,
        problem: rule === null ? problem : problemOf(rule, now),
      }));
      return quietProblem === null ? views : [...views, { id: 'quiet-hours', rule: null, problem: quietProblem }];
    },
    hasProduction: () => production,
    refresh,
    save(rule) {
      const missing = missingLists(rule);
      if (missing.length > 0)
        throw new RefusedError({ code: 'refused', message: `There is no watchlist ${missing.join(', ')}.` });
      write(({ rules: all }) => {
        const position = all.findIndex((one, index) => readRule(one, index).id === rule.id);
        return { rules: position === -1 ? [...all, rule] : all.with(position, rule) };
      });
    },
    remove(id) {
      if (!entries.some((one) => one.id === id))
        throw new RefusedError({ code: 'refused', message: `There is no rule ${id}.` });
      write(({ rules: all }) => ({ rules: all.filter((one, index) => readRule(one, index).id !== id) }));
    },
    setQuiet: (to) => write(() => ({ quiet: to })),
    setOutageAlarm: (to) => write(() => ({ outage: to })),
  };
}

function readRule(value: unknown, index: number): RuleEntry {
  const parsed = RuleSchema.safeParse(value);
  if (parsed.success) return { id: parsed.data.id, rule: parsed.data, problem: null };
  const named = z.object({ id: RuleIdSchema }).safeParse(value);
  return {
    id: named.success ? named.data.id : `broken-${index + 1}`,
    rule: null,
    problem: `It cannot be read and does not apply: ${firstLine(parsed.error)}`,
  };
}

function firstLine(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue === undefined ? 'not as declared' : `${issue.path.map(String).join('.')} ${issue.message}`.trim();
}
