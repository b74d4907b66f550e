// Main, core: reads confidence and regime of an event from any of their fields.
import type { ReceivedEvent } from '../compat/received-event.ts';
import type { RuleContext } from './rules.ts';

export function attributesOf({
  transition,
  body,
}: Pick<ReceivedEvent, 'transition' | 'body'>): Pick<RuleContext, 'confidence' | 'regime'> {
  if (transition !== null) return { confidence: transition.confidence, regime: transition.regime };
  const { data }: { data?: { confidence?: unknown; to_regime?: unknown } | null } = JSON.parse(body);
  return {
    confidence: typeof data?.confidence === 'number' ? data.confidence : null,
    regime: typeof data?.to_regime === 'string' ? data.to_regime : null,
  };
}
