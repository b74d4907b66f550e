// Main, core: confidence and regime of an event, wherever it has them.
import type { ReceivedEvent } from '../dialect/received-event.ts';
import type { Facts } from './rules.ts';

export function readingOf({
  transition,
  body,
}: Pick<ReceivedEvent, 'transition' | 'body'>): Pick<Facts, 'confidence' | 'regime'> {
  if (transition !== null) return { confidence: transition.confidence, regime: transition.regime };
  const { data }: { data?: { confidence?: unknown; to_regime?: unknown } | null } = JSON.parse(body);
  return {
    confidence: typeof data?.confidence === 'number' ? data.confidence : null,
    regime: typeof data?.to_regime === 'string' ? data.to_regime : null,
  };
}
