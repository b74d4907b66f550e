// Main, core: why a result cannot be shown, as text for the window.
import type { ServiceProblem } from '../../client/problem.ts';
import { RefusedError } from '../../shared/channels/channel.ts';

/** The service answered that it does not cover the symbol. */
export class NotCoveredError extends RefusedError {}

/**
 * @param what the requested data, as it begins a sentence: "The history of SPY"; @param found null: no
 * request may be sent now
 */
export function cannotShow(what: string, symbol: string | null, found: ServiceProblem | null): RefusedError {
  if (symbol !== null && (found?.kind === 'not_covered' || found?.kind === 'not_found'))
    return new NotCoveredError({ code: 'refused', message: `${symbol} is not covered by this service.` });
  const why = found === null ? 'Barograph is not connected.' : found.message;
  return new RefusedError({ code: 'refused', message: `${what} cannot be shown. ${why}` });
}

/** The service's answer could not be read. */
export const notUnderstood = (what: string): RefusedError =>
  new RefusedError({ code: 'refused', message: `${what} cannot be shown. The service's answer is not understood.` });
