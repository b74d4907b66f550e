// Test harness: the context of a core module under test; its log and ports do nothing.

import { createEventBus } from '../../main/core/events.ts';
import { createGuard } from '../../main/core/guard.ts';
import type { CoreContext } from '../../main/core/module.ts';
import type { Ports } from '../../main/core/ports.ts';
import { DEFAULT_SETTINGS } from '../../main/core/profiles/settings.ts';
import { createWorldClock } from '../../main/core/time/world-clock.ts';
import { calendarsOf } from '../../shared/domain/sessions.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { Environment } from '../../shared/wire/keys.ts';

export function createTestContext(clock: Clock, environment: Environment = 'sandbox'): CoreContext {
  const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const [profile] = DEFAULT_SETTINGS.profiles;
  if (profile === undefined) throw new Error('no profile');
  const guard = createGuard(clock, logger);
  return {
    guard,
    events: createEventBus(guard),
    world: createWorldClock(clock),
    profile: { ...profile, environment },
    calendarOf: calendarsOf(environment, () => null),
    ports: { logger, random: () => 0.5 } as Partial<Ports> as Ports,
    folder: ':memory:',
  };
}
