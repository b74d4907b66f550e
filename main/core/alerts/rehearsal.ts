// Main, core: what would become of a High Risk that came now, by the rules, mutes and hours as they stand. Nothing is told, written or counted.
import { signalEvent } from '../../../shared/wire/events.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { ReceivedEvent } from '../dialect/received-event.ts';
import { createJudge, type JudgeFacts } from './judge.ts';

export interface Rehearsed {
  readonly isTold: boolean;
  /** Why, or why not, in words. */
  readonly words: string;
}

export function rehearse(facts: JudgeFacts, symbol: string): Rehearsed {
  // Those that came before it are not its fault: it is asked whether one is told, not whether the sixth within seconds is told alone.
  const judge = createJudge({ ...facts, takePlace: () => true, changesBefore: () => 0 });
  const { telling, why, reason } = judge(highRiskOf(symbol, facts.world.now()), 'stream');
  if (telling === null)
    return { isTold: false, words: `No rule asks for a High Risk of ${symbol} now (${reason ?? 'no rule'}).` };
  if (telling.outcome === 'muted' || telling.outcome === 'dropped')
    return { isTold: false, words: `A High Risk of ${symbol} is kept back now: ${telling.reason}.` };
  return { isTold: true, words: why ?? '' };
}

function highRiskOf(symbol: string, at: number): ReceivedEvent {
  const eventId = 'rehearsal';
  const moment = timestamp(at);
  return {
    eventId,
    seq: null,
    event: signalEvent(2),
    occurredAt: at,
    symbol,
    transition: {
      event_id: eventId,
      symbol,
      asset_class: 'etf',
      from_state: 1,
      to_state: 2,
      state_name: 'high_risk',
      regime: null,
      // The surest there is: what a rule asks of confidence is not in question.
      confidence: 100,
      note: '',
      occurred_at: moment,
      model_version: '',
    },
    body: '{}',
    marks: [],
  };
}
