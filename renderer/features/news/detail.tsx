// Renderer: the open news item: text, symbols with their current states, link to its source.
import type { Ref } from 'react';
import type { NewsRow } from '../../../shared/channels/archive.ts';
import { fullTimestamp, zoneOffset } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { parseSearchTerms, segmentsOf } from '../../markdown/search-terms.ts';
import { usePreference } from '../../store/preferences.ts';
import { goTo } from '../../store/route.ts';
import { ExternalLink } from '../../ui/external-link.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { HighlightedText } from '../../ui/highlighted-text.tsx';
import { LoadingNotice } from '../../ui/loading-notice.tsx';
import { useCurrentState } from '../../ui/use-current-state.ts';
import { Sentiment } from './sentiment.tsx';
import { useView } from './view.ts';

const messages = texts.news;

interface DetailProps {
  readonly ref: Ref<HTMLElement>;
  readonly item: NewsRow | null;
  /** The item was requested and may be further down. */
  readonly seeking: boolean;
  /** The item was requested and is not listed. */
  readonly gone: boolean;
  /** There are items beyond the listed ones. */
  readonly isBeyond: boolean;
  /** Filters are active: they may hide the item. */
  readonly filtered: boolean;
}

export function Detail({ ref, item, seeking, gone, isBeyond, filtered }: DetailProps) {
  const where = isBeyond ? messages.beyond : filtered ? messages.filteredOut : messages.gone;
  return (
    <section className="panel news-detail" aria-label={messages.detail} tabIndex={-1} ref={ref}>
      {item !== null ? (
        <Item item={item} />
      ) : seeking ? (
        <LoadingNotice what={messages.loadingItem} progress={null} />
      ) : (
        gone && (
          <div className="nothing">
            <p className="md">{where}</p>
          </div>
        )
      )}
    </section>
  );
}

function PublicationTime({ at }: { at: NewsRow['published_at'] }) {
  const zone = usePreference((preference) => preference.zone);
  if (at === null) return <span>{messages.timeNotGiven}</span>;
  const instant = Date.parse(at);
  return (
    <time dateTime={at}>
      {fullTimestamp(instant, zone)} {zoneOffset(instant, zone)}
    </time>
  );
}

function Item({ item }: { item: NewsRow }) {
  const hits = parseSearchTerms(useView((now) => now.text));
  return (
    <div className="scroll">
      <div className="news-item">
        <p className="cond t3">
          <span className="t2 md">{item.source}</span> <PublicationTime at={item.published_at} />
        </p>
        <h2>
          <HighlightedText segments={segmentsOf(item.headline, hits)} />
        </h2>
        <p className="news-summary">
          {item.summary === '' ? (
            <span className="t3">{messages.noSummary}</span>
          ) : (
            <HighlightedText segments={segmentsOf(item.summary, hits)} />
          )}
        </p>
        {item.url !== null && (
          <p>
            <ExternalLink address={item.url} className="btn line">
              {messages.readOriginal(item.source)}
            </ExternalLink>
          </p>
        )}
      </div>
      <h3 className="group">{messages.sentiment}</h3>
      <p className="news-note">
        <Sentiment of={item.sentiment} />
        <br />
        <span className="t3 cond">{messages.sentimentNote}</span>
      </p>
      {item.symbols.length > 0 && (
        <>
          <h3 className="group">{messages.itsSymbols}</h3>
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
  const { glyph, label } = useCurrentState(symbol);
  return (
    <li>
      <button type="button" className="news-symbol" onClick={() => goTo({ page: 'watch', item: symbol })}>
        <b className="strong">{symbol}</b>
        <span className="spoken">{messages.now}</span>
        <Glyph name={glyph} size={13} />
        <span className="cond t2">{label}</span>
      </button>
    </li>
  );
}
