// Main, core: why a result cannot be shown, and a problem of the service, as messages for the user.
import { type ProblemKind, type ServiceProblem, WITHOUT_KEY } from '../../client/problem.ts';
import { RefusedError, refused } from '../../shared/channels/channel.ts';
import { type Message, message, plainMessage } from '../../shared/text/message.ts';

/** The service answered that it does not cover the symbol, or that it has nothing of this kind. */
export class NotCoveredError extends RefusedError {}

/**
 * @param what the requested data, as it begins a sentence: "The history of SPY"; @param found null: no
 * request may be sent now
 */
export function cannotShow(what: Message, symbol: string | null, found: ServiceProblem | null): RefusedError {
  if (symbol !== null && found?.kind === 'not_covered')
    return new NotCoveredError({ code: 'refused', message: message('service.not_covered', { symbol }) });
  // A service may have the symbol and not this endpoint.
  if (symbol !== null && found?.kind === 'not_found')
    return new NotCoveredError({ code: 'refused', message: message('service.not_found', { what }) });
  const why = found === null ? message('disconnected') : problemMessage(found);
  return refused(message('service.cannot_show', { what, why }));
}

/** Problems that the client or this program describes; an error answer brings the service's own words. */
const OWN_KINDS: ReadonlySet<ProblemKind> = new Set([
  'not_sent',
  'unproven',
  'network',
  'timeout',
  'redirected',
  'too_large',
  'unreadable',
  'cancelled',
  'not_stored',
]);

export function problemMessage({ kind, code, message: text }: ServiceProblem): Message {
  // The service tells a program how to send a key; the user has none.
  if (code === WITHOUT_KEY) return message('connection.without_key');
  return OWN_KINDS.has(kind) ? message('service.problem', { kind, text }) : plainMessage(text);
}

/** The service's answer could not be read. */
export const notUnderstood = (what: Message): RefusedError => refused(message('service.not_understood', { what }));
