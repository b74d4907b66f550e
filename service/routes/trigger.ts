// Service, routes: POST /sandbox/trigger: an event on request, on the ordinary path.

import type { EventEnvelope } from '../../shared/wire/events.ts';
import type { routes } from '../../shared/wire/routes.ts';
import { Refusal } from '../refusal.ts';
import { whyNotOverridden } from '../signals/force.ts';
import type { HandlerDeps } from './handler-deps.ts';
import type { Handler } from './mount.ts';

export type TriggerBody = Parameters<Handler<(typeof routes)['trigger']>>[0]['body'];
export interface TriggerReply {
  readonly data: EventEnvelope[];
}

/** @returns a function that throws Refusal */
export function createTrigger({
  content: { briefings, signals },
  info: { world },
}: Pick<HandlerDeps, 'content' | 'info'>): (body: TriggerBody) => TriggerReply {
  return ({ event, symbol, ...overrides }) => {
    if (symbol !== undefined && signals.coverage(symbol) === 'none') {
      throw new Refusal(
        'symbol_not_covered',
        `${symbol} is outside the covered universe. GET /snapshot lists what is covered.`,
      );
    }
    if (symbol !== undefined && event.startsWith('signal.') && signals.coverage(symbol) === 'regime_only') {
      throw new Refusal(
        'symbol_not_covered',
        `${symbol} has a regime and no signal. regime.flip can be triggered for it.`,
      );
    }
    if (event === 'briefing.published') {
      const refused = whyNotOverridden(event, overrides);
      if (refused !== null) throw new Refusal('invalid_request', `${refused}.`);
      signals.catchUp();
      const data = briefings.publishRequested(symbol ?? null, world.now());
      if (data === null) throw new Refusal('invalid_request', 'symbol: has no signal to write about.');
      return { data };
    }
    const result = signals.trigger(event, symbol ?? null, overrides);
    if ('refused' in result) throw new Refusal('invalid_request', `${result.refused}.`);
    return { data: result.events };
  };
}
