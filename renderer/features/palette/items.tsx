// Renderer: a line of the palette: a symbol with its state, a search result or an action.
import { Command } from 'cmdk';
import type { Hit, Piece } from '../../../shared/channels/archive.ts';
import type { RowSignal } from '../../../shared/channels/state.ts';
import { fallChance } from '../../../shared/domain/fall-chance.ts';
import type { FindableInstrument } from '../../../shared/domain/instrument-search.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import type { PageId } from '../../../shared/domain/window-routes.ts';
import { chanceFigure, shortTimestamp, span } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useServices } from '../../services.ts';
import { useIsOffline, useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { goTo, requestChartDay } from '../../store/route.ts';
import { type SymbolView, symbolViewOf } from '../../store/select.ts';
import { useSnapshot } from '../../store/store.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { glyphOf, labelOf } from '../watch/index.ts';
import type { Entry } from './entries.ts';

const PAGE_OF: Readonly<Record<Hit['kind'], PageId>> = {
  alert: 'alerts',
  note: 'alerts',
  symbol_note: 'watch',
  briefing: 'briefings',
  news: 'news',
};
export const symbolId = (symbol: string): string => `symbol ${symbol}`;
export const hitId = (hit: Hit): string => `${hit.kind} ${hit.id}`;

export type SelectHandler = (act: () => void) => () => void;

export function EntryItem({ entry, onChoose }: { entry: Entry; onChoose: SelectHandler }) {
  return (
    <Command.Item value={entry.id} onSelect={onChoose(entry.act)}>
      <span className="palette-icon" />
      <b>{entry.title}</b>
      <span className="palette-detail ell">{entry.detail}</span>
      <Keys keys={entry.keys ?? []} />
    </Command.Item>
  );
}

interface SymbolItemProps {
  readonly instrument: FindableInstrument;
  readonly isWatched: boolean;
  readonly typed: string;
  readonly onChoose: SelectHandler;
}

export function SymbolItem({ instrument, isWatched, typed, onChoose }: SymbolItemProps) {
  const { symbol, name, asset_class: assetClass } = instrument;
  const { intents } = useServices();
  const row = useSnapshot((snapshot) => snapshot.rows[symbol]);
  const isOffline = useIsOffline();
  const now = useWorldNow();
  const view = symbolViewOf(row, isOffline);
  const fall = fallChance(row);
  const details = [
    name ?? '',
    assetClass === null ? '' : texts.palette.classes[assetClass],
    isWatched ? '' : texts.palette.notWatched,
    row === undefined ? '' : stateDetail(view, row.signal, now),
    view.kind === 'state' && fall !== null ? texts.palette.fallChance(chanceFigure(fall.percent)) : '',
  ];
  const show = (): void => {
    intents.select(symbol);
    goTo({ page: 'watch', item: symbol });
  };
  return (
    <Command.Item value={symbolId(symbol)} onSelect={onChoose(show)}>
      <Glyph name={row === undefined ? 'none' : glyphOf(view)} />
      <b>
        <Highlighted text={symbol} typed={typed} />
      </b>
      <span className="palette-detail ell">{details.filter(Boolean).join(' · ')}</span>
    </Command.Item>
  );
}

function stateDetail(view: SymbolView, signal: RowSignal | null, now: number): string {
  if (view.kind !== 'state') return labelOf(view);
  if (signal === null) return '';
  return signal.since === null
    ? stateLabel(view.state)
    : texts.palette.since(stateLabel(view.state), span(now - Date.parse(signal.since)));
}

export function HitItem({ hit, onChoose }: { hit: Hit; onChoose: SelectHandler }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  const { intents } = useServices();
  const { kind, id, symbol, at } = hit;
  const show = (): void => {
    // A note on a symbol is in its chart.
    const chart = kind === 'symbol_note' ? symbol : null;
    if (chart !== null && at !== null) {
      requestChartDay({ symbol: chart, day: Date.parse(at.slice(0, 10)) });
      intents.select(chart);
    }
    goTo({ page: PAGE_OF[kind], item: chart ?? id });
  };
  return (
    <Command.Item value={hitId(hit)} onSelect={onChoose(show)}>
      <span className="palette-icon" />
      <b className="ell">{hit.title}</b>
      <span className="palette-detail ell">
        {at === null ? texts.news.timeNotGiven : shortTimestamp(Date.parse(at), zone, now)}
        {hit.excerpt.length > 0 && ' · '}
        <Segments segments={hit.excerpt} />
      </span>
    </Command.Item>
  );
}

/** Text with highlighted matches. */
function Segments({ segments }: { segments: readonly Piece[] }) {
  let at = 0;
  return segments.map(({ text, hit }) => {
    const key = at;
    at += text.length;
    return hit ? <mark key={key}>{text}</mark> : <span key={key}>{text}</span>;
  });
}

function Highlighted({ text, typed }: { text: string; typed: string }) {
  const at = typed === '' ? -1 : text.toUpperCase().indexOf(typed.toUpperCase());
  if (at === -1) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + typed.length)}</mark>
      {text.slice(at + typed.length)}
    </>
  );
}

function Keys({ keys }: { keys: readonly string[] }) {
  return keys.map((key) => <kbd key={key}>{key}</kbd>);
}
