// Service: --rate N, for load tests: forces transitions per second, evenly spread.
// They take the same path as ordinary ones.
import { type Cancel, type Clock, every } from '../shared/lib/clock.ts';
import type { Signals } from './signals/signals.ts';

const SHORTEST_STEP_MS = 5;
/** Limit of the time that a step makes up for: a slow process must stay responsive. */
const MAX_STEP_MS = 50;

/** @param rate transitions per wall second */
export function churn(signals: Pick<Signals, 'churn'>, rate: number, clock: Clock): Cancel {
  const began = clock.now();
  let done = 0;
  return every(clock, Math.max(SHORTEST_STEP_MS, 1000 / rate), () => {
    const most = Math.max(1, Math.ceil((rate * MAX_STEP_MS) / 1000));
    const due = Math.min(most, Math.floor(((clock.now() - began) * rate) / 1000) - done);
    if (due <= 0) return;
    done += due;
    try {
      signals.churn(due);
    } catch {
      // The store refuses writes now. Announced events wait in memory and are written first.
    }
  });
}
