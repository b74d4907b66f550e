// Renderer: one search over symbols, pages, actions, alerts, briefings and news of this computer.
import { Command } from 'cmdk';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Hit } from '../../../shared/channels/archive.ts';
import { isSymbol, normalizeSymbol } from '../../../shared/domain/instruments.ts';
import type { PageId } from '../../../shared/domain/window-routes.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { goTo } from '../../store/route.ts';
import { useSnapshot } from '../../store/store.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { type Entry, fitting, fittingSymbols, type Query, readQuery } from './entries.ts';
import { EntryItem, HitItem, hitId, type SelectHandler, SymbolItem, symbolId } from './items.tsx';
import './palette.css';
import { useActions, useSymbolActions } from './use-actions.ts';

const SYMBOLS_SHOWN = 6;
const OTHERS_SHOWN = 8;
const MAX_HITS = 24;

interface PaletteProps {
  readonly pages: readonly { readonly id: PageId; readonly label: string }[];
  readonly returnTo: { readonly current: HTMLElement | null };
  readonly onKeys: () => void;
  readonly onClose: () => void;
}

export function Palette({ pages, returnTo, onKeys, onClose }: PaletteProps) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // Runs after the dialog has opened and set its own focus.
  useEffect(() => field.current?.focus(), []);
  const query = readQuery(typed);
  const symbols = useFoundSymbols(query);
  const [about = typedSymbol(query)] = symbols;
  const doings = useSymbolActions(query.commandsOnly || query.terms.length !== 1 ? null : about);
  const actions = fitting(useActions(onKeys), query, OTHERS_SHOWN);
  const pageEntries = fitting(pages.map(pageEntry), query, OTHERS_SHOWN);
  const { hits, searching } = useHits(query);
  const grouped = HIT_GROUPS.map((group) => ({ ...group, hits: hits.filter(({ kind }) => kind === group.kind) }));
  const ids = [
    ...symbols.map(symbolId),
    ...(symbols.length > 0 ? doings.map(({ id }) => id) : []),
    ...grouped.flatMap((group) => group.hits.map(hitId)),
    ...[...pageEntries, ...actions].map(({ id }) => id),
    ...(symbols.length > 0 ? [] : doings.map(({ id }) => id)),
  ];
  // The selected entry may be gone, since results arrive after typing: select the first one then.
  const value = ids.includes(chosen) ? chosen : (ids[0] ?? '');
  const choose = (act: () => void) => () => {
    onClose();
    act();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const [first] = doings;
    if (event.key !== 'Tab' || event.shiftKey || first === undefined) return;
    event.preventDefault();
    setChosen(first.id);
  };
  return (
    <Dialog heading={texts.palette.label} className="palette" returnTo={returnTo} onClose={onClose}>
      <Command
        label={texts.palette.label}
        shouldFilter={false}
        loop
        value={value}
        onValueChange={setChosen}
        onKeyDown={onKeyDown}
      >
        <div className="palette-head">
          <Icon name="search" size={15} />
          <Command.Input
            ref={field}
            value={typed}
            onValueChange={setTyped}
            placeholder={texts.palette.placeholder}
            maxLength={200}
          />
          <EnvironmentBadge />
          <kbd>Esc</kbd>
        </div>
        <Command.List label={texts.palette.label}>
          <Group heading={texts.palette.groups.symbols}>
            {symbols.map((symbol) => (
              <SymbolItem key={symbol} symbol={symbol} typed={query.text} onChoose={choose} />
            ))}
          </Group>
          {symbols.length > 0 && about !== null && <Doings symbol={about} entries={doings} onChoose={choose} />}
          {grouped.map((group) => (
            <Group key={group.kind} heading={group.heading}>
              {group.hits.map((hit) => (
                <HitItem key={hit.id} hit={hit} onChoose={choose} />
              ))}
            </Group>
          ))}
          <Group heading={texts.palette.groups.pages}>
            {pageEntries.map((entry) => (
              <EntryItem key={entry.id} entry={entry} onChoose={choose} />
            ))}
          </Group>
          <Group heading={texts.palette.groups.actions}>
            {actions.map((entry) => (
              <EntryItem key={entry.id} entry={entry} onChoose={choose} />
            ))}
          </Group>
          {symbols.length === 0 && about !== null && <Doings symbol={about} entries={doings} onChoose={choose} />}
          {ids.length === 0 && (
            <p className="empty">{searching ? texts.palette.searching : texts.palette.nothing(query.text)}</p>
          )}
        </Command.List>
        <Foot hint={query.text === '' ? texts.palette.hint : texts.palette.found(ids.length)} />
      </Command>
    </Dialog>
  );
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

const HIT_GROUPS = [
  { kind: 'alert', heading: texts.palette.groups.alerts },
  { kind: 'note', heading: texts.palette.groups.notes },
  { kind: 'briefing', heading: texts.palette.groups.briefings },
  { kind: 'news', heading: texts.palette.groups.news },
] as const satisfies readonly { readonly kind: Hit['kind']; readonly heading: string }[];

function useFoundSymbols(query: Query): readonly string[] {
  const rows = useSnapshot((snapshot) => snapshot.rows);
  return query.commandsOnly ? [] : fittingSymbols(Object.keys(rows), query, SYMBOLS_SHOWN);
}

/** An unwatched symbol, if the query is a valid one. */
function typedSymbol({ terms, text }: Query): string | null {
  const symbol = normalizeSymbol(text);
  return terms.length === 1 && isSymbol(symbol) ? symbol : null;
}

function useHits({ text, commandsOnly }: Query): { readonly hits: readonly Hit[]; readonly searching: boolean } {
  const hasQuery = text.length > 1 && !commandsOnly;
  const { data, isFetching } = useChannelQuery('archive.search', hasQuery ? { text, limit: MAX_HITS } : null);
  return { hits: data?.hits ?? [], searching: isFetching };
}

const pageEntry = ({ id, label }: PaletteProps['pages'][number], index: number): Entry => ({
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

/** Above all else for a known symbol; below it for a word that may be one. */
function Doings({ symbol, entries, onChoose }: { symbol: string; entries: readonly Entry[]; onChoose: SelectHandler }) {
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
