// Renderer: a briefing as it is read: kind, desk, date with zone, minutes; title; text.
import type { Ref } from 'react';
import type { BriefingReading } from '../../../shared/channels/archive.ts';
import type { Laid } from '../../markdown/laid.ts';
import { piecesOf } from '../../markdown/words.ts';
import { usePreference } from '../../store/preferences.ts';
import { en } from '../../text/en.ts';
import { wholeMoment, zoneOffset } from '../../text/format.ts';
import { Pieces } from '../../ui/pieces.tsx';
import { sourceOf } from './briefing-file.ts';
import { LaidText } from './laid-text.tsx';

interface ArticleProps {
  readonly ref: Ref<HTMLElement>;
  readonly reading: BriefingReading;
  readonly laid: Laid | null;
  /** Folded words, one space between them. */
  readonly search: string;
  readonly sandbox: boolean;
}

const words = en.briefings;

export function Article({ ref, reading, laid, search, sandbox }: ArticleProps) {
  const zone = usePreference((preference) => preference.zone);
  const { type, author, date, title, reading_minutes: minutes, summary, body, symbols } = reading;
  const at = Date.parse(date);
  return (
    <article className="article" ref={ref}>
      <p className="by">
        <span className={type === 'transition' ? 'br-turn md' : 't2 md'}>{words.types[type]}</span>
        <span>{author}</span>
        <time dateTime={date}>
          {wholeMoment(at, zone)} <span className="offset">{zoneOffset(at, zone)}</span>
        </time>
        <span>{words.minutes(minutes)}</span>
      </p>
      <h1>
        <Pieces pieces={piecesOf(title, search === '' ? [] : search.split(' '))} />
      </h1>
      <LaidText laid={laid} summary={summary} length={body.length} symbols={symbols} search={search} />
      <p className="printed-source">{sourceOf({ reading, zone, sandbox })}</p>
    </article>
  );
}
