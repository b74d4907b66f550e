// Renderer: the sentiment of a news item: a word, a sign, a score. Never a colour: colour belongs to risk.
import type { NewsRow } from '../../../shared/channels/archive.ts';
import { en } from '../../text/en.ts';
import { moved } from '../../text/format.ts';

export function Sentiment({ of: { label, score } }: { of: NewsRow['sentiment'] }) {
  return (
    <span className={`sentiment ${label}`}>
      {en.news.sentiments[label]} <span className="num">{moved(score)}</span>
    </span>
  );
}
