// Renderer: what stands beside a briefing: its symbols then and now, what is linked to it, and how it is read.
import { useState } from 'react';
import type { BriefingReading } from '../../../shared/channels/archive.ts';
import { stateLabel } from '../../../shared/domain/states.ts';
import { goTo } from '../../store/place.ts';
import { usePreference } from '../../store/preferences.ts';
import { useWorldNow } from '../../store/sight.ts';
import { en } from '../../text/en.ts';
import { moment } from '../../text/format.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useThenNow } from './then-now.ts';
import { view } from './view.ts';

const words = en.briefings;

export function Beside({ reading }: { reading: BriefingReading }) {
  const markRead = usePreference((preference) => preference.reading.markRead);
  const { states_then: states, linked } = reading;
  return (
    <aside className="br-beside" aria-label={words.beside}>
      <h3 className="group">{words.thenNow}</h3>
      {states.length === 0 && <p className="br-note t3">{words.noSymbols}</p>}
      <ul>
        {states.map(({ symbol }) => (
          <ThenNowRow key={symbol} symbol={symbol} />
        ))}
      </ul>
      <h3 className="group">{words.linked}</h3>
      <Linked linked={linked} />
      <h3 className="group">{words.reading}</h3>
      <p className="br-note t2 cond">
        {words.markReadSays[markRead]}
        <br />
        {words.noRemote}
        <br />
        {words.space}
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
        title={words.thenNowName(symbol, thenWord, nowWord)}
        onClick={() => goTo({ page: 'watch', item: symbol })}
      >
        <b className="strong">{symbol}</b>
        <span className="spoken">{words.thenAndNow(thenWord)}</span>
        <Glyph name={thenGlyph} size={13} />
        <Icon name="next" size={12} />
        <Glyph name={nowGlyph} size={13} />
        <span className={changed ? 'cond t1 md ell' : 'cond t3 ell'}>{nowWord}</span>
      </button>
    </li>
  );
}

/** The nearest of each; the rest is one click away. */
const NEAREST = 5;

function Linked({ linked: { transitions, briefings } }: { linked: BriefingReading['linked'] }) {
  const [all, setAll] = useState(false);
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldNow();
  if (transitions.length + briefings.length === 0) return <p className="br-note t3">{words.noLinked}</p>;
  const most = all ? Number.POSITIVE_INFINITY : NEAREST;
  const hidden = Math.max(0, transitions.length - most) + Math.max(0, briefings.length - most);
  return (
    <ul className="br-linked">
      {transitions.slice(0, most).map(({ ledger_id: id, symbol, to_state: state, at }) => (
        <li key={id}>
          <button type="button" className="br-link" onClick={() => goTo({ page: 'alerts', item: String(id) })}>
            {words.turned(symbol, stateLabel(state), moment(Date.parse(at), zone, now))}
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
            {words.moreLinked(hidden)}
          </button>
        </li>
      )}
    </ul>
  );
}
