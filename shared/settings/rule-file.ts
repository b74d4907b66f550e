// Pure: the file in which rules are shared. It names lists and channels, never where a channel leads.
import { z } from 'zod';
import { channelsNamedBy, listsNamedBy, type Rule } from './alert-rules.ts';

const FORMAT = 'barograph-rules';
const VERSION = 1;
/** Longest text of a file, characters. */
export const LONGEST_RULE_FILE = 1_000_000;

const NamedSchema = z.object({ id: z.string().min(1).max(80), name: z.string().min(1).max(80) });
/** A watchlist or a channel. */
export type Named = z.infer<typeof NamedSchema>;

const HeadSchema = z.object({ format: z.literal(FORMAT), version: z.number().int().positive() });
const RuleFileSchema = HeadSchema.extend({
  /** Names of the watchlists and channels that its rules name by id. */
  watchlists: z.array(NamedSchema).max(1000).default([]),
  channels: z.array(NamedSchema).max(1000).default([]),
  /** Each is checked for itself. */
  rules: z.array(z.unknown()).max(1000),
});
export type RuleFile = z.infer<typeof RuleFileSchema>;

/** @param lists, channels those of this computer; the file gets id and name of those that a rule names */
export function ruleFileOf(rules: readonly Rule[], lists: readonly Named[], channels: readonly Named[]): RuleFile {
  const listIds = rules.flatMap(listsNamedBy);
  const channelIds = rules.flatMap(channelsNamedBy);
  const named = (all: readonly Named[], ids: readonly string[]): Named[] =>
    all.filter(({ id }) => ids.includes(id)).map(({ id, name }) => ({ id, name }));
  return {
    format: FORMAT,
    version: VERSION,
    watchlists: named(lists, listIds),
    channels: named(channels, channelIds),
    rules: [...rules],
  };
}

export type RuleFileRead =
  | { readonly status: 'valid'; readonly file: RuleFile }
  /** Something else, or JSON with an error. */
  | { readonly status: 'invalid'; readonly why: string }
  | { readonly status: 'newer'; readonly version: number };

export function readRuleFile(text: string): RuleFileRead {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { status: 'invalid', why: 'it is not JSON' };
  }
  const head = HeadSchema.safeParse(value);
  if (!head.success) return { status: 'invalid', why: `it lacks "format": "${FORMAT}" and a version` };
  if (head.data.version > VERSION) return { status: 'newer', version: head.data.version };
  const file = RuleFileSchema.safeParse(value);
  if (file.success) return { status: 'valid', file: file.data };
  const [issue] = file.error.issues;
  return { status: 'invalid', why: `${issue?.path.join('.')}: ${issue?.message}` };
}
