// Main, core: a dry run of the rules on a High Risk now. Notifies, writes and counts nothing.
import { type Message, message } from '../../../shared/text/message.ts';
import { signalEvent } from '../../../shared/wire/events.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import { createEvaluator, type EvaluatorDeps } from './evaluator.ts';

export interface DryRunResult {
  readonly isNotified: boolean;
  readonly why: Message | null;
}

export function dryRun(deps: EvaluatorDeps, symbol: string): DryRunResult {
  // The run tests a single alert, not one of a symbol that flaps.
  const evaluate = createEvaluator({ ...deps, history: { ...deps.history, changesBefore: () => 0 } });
  const { notification, why, reason } = evaluate(highRiskOf(symbol, deps.world.now()), 'stream');
  if (notification === null)
    return {
      isNotified: false,
      why: message('dry_run.unmatched', { symbol, decision: reason ?? 'no rule' }),
    };
  if (notification.outcome === 'muted' || notification.outcome === 'dropped')
    return {
      isNotified: false,
      why: message('dry_run.suppressed', { symbol, reason: notification.reason ?? '' }),
    };
  return { isNotified: true, why };
}

function highRiskOf(symbol: string, at: number): ReceivedEvent {
  const eventId = 'dry-run';
  const occurredIso = timestamp(at);
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
      // The highest confidence passes every rule's minimum.
      confidence: 100,
      note: '',
      occurred_at: occurredIso,
      model_version: '',
    },
    attributes: null,
    body: '{}',
    assumptions: [],
  };
}
