// Renderer, pure: the entries of the palette, and which of them match a query.

import { type PriceCondition, PriceConditionSchema } from '../../../shared/settings/price-conditions.ts';
import { typedNumber } from '../../ui/form/schemas.ts';

/** An entry that can be chosen. */
export interface Entry {
  /** Unique in the palette. */
  readonly id: string;
  readonly title: string;
  /** Text beside the title. */
  readonly detail: string;
  /** Further words that match a query. */
  readonly also?: string;
  readonly keys?: readonly string[];
  readonly act: () => void;
}

/** A parsed query: its words in lower case, and whether only commands match (a leading ">"). */
export interface Query {
  readonly text: string;
  readonly terms: readonly string[];
  readonly commandsOnly: boolean;
}

export function readQuery(typed: string): Query {
  const trimmed = typed.trim();
  const commandsOnly = trimmed.startsWith('>');
  const text = commandsOnly ? trimmed.slice(1).trim() : trimmed;
  return { text, terms: text.toLowerCase().split(/\s+/).filter(Boolean), commandsOnly };
}

/** Splits a query like "alert aapl below 180" into the conditions that its number may mean, and the rest. */
export function splitPrice(query: Query): { readonly conditions: readonly PriceCondition[]; readonly query: Query } {
  const numberIn = (term: string): number => typedNumber(term.replace(/%$/, ''));
  const amount = query.terms.find((term) => !Number.isNaN(numberIn(term)));
  if (amount === undefined) return { conditions: [], query };
  const value = numberIn(amount);
  const terms = query.terms.filter((term) => term !== amount && term !== '%');
  const candidates: unknown[] =
    amount.endsWith('%') || query.terms.includes('%')
      ? [
          { kind: 'change', direction: 'down', percent: value, minutes: null },
          { kind: 'change', direction: 'up', percent: value, minutes: null },
        ]
      : [
          { kind: 'level', direction: 'below', level: value },
          { kind: 'level', direction: 'above', level: value },
        ];
  const isUp = terms.some((term) => /^(above|over|rises?|up)$/.test(term));
  const isDown = terms.some((term) => /^(below|under|falls?|down)$/.test(term));
  const conditions = candidates
    .flatMap((candidate) => PriceConditionSchema.safeParse(candidate).data ?? [])
    .filter(({ direction }) => (direction === 'up' || direction === 'above' ? !isDown || isUp : !isUp || isDown));
  return { conditions, query: { ...query, terms, text: terms.join(' ') } };
}

/** Minimum length of a shortened verb. A shorter word is more often the beginning of a symbol. */
const MIN_VERB_LENGTH = 3;

/**
 * Splits "silence tesla" into verbs and their subject.
 * @param verbs whole words; a query may have only their beginnings
 */
export function splitVerbs(
  { terms }: Pick<Query, 'terms'>,
  verbs: readonly string[],
): { readonly verbs: readonly string[]; readonly subject: string } {
  const isVerb = (term: string): boolean =>
    term.length >= MIN_VERB_LENGTH && verbs.some((verb) => verb.startsWith(term));
  return { verbs: terms.filter(isVerb), subject: terms.filter((term) => !isVerb(term)).join(' ') };
}

/**
 * How well an entry matches: every word must begin one of its words, or be inside one.
 * @returns higher is better; null if a word is missing
 */
export function scoreOf(entry: Pick<Entry, 'title' | 'also'>, { terms }: Pick<Query, 'terms'>): number | null {
  const text = ` ${entry.title} ${entry.also ?? ''}`.toLowerCase();
  let sum = 0;
  for (const word of terms) {
    if (text.startsWith(` ${word}`)) sum += 3;
    else if (text.includes(` ${word}`)) sum += 2;
    else if (text.includes(word)) sum += 1;
    else return null;
  }
  return sum;
}

/** Matching entries, best first; equals keep their order. */
export function fitting<Kind extends Pick<Entry, 'title' | 'also'>>(
  entries: readonly Kind[],
  query: Pick<Query, 'terms'>,
  most: number,
): readonly Kind[] {
  return entries
    .flatMap((entry) => {
      const score = scoreOf(entry, query);
      return score === null ? [] : [{ entry, score }];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ entry }) => entry);
}
