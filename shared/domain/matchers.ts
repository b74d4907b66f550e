// Pure: matchers, which select alerts for a silence by symbol, list, section, class and state.
import { z } from 'zod';
import { ASSET_CLASSES, type AssetClass, SYMBOL_PATTERN } from './instruments.ts';
import { STATES, type State } from './states.ts';
import type { Watchlist } from './watchlists.ts';

export const MATCHER_NAMES = ['symbol', 'list', 'section', 'class', 'state'] as const;
export type MatcherName = (typeof MATCHER_NAMES)[number];
export const OPERATORS = ['is', 'is_not'] as const;
export type Operator = (typeof OPERATORS)[number];

const named = <Name extends MatcherName, Value extends z.ZodType>(name: Name, value: Value, most: number) =>
  z.strictObject({
    name: z.literal(name),
    operator: z.enum(OPERATORS),
    /** Matches any of these. */
    values: z.array(value).min(1).max(most),
  });

/** A condition on an alert. Lists are values by id, sections by `sectionKey`. */
export const MatcherSchema = z.discriminatedUnion('name', [
  named('symbol', z.string().regex(SYMBOL_PATTERN, 'must be a symbol, like SPY'), 500),
  named('list', z.string().min(1).max(64), 50),
  named('section', z.string().min(3).max(200), 100),
  named('class', z.enum(ASSET_CLASSES), ASSET_CLASSES.length),
  named('state', z.literal(STATES), STATES.length),
]);
export type Matcher = z.infer<typeof MatcherSchema>;

/** All must match; an empty list matches every alert, and events without a symbol. */
export const MatchersSchema = z.array(MatcherSchema).max(10);
export type Matchers = readonly Matcher[];

/** The labels of an alert. Empty or null: no label. */
export interface AlertLabels {
  readonly symbol: string | null;
  readonly lists: readonly string[];
  readonly sections: readonly string[];
  readonly class: AssetClass | null;
  readonly state: State | null;
}

/** A section has no id: its list and its name identify it. */
export const sectionKey = (listId: string, section: string): string => `${listId}/${section}`;

export type Placement = Pick<AlertLabels, 'lists' | 'sections'>;
const UNWATCHED: Placement = { lists: [], sections: [] };

/** By symbol: ids of the lists, and keys of the sections, that have it. */
export function placementsOf(lists: readonly Watchlist[]): ReadonlyMap<string, Placement> {
  const found = new Map<string, { readonly lists: string[]; readonly sections: string[] }>();
  for (const { id, sections } of lists)
    for (const { name, symbols } of sections)
      for (const symbol of symbols) {
        const placement = found.get(symbol) ?? { lists: [], sections: [] };
        if (!placement.lists.includes(id)) placement.lists.push(id);
        placement.sections.push(sectionKey(id, name));
        found.set(symbol, placement);
      }
  return found;
}

export const placementIn = (placements: ReadonlyMap<string, Placement>, symbol: string): Placement =>
  placements.get(symbol) ?? UNWATCHED;

function labelsNamed(name: MatcherName, labels: AlertLabels): readonly (string | number)[] {
  switch (name) {
    case 'list':
      return labels.lists;
    case 'section':
      return labels.sections;
    default:
      return labels[name] === null ? [] : [labels[name]];
  }
}

/** Neither operator matches an alert without the label: a silence that is too narrow does less harm. */
function isMatch({ name, operator, values }: Matcher, labels: AlertLabels): boolean {
  const own = labelsNamed(name, labels);
  if (own.length === 0) return false;
  return values.some((value) => own.includes(value)) === (operator === 'is');
}

export const matches = (matchers: Matchers, labels: AlertLabels): boolean =>
  matchers.every((matcher) => isMatch(matcher, labels));

/** Matchers for these symbols; null: for every symbol. */
export const symbolMatchers = (symbols: readonly string[] | null): Matcher[] =>
  symbols === null ? [] : [{ name: 'symbol', operator: 'is', values: [...symbols] }];

export const sectionMatcher = (listId: string, section: string): Matcher => ({
  name: 'section',
  operator: 'is',
  values: [sectionKey(listId, section)],
});

/** The symbols of matchers that have only symbols; null: other matchers, or none. */
export function symbolsAlone(matchers: Matchers): readonly string[] | null {
  const [only] = matchers;
  return matchers.length === 1 && only?.name === 'symbol' && only.operator === 'is' ? only.values : null;
}

/** The one symbol that the matchers cover; null: they may cover several. */
export function onlySymbol(matchers: Matchers): string | null {
  const symbols = symbolsAlone(matchers);
  return symbols?.length === 1 ? (symbols[0] ?? null) : null;
}
