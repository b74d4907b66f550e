// Service, routes: whether the service answers now, and its refusals while it does not.
import { type Pressure, RETRY_AFTER_S } from '../limits/pressure.ts';
import { Refusal } from '../refusal.ts';

/** draining: finishes requests in flight and begins no stream. stopping: answers nothing more. */
export type ServiceStatus = 'starting' | 'ready' | 'draining' | 'stopping';

export interface Availability {
  readonly status: () => ServiceStatus;
  /** Why requests with a key are refused before the key is checked; null: they are accepted. */
  refusal(isStream: boolean): Refusal | null;
  /** Why a balancer should send no requests; null: every endpoint answers. */
  notReady(): Refusal | null;
}

export const startingRefusal = (): Refusal =>
  new Refusal('temporarily_unavailable', 'The service is starting. Try again in a moment.', { 'retry-after': '1' });

export function createAvailability(status: Availability['status'], pressure: Pick<Pressure, 'refuses'>): Availability {
  const stopping = (): Refusal =>
    new Refusal('temporarily_unavailable', 'The service is stopping. Try again in a moment.', {
      'retry-after': String(RETRY_AFTER_S),
      connection: 'close',
    });
  const overloaded = (): Refusal | null => {
    const overload = pressure.refuses();
    return overload === null
      ? null
      : new Refusal('temporarily_unavailable', `${overload} Try again in ${RETRY_AFTER_S} seconds.`, {
          'retry-after': String(RETRY_AFTER_S),
        });
  };
  return {
    status,
    refusal(isStream) {
      const now = status();
      return now === 'stopping' || (now === 'draining' && isStream) ? stopping() : overloaded();
    },
    notReady() {
      const now = status();
      if (now === 'draining' || now === 'stopping') return stopping();
      return now === 'starting' ? startingRefusal() : overloaded();
    },
  };
}
