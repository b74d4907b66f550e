// Main, host: the computer's own clock, for entry files to pass in.
import { createClock } from '../../shared/lib/clock.ts';

export const systemClock = createClock({ now: Date.now, setTimeout, clearTimeout });
