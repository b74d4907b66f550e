// Renderer: the sentiment of a news item as word, sign and score; never a colour: that is for risk.
import type { NewsRow } from '../../../shared/channels/archive.ts';
import { moved } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';

export function Sentiment({ of }: { of: NewsRow['sentiment'] }) {
  if (of === null) return <span className="sentiment">{texts.news.sentimentNotKnown}</span>;
  const { label, score } = of;
  return (
    <span className={`sentiment ${label}`}>
      {texts.news.sentiments[label]} <span className="num">{moved(score)}</span>
    </span>
  );
}
