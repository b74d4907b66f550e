// Service: --rate N, for load tests: so many forced transitions a second, evenly spread, through the ordinary path.
import { type Cancel, type Clock, every } from '../shared/lib/clock.ts';
import type { Signals } from './signals/signals.ts';

const SHORTEST_STEP_MS = 5;

/** @param rate transitions a wall second */
export function churn(signals: Signals, rate: number, clock: Clock): Cancel {
  const began = clock.now();
  let done = 0;
  return every(clock, Math.max(SHORTEST_STEP_MS, 1000 / rate), () => {
    const due = Math.floor(((clock.now() - began) * rate) / 1000) - done;
    if (due <= 0) return;
    signals.churn(due);
    done += due;
  });
}
