// Service, routes: whether the service answers now, and its refusals while it does not.
import { type Pressure, RETRY_AFTER_S } from '../limits/pressure.ts';
import { Refusal } from '../refusal.ts';

/** draining: what is under way is finished, and no stream begins. stopping: nothing more is answered. */
export type ServiceStatus = 'starting' | 'ready' | 'draining' | 'stopping';

export interface Availability {
  readonly status: () => ServiceStatus;
  /** Why no request with a key is taken on, before the key is checked; null when it is. */
  refusal(isStream: boolean): Refusal | null;
  /** Why a balancer should send nothing here; null when every endpoint answers. */
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
