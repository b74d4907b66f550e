// Renderer: a briefing as shown: kind, desk, date with zone, minutes; title; text.
import type { Ref } from 'react';
import type { BriefingDetail } from '../../../shared/channels/archive.ts';
import { fullTimestamp, zoneOffset } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { RenderResult } from '../../markdown/render-result.ts';
import { segmentsOf } from '../../markdown/search-terms.ts';
import { usePreference } from '../../store/preferences.ts';
import { HighlightedText } from '../../ui/highlighted-text.tsx';
import { sourceOf } from './briefing-file.ts';
import { BriefingText } from './briefing-text.tsx';

interface ArticleProps {
  readonly ref: Ref<HTMLElement>;
  readonly briefing: BriefingDetail;
  readonly rendered: RenderResult | null;
  /** Folded words, separated by one space. */
  readonly search: string;
  readonly sandbox: boolean;
}

const messages = texts.briefings;

export function Article({ ref, briefing, rendered, search, sandbox }: ArticleProps) {
  const zone = usePreference((preference) => preference.zone);
  const { type, author, date, title, reading_minutes: minutes, summary, body, symbols } = briefing;
  const at = Date.parse(date);
  return (
    <article className="article" ref={ref}>
      <p className="by">
        <span className={type === 'transition' ? 'br-turn md' : 't2 md'}>{messages.typeLabel(type)}</span>
        <span>{author}</span>
        <time dateTime={date}>
          {fullTimestamp(at, zone)} <span className="offset">{zoneOffset(at, zone)}</span>
        </time>
        <span>{messages.minutes(minutes)}</span>
      </p>
      <h1>
        <HighlightedText segments={segmentsOf(title, search === '' ? [] : search.split(' '))} />
      </h1>
      <BriefingText rendered={rendered} summary={summary} length={body.length} symbols={symbols} search={search} />
      <p className="printed-source">{sourceOf({ briefing, zone, sandbox })}</p>
    </article>
  );
}
