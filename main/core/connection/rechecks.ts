// Main, core: repeats the identity check while a stream is open, and reconnects if it is fatal.
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import type { Guard } from '../guard.ts';
import type { WorldClock } from '../time/world-clock.ts';
import type { ServiceIdentity } from './service-identity.ts';
import { type ConnectionStore, isStreaming } from './state.ts';
import type { Supervisor } from './supervisor.ts';

export interface Rechecks {
  start(): void;
  /** The stream was opened: a second check soon measures the speed of the world's clock. */
  opened(): void;
  stop(): void;
}

export interface RecheckDeps {
  readonly guard: Guard;
  readonly store: ConnectionStore;
  readonly world: Pick<WorldClock, 'isDoubted'>;
  readonly identity: Pick<ServiceIdentity, 'check'>;
  readonly supervisor: Pick<Supervisor, 'wake'>;
}

/** Interval of the round trips, ms; shorter while it is open whether the service's clock stands. */
const ROUND_TRIP = 30_000;
const DOUBTED_ROUND_TRIP = 10_000;
/** Delay of the second check, ms. */
const SECOND_CHECK_DELAY = 1_500;

export function createRechecks({ guard, store, world, identity, supervisor }: RecheckDeps): Rechecks {
  const { clock } = guard;
  let cancelRound: Cancel = () => undefined;
  let cancelSecond: Cancel = () => undefined;
  const recheck = async (): Promise<void> => {
    const seen = await identity.check();
    if (seen.ok && seen.value.fatal !== null && isStreaming(store.current())) supervisor.wake();
  };
  return {
    start() {
      let rounds = 0;
      cancelRound = every(clock, DOUBTED_ROUND_TRIP, () => {
        rounds += 1;
        const isDue = world.isDoubted() || rounds % (ROUND_TRIP / DOUBTED_ROUND_TRIP) === 0;
        const current = store.current();
        if (isDue && (isStreaming(current) || current.isPolling)) guard.go(recheck());
      });
    },
    opened() {
      cancelSecond();
      cancelSecond = clock.after(SECOND_CHECK_DELAY, () => guard.go(recheck()));
    },
    stop() {
      cancelRound();
      cancelSecond();
    },
  };
}
