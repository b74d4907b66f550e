// Renderer: one search over symbols, pages, actions, alerts, briefings and news of this computer.
import { Command } from 'cmdk';
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react';
import type { Hit } from '../../../shared/channels/archive.ts';
import { type FindableInstrument, findInstruments } from '../../../shared/domain/instrument-search.ts';
import { isSymbol, normalizeSymbol } from '../../../shared/domain/instruments.ts';
import { watchedSymbols } from '../../../shared/domain/watchlists.ts';
import type { PageId } from '../../../shared/domain/window-routes.ts';
import type { PriceCondition } from '../../../shared/settings/price-conditions.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useInstruments } from '../../queries/instruments.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useRiskOrder } from '../../store/risk-order.ts';
import { goTo } from '../../store/route.ts';
import { useSnapshot } from '../../store/store.ts';
import { Icon } from '../../ui/icon.tsx';
import { type Entry, fitting, type Query, readQuery, splitPrice, splitVerbs } from './entries.ts';
import { EntryItem, HitItem, hitId, type SelectHandler, SymbolItem, symbolId } from './items.tsx';
import { useActions, useSymbolActions } from './use-actions.ts';

const SYMBOLS_SHOWN = 6;
const OTHERS_SHOWN = 8;
const MAX_HITS = 24;
const ALL = Number.POSITIVE_INFINITY;

export interface SearchProps {
  readonly typed: string;
  readonly onTyped: (typed: string) => void;
  readonly pages: readonly { readonly id: PageId; readonly label: string }[];
  readonly onKeys: () => void;
  readonly onClose: () => void;
}

/** The field and what it finds. */
export function Search({ typed, onTyped, pages, onKeys, onClose }: SearchProps) {
  const [chosen, setChosen] = useState('');
  const query = readQuery(typed);
  const { symbols, isWatched, about, unknown, verbs, conditions } = useFound(query);
  const known = useSymbolActions(about, true, conditions);
  const symbolActions = fitting(known, { terms: verbs }, ALL);
  const watching = useSymbolActions(unknown?.symbol ?? null, unknown?.isCovered ?? null);
  const actions = fitting(useActions(onKeys), query, OTHERS_SHOWN);
  const pageEntries = fitting(pages.map(pageEntry), query, OTHERS_SHOWN);
  const { hits, searching, problem } = useHits(query);
  const grouped = HIT_GROUPS.map(({ kinds, heading }) => ({
    heading,
    hits: hits.filter(({ kind }) => kinds.includes(kind)),
  }));
  // With a verb, the actions come before the symbols.
  const isActionFirst = verbs.length > 0;
  const ids = [
    ...(isActionFirst ? [...symbolActions, ...actions].map(({ id }) => id) : []),
    ...symbols.map(({ symbol }) => symbolId(symbol)),
    ...(isActionFirst ? [] : symbolActions.map(({ id }) => id)),
    ...grouped.flatMap((group) => group.hits.map(hitId)),
    ...[...pageEntries, ...(isActionFirst ? [] : actions)].map(({ id }) => id),
    ...watching.map(({ id }) => id),
  ];
  // The selected entry may be gone, since results arrive after typing: select the first one then.
  const value = ids.includes(chosen) ? chosen : (ids[0] ?? '');
  const choose = (act: () => void) => () => {
    onClose();
    act();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const first = symbolActions[0] ?? watching[0];
    if (event.key !== 'Tab' || event.shiftKey || first === undefined) return;
    event.preventDefault();
    setChosen(first.id);
  };
  return (
    <Command
      label={texts.palette.label}
      shouldFilter={false}
      loop
      value={value}
      onValueChange={setChosen}
      onKeyDown={onKeyDown}
    >
      <Head typed={typed} onTyped={onTyped} />
      <Command.List label={texts.palette.label}>
        {isActionFirst && about !== null && <SymbolActions symbol={about} entries={symbolActions} onChoose={choose} />}
        {isActionFirst && <Actions entries={actions} onChoose={choose} />}
        <Group heading={texts.palette.groups.symbols}>
          {symbols.map((instrument) => (
            <SymbolItem
              key={instrument.symbol}
              instrument={instrument}
              isWatched={isWatched(instrument.symbol)}
              typed={query.text}
              onChoose={choose}
            />
          ))}
        </Group>
        {!isActionFirst && about !== null && <SymbolActions symbol={about} entries={symbolActions} onChoose={choose} />}
        {grouped.map((group) => (
          <Group key={group.heading} heading={group.heading}>
            {group.hits.map((hit) => (
              <HitItem key={hitId(hit)} hit={hit} onChoose={choose} />
            ))}
          </Group>
        ))}
        <Group heading={texts.palette.groups.pages}>
          {pageEntries.map((entry) => (
            <EntryItem key={entry.id} entry={entry} onChoose={choose} />
          ))}
        </Group>
        {!isActionFirst && <Actions entries={actions} onChoose={choose} />}
        {unknown !== null && <SymbolActions symbol={unknown.symbol} entries={watching} onChoose={choose} />}
        <Missing problem={problem} searching={searching} typed={ids.length === 0 ? query.text : null} />
      </Command.List>
      <Foot hint={query.text === '' ? texts.palette.hint : texts.palette.found(ids.length)} />
    </Command>
  );
}

const takeFocus = (field: HTMLInputElement | null): void => field?.focus();

function Head({ typed, onTyped }: Pick<SearchProps, 'typed' | 'onTyped'>) {
  return (
    <div className="palette-head">
      <Icon name="search" size={15} />
      <Command.Input
        data-focus-first
        ref={takeFocus}
        value={typed}
        onValueChange={onTyped}
        placeholder={texts.palette.placeholder}
        maxLength={200}
      />
      <EnvironmentBadge />
      <kbd>Esc</kbd>
    </div>
  );
}

