// Main, core: the four lamps that prove sight. Each keeps the moment at which it entered its state.
import { LAMP_NAMES, type Lamp, type LampName } from '../../../shared/channels/state.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';

export interface Lamps {
  /** Returns whether anything changed. */
  set(name: LampName, state: Lamp['state'], detail: string): boolean;
  all(): Record<LampName, Lamp>;
}

export function createLamps(clock: Clock): Lamps {
  const begun = timestamp(clock.now());
  const lamps = new Map<LampName, Lamp>(
    LAMP_NAMES.map((name) => [name, { state: 'out', since: begun, detail: 'not yet' }]),
  );
  const get = (name: LampName): Lamp => lamps.get(name) ?? { state: 'out', since: begun, detail: '' };
  return {
    set(name, state, detail) {
      const lamp = get(name);
      if (lamp.state === state && lamp.detail === detail) return false;
      lamps.set(name, { state, detail, since: lamp.state === state ? lamp.since : timestamp(clock.now()) });
      return true;
    },
    all: () => ({ open: get('open'), bytes: get('bytes'), fresh: get('fresh'), verified: get('verified') }),
  };
}
