// Renderer: the news item that is open: what it says, whom it names and what they are now, and the way to its source.
import type { Ref } from 'react';
import type { NewsRow } from '../../../shared/channels/archive.ts';
import { piecesOf, searchWords } from '../../markdown/words.ts';
import { goTo } from '../../store/place.ts';
import { usePreference } from '../../store/preferences.ts';
import { en } from '../../text/en.ts';
import { wholeMoment, zoneOffset } from '../../text/format.ts';
import { Awaited } from '../../ui/awaited.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { OutsideLink } from '../../ui/outside-link.tsx';
import { Pieces } from '../../ui/pieces.tsx';
import { useNowState } from '../../ui/use-now-state.ts';
import { Sentiment } from './sentiment.tsx';
import { useView } from './view.ts';

const words = en.news;

interface DetailProps {
  readonly ref: Ref<HTMLElement>;
  readonly item: NewsRow | null;
  /** It was asked for and may be further down. */
  readonly seeking: boolean;
  /** It was asked for and is not among what is listed. */
  readonly gone: boolean;
  /** Where it is not listed: the filters may hide it. */
  readonly filtered: boolean;
}

export function Detail({ ref, item, seeking, gone, filtered }: DetailProps) {
  return (
    <section className="panel news-detail" aria-label={words.detail} tabIndex={-1} ref={ref}>
      {item !== null ? (
        <Item item={item} />
      ) : seeking ? (
        <Awaited what={words.awaitingItem} progress={null} />
      ) : (
        <div className="nothing">
          <p className="md">{!gone ? words.choose : filtered ? words.filteredOut : words.gone}</p>
          {!gone && <p className="t2">{words.chooseHow}</p>}
        </div>
      )}
    </section>
  );
}

function Item({ item }: { item: NewsRow }) {
  const zone = usePreference((preference) => preference.zone);
  const hits = searchWords(useView((now) => now.text));
  const at = Date.parse(item.published_at);
  return (
    <div className="scroll">
      <div className="news-item">
        <p className="cond t3">
          <span className="t2 md">{item.source}</span>{' '}
          <time dateTime={item.published_at}>
            {wholeMoment(at, zone)} {zoneOffset(at, zone)}
          </time>
        </p>
        <h2>
          <Pieces pieces={piecesOf(item.headline, hits)} />
        </h2>
        <p className="news-summary">
          {item.summary === '' ? (
            <span className="t3">{words.noSummary}</span>
          ) : (
            <Pieces pieces={piecesOf(item.summary, hits)} />
          )}
        </p>
        <p>
          <OutsideLink address={item.url} className="btn line">
            {words.readOriginal(item.source)}
          </OutsideLink>
        </p>
      </div>
      <h3 className="group">{words.sentiment}</h3>
      <p className="news-note">
        <Sentiment of={item.sentiment} />
        <br />
        <span className="t3 cond">{words.words}</span>
      </p>
      {item.symbols.length > 0 && (
        <>
          <h3 className="group">{words.itsSymbols}</h3>
          <ul>
            {item.symbols.map((symbol) => (
              <SymbolNow key={symbol} symbol={symbol} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function SymbolNow({ symbol }: { symbol: string }) {
  const { glyph, word } = useNowState(symbol);
  return (
    <li>
      <button type="button" className="news-symbol" onClick={() => goTo({ page: 'watch', item: symbol })}>
        <b className="strong">{symbol}</b>
        <span className="spoken">{words.now}</span>
        <Glyph name={glyph} size={13} />
        <span className="cond t2">{word}</span>
      </button>
    </li>
  );
}
