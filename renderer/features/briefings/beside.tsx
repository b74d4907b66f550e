// Renderer: the panel beside a briefing: symbols then and now, related items, reading options.
import { useState } from 'react';
import type { BriefingDetail } from '../../../shared/channels/archive.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import { shortTimestamp } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useWorldNow } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { goTo } from '../../store/route.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useThenNow } from './then-now.ts';
import { useView, view } from './view.ts';

const messages = texts.briefings;

export function Beside({ briefing }: { briefing: BriefingDetail }) {
  const policy = usePreference((preference) => preference.reading.markRead);
  const isPreview = useView((state) => state.isPreview);
  const { states_then: states, linked } = briefing;
  return (
    <aside className="br-beside" aria-label={messages.beside}>
      <h3 className="group">{messages.thenNow}</h3>
      {states.length === 0 && <p className="br-note t3">{messages.noSymbols}</p>}
      <ul>
        {states.map(({ symbol }) => (
          <ThenNowRow key={symbol} symbol={symbol} />
        ))}
      </ul>
      <h3 className="group">{messages.linked}</h3>
      <Linked linked={linked} />
      <h3 className="group">{messages.reading}</h3>
      <p className="br-note t2 cond">
        {messages.markReadNotes[isPreview ? 'preview' : policy]}
        <br />
        {messages.noRemote}
        <br />
        {messages.space}
      </p>
    </aside>
  );
}

function ThenNowRow({ symbol }: { symbol: string }) {
  const { thenGlyph, nowGlyph, thenWord, nowWord, changed } = useThenNow(symbol);
  return (
    <li>
      <button
        type="button"
        className="then-now"
        title={messages.thenNowName(symbol, thenWord, nowWord)}
        onClick={() => goTo({ page: 'watch', item: symbol })}
      >
        <b className="strong">{symbol}</b>
        <span className="spoken">{messages.thenAndNow(thenWord)}</span>
        <Glyph name={thenGlyph} size={13} />
        <Icon name="next" size={12} />
        <Glyph name={nowGlyph} size={13} />
        <span className={changed ? 'cond t1 md ell' : 'cond t3 ell'}>{nowWord}</span>
      </button>
    </li>
  );
}

/** How many of the nearest linked items are shown; a click shows the rest. */
const NEAREST = 5;

function Linked({ linked: { transitions, briefings } }: { linked: BriefingDetail['linked'] }) {
  const [all, setAll] = useState(false);
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  if (transitions.length + briefings.length === 0) return <p className="br-note t3">{messages.noLinked}</p>;
  const most = all ? Number.POSITIVE_INFINITY : NEAREST;
  const hidden = Math.max(0, transitions.length - most) + Math.max(0, briefings.length - most);
  return (
    <ul className="br-linked">
      {transitions.slice(0, most).map(({ ledger_id: id, symbol, to_state: state, at }) => (
        <li key={id}>
          <button type="button" className="br-link" onClick={() => goTo({ page: 'alerts', item: String(id) })}>
            {messages.turned(symbol, stateLabel(state), shortTimestamp(Date.parse(at), zone, now))}
          </button>
        </li>
      ))}
      {briefings.slice(0, most).map(({ id, title }) => (
        <li key={id}>
          <button type="button" className="br-link" onClick={() => view.open(id, null)}>
            {title}
          </button>
        </li>
      ))}
      {hidden > 0 && (
        <li>
          <button type="button" className="btn quiet" onClick={() => setAll(true)}>
            {messages.moreLinked(hidden)}
          </button>
        </li>
      )}
    </ul>
  );
}
