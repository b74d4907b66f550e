// Service, sandbox world: scenarios (--scenario): shock schedules for events rare on ordinary days.
import { MINUTE_MS } from '../../../shared/lib/time.ts';
import { keyOf, unit } from './numbers.ts';
import { type Shock, type ShockReference, shockOf, slotOf } from './shocks.ts';

export const MARKET_SCENARIOS = ['calm', 'burst', 'flap'] as const;
export type MarketScenario = (typeof MARKET_SCENARIOS)[number];

/** The shocks of each symbol by time. Pure. */
export interface Schedule {
  /** Number of the slot that contains an instant (ms). A shock begins and ends within its slot. */
  slotOf(ms: number): number;
  /** null: no shock. `key` is the symbol's, `base` its price without shocks at an instant of the slot. */
  shockOf(
    symbol: string,
    key: number,
    slot: number,
    reference: ShockReference,
    base: (ms: number) => number,
  ): Shock | null;
}

/** Drawdown fractions: beyond a breach, which is High Risk at any probability, and just below the high. */
const FALLEN = 1.05;
const RISEN = 0.04;
/**
 * Duration of a price's move between levels, ms. Symbols are evaluated at whole seconds, so no evaluation
 * falls in between.
 */
const RAMP_MS = 1_000;

const BURST = {
  slot: 32 * MINUTE_MS,
  fall: 3 * MINUTE_MS,
  rise: 13 * MINUTE_MS,
  end: 20 * MINUTE_MS,
  share: 0.7,
  drawdown: 0.35,
} as const;
/** Half a slot down, half up: slightly more than the minimum of five minutes per state. */
const FLAP = { slot: 12 * MINUTE_MS, symbol: 'SPY' } as const;

/** @param world key of the world @param scenario null: the ordinary day */
export function scheduleOf(world: number, scenario: MarketScenario | null): Schedule {
  switch (scenario) {
    case null:
      return { slotOf, shockOf: (_symbol, key, slot, reference, base) => shockOf(world, key, slot, reference, base) };
    case 'calm':
      return { slotOf, shockOf: () => null };
    case 'burst':
      return {
        slotOf: (ms) => Math.floor(ms / BURST.slot),
        shockOf: (_symbol, key, slot, reference, base) => burst(key, slot, reference, base),
      };
    case 'flap':
      return {
        slotOf: (ms) => Math.floor(ms / FLAP.slot),
        shockOf: (symbol, _key, slot, reference, base) => (symbol === FLAP.symbol ? flap(slot, reference, base) : null),
      };
  }
}

/**
 * More than half of the symbols fall in the same minute, and rise in the same minute, far enough that none
 * remains between two states. A symbol that is already down could not fall; in this world none is, outside of
 * a burst.
 */
function burst(key: number, slot: number, reference: ShockReference, base: (ms: number) => number): Shock | null {
  const begin = slot * BURST.slot;
  const [fall, rise, end] = [begin + BURST.fall, begin + BURST.rise, begin + BURST.end];
  const down = (1 - base(fall) / reference.peak) / reference.threshold >= BURST.drawdown;
  const to = (fraction: number, at: number) => ({ at, factor: factorTo(fraction, reference, base(at)) });
  const still = (at: number) => (down ? to(RISEN, at) : { at, factor: 1 });
  const edges = [still(begin), still(begin + BURST.slot - 1)] as const;
  if (unit(keyOf(keyOf(key, slot), 1)) >= BURST.share) return down ? edges : null;
  const fallen = [still(fall), to(FALLEN, fall + RAMP_MS), to(FALLEN, rise)];
  return [edges[0], ...fallen, to(RISEN, rise + RAMP_MS), to(RISEN, end), still(end + RAMP_MS), edges[1]];
}

/** Down and up again over the whole slot; it begins and ends up, so that slots join. */
function flap(slot: number, reference: ShockReference, base: (ms: number) => number): Shock {
  const begin = slot * FLAP.slot;
  const middle = begin + FLAP.slot / 2;
  const end = begin + FLAP.slot;
  const to = (fraction: number, at: number) => ({ at, factor: factorTo(fraction, reference, base(at)) });
  return [
    to(RISEN, begin),
    to(FALLEN, begin + RAMP_MS),
    to(FALLEN, middle),
    to(RISEN, middle + RAMP_MS),
    to(RISEN, end - 1),
  ];
}

/** Factor that moves a price to a drawdown fraction. */
const factorTo = (fraction: number, { peak, threshold }: ShockReference, price: number): number =>
  (peak * (1 - threshold * fraction)) / price;
