// Renderer, mutes: the draft of a silence as typed.
// The page's draft outlives a visit to another page.
import {
  type Matcher,
  type MatcherName,
  MatcherSchema,
  type Matchers,
  type Operator,
} from '../../../shared/domain/matchers.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { Zone } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { createViewSlice } from '../../store/view-state.ts';
import { symbolsIn } from '../../ui/form/schemas.ts';

/** A condition as typed. */
export interface MatcherText {
  readonly name: MatcherName;
  readonly operator: Operator;
  /** Values of the matcher `symbol`, as typed. */
  readonly symbols: string;
  /** Checked values of the other matchers; a state by its number. */
  readonly chosen: readonly string[];
}

/** The fields of a silence, as typed. */
export interface SilenceText {
  readonly matchers: readonly MatcherText[];
  readonly from: string;
  readonly until: string;
  readonly comment: string;
}
interface SilenceDraft extends SilenceText {
  /** Zone of the typed times: another choice of zone does not move them. null: no time was typed. */
  readonly zone: Zone | null;
}

export const EMPTY_MATCHER: MatcherText = { name: 'symbol', operator: 'is', symbols: '', chosen: [] };
export const EMPTY_SILENCE: SilenceText = { matchers: [EMPTY_MATCHER], from: '', until: '', comment: '' };
const slice = createViewSlice<SilenceDraft>('silence', { ...EMPTY_SILENCE, zone: null });

export const useSilenceDraft = (): SilenceDraft => slice.use((draft) => draft);
export const writeSilence = (draft: SilenceDraft): void => slice.set(draft);

export const matcherTexts = (matchers: Matchers): MatcherText[] =>
  matchers.map(({ name, operator, values }) => ({
    name,
    operator,
    symbols: name === 'symbol' ? values.join(' ') : '',
    chosen: name === 'symbol' ? [] : values.map(String),
  }));

/** Parses a condition; null: no symbol is typed, so the condition is dropped. */
function readMatcher({ name, operator, symbols, chosen }: MatcherText): Result<Matcher | null, string> {
  if (name !== 'symbol') {
    const values = name === 'state' ? chosen.map(Number) : chosen;
    const matcher = MatcherSchema.safeParse({ name, operator, values });
    return matcher.success ? ok(matcher.data) : err(texts.rules.problems.matcher);
  }
  const { good, wrong } = symbolsIn(symbols);
  if (wrong.length > 0) return err(texts.rules.problems.symbols(wrong));
  return ok(good.length === 0 ? null : { name, operator, values: [...good] });
}

/** The matchers, or the errors by path. */
export function readMatchers(drafts: readonly MatcherText[]): Result<Matcher[], Record<string, string>> {
  const read = drafts.map(readMatcher);
  const errors = read.flatMap((one, index) =>
    one.ok ? [] : [[`${index}.${drafts[index]?.name === 'symbol' ? 'symbols' : 'chosen'}`, one.error] as const],
  );
  if (errors.length > 0) return err(Object.fromEntries(errors));
  return ok(read.flatMap((one) => (one.ok && one.value !== null ? [one.value] : [])));
}

/** The matchers typed so far, without conditions that cannot be parsed yet. */
export const readableMatchers = (drafts: readonly MatcherText[]): Matcher[] =>
  drafts.flatMap((draft) => {
    const { good } = symbolsIn(draft.symbols);
    const read = readMatcher(draft.name === 'symbol' ? { ...draft, symbols: good.join(' ') } : draft);
    return read.ok && read.value !== null ? [read.value] : [];
  });
