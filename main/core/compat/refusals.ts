// Main, core: messages for the user about refused calls and problems of the service.
import { type ProblemKind, type ServiceProblem, WITHOUT_KEY } from '../../../client/problem.ts';
import { RefusedError, refused } from '../../../shared/channels/channel.ts';
import { ProgressSchema } from '../../../shared/lib/progress.ts';
import { type Message, message, plainMessage } from '../../../shared/text/message.ts';

/** The service does not cover the symbol, or lacks this kind of data. */
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

/** Like `cannotShow`, for what a service computes after its start: until then it asks to come again later. */
export const notYet = (what: Message, found: ServiceProblem | null): RefusedError =>
  found?.kind === 'unavailable' && found.retryAfter !== null
    ? refused(message('service.computing', { what, progress: progressOf(found) }))
    : cannotShow(what, null, found);

function progressOf({ progress }: ServiceProblem): Message | null {
  const { data } = ProgressSchema.safeParse(progress);
  return data === undefined ? null : message('work.progress', data);
}

/** Problems that the client or this program describes; other error answers have the service's own text. */
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
  // The service's text explains to a program how to send a key; the user needs a key first.
  if (code === WITHOUT_KEY) return message('connection.without_key');
  return OWN_KINDS.has(kind) ? message('service.problem', { kind, text }) : plainMessage(text);
}

/** The service's answer could not be read. */
export const notUnderstood = (what: Message): RefusedError => refused(message('service.not_understood', { what }));