interface MissingProps {
  readonly problem: string | null;
  readonly searching: boolean;
  /** The query without any entry; null: there are entries. */
  readonly typed: string | null;
}

/** The reason why entries are missing. */
function Missing({ problem, searching, typed }: MissingProps) {
  if (problem !== null) return <p className="empty">{texts.palette.failed(problem)}</p>;
  if (typed === null) return null;
  return <p className="empty">{searching ? texts.palette.searching : texts.palette.nothing(typed)}</p>;
}

/** The keys of the search, and the number of results. */
const Foot = ({ hint }: { hint: string }) => (
  <footer className="palette-foot">
    <span>
      <kbd>↑</kbd>
      <kbd>↓</kbd> {texts.palette.move}
    </span>
    <span>
      <kbd>Enter</kbd> {texts.palette.open}
    </span>
    <span>
      <kbd>Tab</kbd> {texts.palette.toActions}
    </span>
    <span>
      <kbd>&gt;</kbd> {texts.palette.commandsOnly}
    </span>
    <output className="right">{hint}</output>
  </footer>
);

const HIT_GROUPS: readonly { readonly kinds: readonly Hit['kind'][]; readonly heading: string }[] = [
  { kinds: ['alert'], heading: texts.palette.groups.alerts },
  { kinds: ['note', 'symbol_note'], heading: texts.palette.groups.notes },
  { kinds: ['briefing'], heading: texts.palette.groups.briefings },
  { kinds: ['news'], heading: texts.palette.groups.news },
];

/** The symbols that a query names. */
interface Found {
  readonly symbols: readonly FindableInstrument[];
  isWatched(symbol: string): boolean;
  /** The symbol whose actions are offered. */
  readonly about: string | null;
  /** A word that may be the symbol of an instrument that the service has not listed. */
  readonly unknown: { readonly symbol: string; readonly isCovered: boolean | null } | null;
  readonly verbs: readonly string[];
  /** Conditions on the symbol's price, as typed: "below 180". */
  readonly conditions: readonly PriceCondition[];
}

function useFound(typedQuery: Query): Found {
  const { conditions, query } = splitPrice(typedQuery);
  const instruments = useInstruments();
  const selected = useSnapshot((snapshot) => snapshot.selected);
  const lists = useSnapshot((snapshot) => snapshot.watchlists);
  const watched = useMemo(() => new Set(watchedSymbols(lists)), [lists]);
  const split = splitVerbs(query, texts.palette.symbolVerbs);
  // A single word may be the symbol: "ADD" is one.
  const isSymbolAlone = query.terms.length === 1 && instruments.get(normalizeSymbol(query.text)) !== undefined;
  const { verbs, subject } = isSymbolAlone ? { verbs: [], subject: query.text } : split;
  const { compareSymbols } = useRiskOrder();
  const isWatched = (symbol: string): boolean => watched.has(symbol);
  const symbols = query.commandsOnly
    ? []
    : findInstruments(instruments.all, subject, SYMBOLS_SHOWN, isWatched, compareSymbols);
  const typed = normalizeSymbol(subject);
  const isUnlisted = !query.commandsOnly && isSymbol(typed) && instruments.get(typed) === undefined;
  return {
    symbols,
    isWatched,
    about: query.commandsOnly ? null : (symbols[0]?.symbol ?? (verbs.length > 0 && subject === '' ? selected : null)),
    unknown: isUnlisted ? { symbol: typed, isCovered: instruments.isCovered(typed) } : null,
    verbs,
    conditions,
  };
}

interface Hits {
  readonly hits: readonly Hit[];
  readonly searching: boolean;
  /** The error of the archive search. */
  readonly problem: string | null;
}

function useHits({ text, commandsOnly }: Query): Hits {
  const hasQuery = text.length > 1 && !commandsOnly;
  const { data, isFetching, error } = useChannelQuery('archive.search', hasQuery ? { text, limit: MAX_HITS } : null);
  return { hits: data?.hits ?? [], searching: isFetching, problem: isFetching ? null : (error?.message ?? null) };
}

const pageEntry = ({ id, label }: SearchProps['pages'][number], index: number): Entry => ({
  id: `page ${id}`,
  title: texts.palette.goToPage(label),
  detail: '',
  keys: [String(index + 1)],
  act: () => goTo({ page: id, item: null }),
});

/** Draws nothing for an empty group. */
function Group({ heading, children }: { heading: string; children: readonly ReactNode[] }) {
  return children.length === 0 ? null : <Command.Group heading={heading}>{children}</Command.Group>;
}

const Actions = ({ entries, onChoose }: { entries: readonly Entry[]; onChoose: SelectHandler }) => (
  <Group heading={texts.palette.groups.actions}>
    {entries.map((entry) => (
      <EntryItem key={entry.id} entry={entry} onChoose={onChoose} />
    ))}
  </Group>
);

/** The actions on a symbol. */
function SymbolActions({
  symbol,
  entries,
  onChoose,
}: {
  symbol: string;
  entries: readonly Entry[];
  onChoose: SelectHandler;
}) {
  return (
    <Group heading={texts.palette.groups.about(symbol)}>
      {entries.map((entry) => (
        <EntryItem key={entry.id} entry={entry} onChoose={onChoose} />
      ))}
    </Group>
  );
}

function EnvironmentBadge() {
  const environment = useSnapshot((snapshot) => snapshot.profile.environment);
  return <span className={`palette-env ${environment}`}>{environment.toUpperCase()}</span>;
}
