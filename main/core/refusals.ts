// Main, core: why a reading cannot be shown, as text for the window.
import type { ServiceProblem } from '../../client/problem.ts';
import { RefusedError } from '../../shared/channels/channel.ts';

/** The service answered: it does not know the symbol. */
export class NotCoveredError extends RefusedError {}

/** @param what is asked for, as it begins a sentence: "The history of SPY"; @param found null: nothing may be sent now */
export function cannotShow(what: string, symbol: string | null, found: ServiceProblem | null): RefusedError {
  if (symbol !== null && (found?.kind === 'not_covered' || found?.kind === 'not_found'))
    return new NotCoveredError({ code: 'refused', message: `${symbol} is not covered by this service.` });
  const why = found === null ? 'Barograph is not connected.' : found.message;
  return new RefusedError({ code: 'refused', message: `${what} cannot be shown. ${why}` });
}

/** The service answered, but in a way that is not understood. */
export const notUnderstood = (what: string): RefusedError =>
  new RefusedError({ code: 'refused', message: `${what} cannot be shown. The service's answer is not understood.` });
