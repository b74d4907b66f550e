// Renderer, pure: the views of a watchlist: all symbols, those near their breach, mine, or of one state, class or regime.
import type { Row } from '../../../shared/channels/state.ts';
import { breachDistance } from '../../../shared/domain/fall-chance.ts';
import { bookOf, type HoldingLists } from '../../../shared/domain/holdings.ts';
import { regimeLabel } from '../../../shared/domain/regimes.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import { symbolsOf, type Watchlist } from '../../../shared/domain/watchlists.ts';
import { texts } from '../../../shared/text/texts.ts';
import { regimeOf } from './row-label.ts';

/** "all", "near", "mine", or a kind with its value: "state 2", "state none", "class etf", "regime stress". */
export type ListView = string;
type Rows = Readonly<Record<string, Row>>;

/** Percent of the price above the breach level. */
const NEAR = 1;
const KINDS = ['state', 'class', 'regime'] as const;
type Kind = (typeof KINDS)[number];

/** What a row is, by its last known signal. */
const VALUE_OF: Readonly<Record<Kind, (row: Row | undefined) => string | null>> = {
  state: (row) => (row?.coverage === 'regime_only' ? 'none' : (row?.signal?.state.toString() ?? null)),
  class: (row) => row?.signal?.asset_class ?? null,
  regime: (row) => regimeOf(row),
};
/** Also past the level; a row whose distance is not known counts as near. */
const isNear = (row: Row | undefined): boolean => row?.signal != null && (breachDistance(row.signal) ?? 0) <= NEAR;

/** Whether a symbol is in the view. */
export function matcherOf(view: ListView, rows: Rows, lists: HoldingLists): (symbol: string) => boolean {
  if (view === 'all') return () => true;
  if (view === 'near') return (symbol) => isNear(rows[symbol]);
  if (view === 'mine') {
    const book = bookOf(lists);
    return (symbol) => book.has(symbol);
  }
  const kind = KINDS.find((one) => view.startsWith(`${one} `));
  // A view of another version of the window.
  if (kind === undefined) return () => true;
  return (symbol) => `${kind} ${VALUE_OF[kind](rows[symbol])}` === view;
}

interface ViewChoice {
  readonly value: ListView;
  /** With the number of symbols. */
  readonly label: string;
}

const LABEL_OF: Readonly<Record<Kind, (value: string) => string>> = {
  state: (value) => (value === 'none' ? texts.lists.views.regimeAlone : stateLabel(Number(value) as 0 | 1 | 2)),
  class: (value) => texts.header.classes[value as keyof typeof texts.header.classes] ?? value,
  regime: regimeLabel,
};

/** The label of a shown choice of the menu; null: none of them is shown. */
export function chosenLabel(list: Watchlist, shown: ListView, rows: Rows): string | null {
  const kind = KINDS.find((one) => shown.startsWith(`${one} `));
  if (kind === undefined) return null;
  const number = symbolsOf(list).filter(matcherOf(shown, rows, [])).length;
  return texts.lists.views.of(LABEL_OF[kind](shown.slice(kind.length + 1)), number);
}

/**
 * The labels of all, near and mine by view; the latter two where distances and positions exist.
 * @param shown has a label even without symbols
 */
export function firstChoices(
  list: Watchlist,
  shown: ListView,
  rows: Rows,
  lists: HoldingLists,
): Readonly<Record<ListView, string>> {
  const symbols = symbolsOf(list);
  const numberIn = (view: ListView): number => symbols.filter(matcherOf(view, rows, lists)).length;
  const { views } = texts.lists;
  const hasDistance = symbols.some((symbol) => rows[symbol]?.signal?.breach_level != null);
  const mine = numberIn('mine');
  return {
    all: views.all(symbols.length),
    ...(hasDistance || shown === 'near' ? { near: views.near(NEAR, numberIn('near')) } : {}),
    ...(mine > 0 || shown === 'mine' ? { mine: views.mine(mine) } : {}),
  };
}

interface ChoiceGroup {
  readonly kind: Kind;
  readonly choices: readonly ViewChoice[];
}

/** The choices of the menu. @param shown as in `firstChoices` */
export function choiceGroups(list: Watchlist, shown: ListView, rows: Rows): ChoiceGroup[] {
  return KINDS.map((kind) => {
    const isShown = shown.startsWith(`${kind} `);
    const numbers = new Map<string, number>(isShown ? [[shown.slice(kind.length + 1), 0]] : []);
    for (const symbol of symbolsOf(list)) {
      const value = VALUE_OF[kind](rows[symbol]);
      if (value !== null) numbers.set(value, (numbers.get(value) ?? 0) + 1);
    }
    const sorted = [...numbers].sort(([a], [b]) => (kind === 'state' ? b.localeCompare(a) : a.localeCompare(b)));
    return {
      kind,
      choices: sorted.map(([value, number]) => ({
        value: `${kind} ${value}`,
        label: texts.lists.views.of(LABEL_OF[kind](value), number),
      })),
    };
  }).filter(({ choices }) => choices.length > 0);
}
