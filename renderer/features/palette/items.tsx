// Renderer: one line of the palette: a symbol as it stands, something found in the archive, or something to do.
import { Command } from 'cmdk';
import type { Hit, Piece } from '../../../shared/channels/archive.ts';
import type { PageId, Place } from '../../../shared/domain/places.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import { useServices } from '../../services.ts';
import { goTo } from '../../store/place.ts';
import { usePreference } from '../../store/preferences.ts';
import { faceOf } from '../../store/select.ts';
import { useBlind, useWorldNow } from '../../store/sight.ts';
import { useBoard } from '../../store/store.ts';
import { moment, span, wholePercent } from '../../text/format.ts';
import { palette } from '../../text/palette.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { glyphOf, wordOf } from '../watch/index.ts';
import type { Entry } from './entries.ts';

const PLACE_OF: Readonly<Record<Hit['kind'], PageId>> = {
  alert: 'alerts',
  note: 'alerts',
  briefing: 'briefings',
  news: 'news',
};
const placeOfHit = (hit: Hit): Place => ({ page: PLACE_OF[hit.kind], item: hit.id });

export const symbolId = (symbol: string): string => `symbol ${symbol}`;
export const hitId = (hit: Hit): string => `${hit.kind} ${hit.id}`;

export type Choose = (act: () => void) => () => void;

export function EntryItem({ entry, onChoose }: { entry: Entry; onChoose: Choose }) {
  return (
    <Command.Item value={entry.id} onSelect={onChoose(entry.act)}>
      <span className="palette-mark" />
      <b>{entry.title}</b>
      <span className="palette-detail ell">{entry.detail}</span>
      <Keys keys={entry.keys ?? []} />
    </Command.Item>
  );
}

export function SymbolItem({ symbol, typed, onChoose }: { symbol: string; typed: string; onChoose: Choose }) {
  const { intents } = useServices();
  const row = useBoard((board) => board.rows[symbol]);
  const blind = useBlind();
  const now = useWorldNow();
  const face = faceOf(row, blind);
  const signal = row?.signal ?? null;
  const words = [
    face.kind === 'state' && signal !== null
      ? palette.since(stateLabel(face.state), span(now - Date.parse(signal.since)))
      : face.kind === 'state'
        ? ''
        : wordOf(face),
    ...(face.kind === 'state' && signal?.confidence != null
      ? [palette.confidence(wholePercent(signal.confidence))]
      : []),
  ];
  const show = (): void => {
    intents.select(symbol);
    goTo({ page: 'watch', item: symbol });
  };
  return (
    <Command.Item value={symbolId(symbol)} onSelect={onChoose(show)}>
      <Glyph name={glyphOf(face)} />
      <b>
        <Marked text={symbol} typed={typed} />
      </b>
      <span className="palette-detail ell">{words.filter(Boolean).join(' · ')}</span>
    </Command.Item>
  );
}

export function HitItem({ hit, onChoose }: { hit: Hit; onChoose: Choose }) {
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  return (
    <Command.Item value={hitId(hit)} onSelect={onChoose(() => goTo(placeOfHit(hit)))}>
      <span className="palette-mark" />
      <b className="ell">{hit.title}</b>
      <span className="palette-detail ell">
        {moment(Date.parse(hit.at), zone, now)}
        {hit.excerpt.length > 0 && ' · '}
        <Pieces pieces={hit.excerpt} />
      </span>
    </Command.Item>
  );
}

/** What was searched for, marked. */
function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  let at = 0;
  return pieces.map(({ text, hit }) => {
    const key = at;
    at += text.length;
    return hit ? <mark key={key}>{text}</mark> : <span key={key}>{text}</span>;
  });
}

function Marked({ text, typed }: { text: string; typed: string }) {
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
