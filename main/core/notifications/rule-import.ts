// Main, core: what an import of rules would save. A rule that cannot work here as in the file says so, with the cure.
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { RuleImport } from '../../../shared/channels/alerting.ts';
import { refused } from '../../../shared/channels/channel.ts';
import { profileOfList } from '../../../shared/domain/watchlists.ts';
import { channelsNamedBy, listsNamedBy, type Rule, RuleSchema } from '../../../shared/settings/alert-rules.ts';
import { freshId } from '../../../shared/settings/fresh-id.ts';
import { type Named, type RuleFile, readRuleFile } from '../../../shared/settings/rule-file.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import { firstIssue } from '../profiles/unknown-keys.ts';
import { deadMessage } from './rule-store.ts';
import { hasExpired } from './rules.ts';

/** This computer. */
export interface ImportContext {
  /** World time, ms. */
  readonly now: number;
  readonly rules: readonly { readonly id: string; readonly rule: Rule | null }[];
  readonly lists: readonly Named[];
  readonly channels: readonly Named[];
  /** Names of the profiles. */
  readonly profiles: readonly string[];
  /** Why none of its symbols can have a price. */
  readonly priceProblem: (rule: Rule) => Message | null;
}

type Change = readonly [rule: Rule | null, notes: readonly Message[]];

/** Each rule of the file in its order. @throws RefusedError where the text is no file of rules */
export function planImport(text: string, context: ImportContext): RuleImport[] {
  const read = readRuleFile(text);
  if (read.status === 'newer') throw refused(message('rule_file.newer', { version: read.version }));
  if (read.status === 'invalid') throw refused(message('rule_file.invalid', { why: read.why }));
  const rules = [...context.rules];
  return read.file.rules.map((value) => {
    const [rule, notes] = planRule(value, read.file, { ...context, rules });
    if (rule !== null) rules.push({ id: rule.id, rule });
    return { name: rule?.name ?? nameIn(value), rule, notes: [...notes] };
  });
}

const nameIn = (value: unknown): string | null =>
  z.object({ name: z.string().trim().min(1).max(80) }).safeParse(value).data?.name ?? null;

function planRule(value: unknown, file: RuleFile, context: ImportContext): Change {
  const parsed = RuleSchema.safeParse(value);
  if (!parsed.success) return [null, [invalidMessage(parsed.error)]];
  let rule: Rule = parsed.data;
  const notes: Message[] = [];
  for (const step of [withListsHere, withChannelsHere, withProfilesHere, disabledIfDead, withFreeId]) {
    const [next, said] = step(rule, file, context);
    notes.push(...said);
    if (next === null) return [null, notes];
    rule = next;
  }
  return [rule, notes];
}

/** A field that is not known may be a condition, without which the rule would do something else. */
function invalidMessage(error: z.ZodError): Message {
  const { issues } = error;
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key].join('.')) : [],
  );
  return issues.every(({ code }) => code === 'unrecognized_keys')
    ? message('rule_import.unknown_fields', { fields: unknown.join(', ') })
    : message('rule_import.invalid', { why: firstIssue(error) });
}

interface Found {
  readonly ids: ReadonlyMap<string, string>;
  /** Those that are not here, by name. */
  readonly missing: readonly string[];
  readonly notes: readonly Message[];
}

/** Finds what the file names: by id where the name is equal too, else by name, else by id with a note. */
function find(
  kind: 'list' | 'channel',
  wanted: readonly string[],
  file: readonly Named[],
  here: readonly Named[],
): Found {
  const ids = new Map<string, string>();
  const [missing, notes]: [string[], Message[]] = [[], []];
  for (const id of wanted) {
    const name = file.find((one) => one.id === id)?.name;
    const same = here.find((one) => one.id === id);
    const named = here.filter((one) => one.name === name);
    const found = same !== undefined && (name ?? same.name) === same.name ? same : named.length === 1 ? named[0] : same;
    if (found === undefined) missing.push(name ?? id);
    else ids.set(id, found.id);
    if (found !== undefined && name !== undefined && found.name !== name)
      notes.push(message('rule_import.other_name', { kind, id, here: found.name, name }));
  }
  return { ids, missing, notes };
}

function withListsHere(rule: Rule, file: RuleFile, { lists }: ImportContext): Change {
  const named = listsNamedBy(rule);
  if (named.length === 0) return [rule, []];
  const { ids, missing, notes } = find('list', named, file.watchlists, lists);
  const names = missing.map((name) => profileOfList(name) ?? name).join(', ');
  if (ids.size === 0 || (rule.breadth !== null && !ids.has(rule.breadth.list)))
    return [null, [message('rule_import.no_list', { lists: names })]];
  const { scope, breadth } = rule;
  const here = (id: string): string[] => [ids.get(id) ?? []].flat();
  return [
    {
      ...rule,
      scope: scope.kind === 'lists' ? { kind: 'lists', ids: [...new Set(scope.ids.flatMap(here))] } : scope,
      breadth: breadth === null ? null : { ...breadth, list: ids.get(breadth.list) ?? breadth.list },
    },
    missing.length === 0 ? notes : [...notes, message('rule_import.lists', { lists: names })],
  ];
}

function withChannelsHere(rule: Rule, file: RuleFile, { channels }: ImportContext): Change {
  const { ids, missing, notes } = find('channel', channelsNamedBy(rule), file.channels, channels);
  const here = (named: readonly string[]): string[] => [...new Set(named.flatMap((id) => ids.get(id) ?? []))];
  const steps = rule.escalation.steps
    .map((step) => ({ ...step, channels: here(step.channels) }))
    .filter((step) => step.channels.length > 0);
  return [
    { ...rule, channels: here(rule.channels), escalation: { ...rule.escalation, steps } },
    missing.length === 0 ? notes : [...notes, message('rule_import.channels', { channels: missing.join(', ') })],
  ];
}

function withProfilesHere(rule: Rule, _file: RuleFile, context: ImportContext): Change {
  const missing = (rule.profiles ?? []).filter((name) => !context.profiles.includes(name));
  if (missing.length === 0) return [rule, []];
  const profiles = missing.join(', ');
  return missing.length === rule.profiles?.length
    ? [{ ...rule, profiles: null }, [message('rule_import.no_profile', { profiles })]]
    : [rule, [message('rule_import.profiles', { profiles })]];
}

/** A rule that can never notify is kept, and shown as disabled. */
function disabledIfDead(rule: Rule, _file: RuleFile, { now, priceProblem }: ImportContext): Change {
  if (!rule.enabled) return [rule, []];
  const why = hasExpired(rule, now)
    ? message('rule.expired', { at: rule.expires_at ?? '' })
    : (deadMessage(rule) ?? priceProblem(rule));
  return why === null ? [rule, []] : [{ ...rule, enabled: false }, [message('rule_import.off', { why })]];
}

function withFreeId(rule: Rule, _file: RuleFile, { rules }: ImportContext): Change {
  const known = rules.find((one) => one.rule !== null && isSame(one.rule, rule));
  if (known !== undefined) return [null, [message('rule_import.known', { id: known.id })]];
  const taken = rules.map(({ id }) => id);
  if (!taken.includes(rule.id)) return [rule, []];
  const fresh = freshId(rule.name, taken, 'rule');
  return [{ ...rule, id: fresh }, [message('rule_import.fresh_id', { taken: rule.id, id: fresh })]];
}

/** The user may have enabled or disabled a rule since it was imported. */
const isSame = (one: Rule, other: Rule): boolean =>
  isDeepStrictEqual({ ...one, id: '', enabled: true }, { ...other, id: '', enabled: true });
