// Service, sandbox world: scenarios (--scenario): other schedules of shocks, to test what an ordinary day shows too seldom.
import { MINUTE_MS } from '../../../shared/lib/time.ts';
import { keyOf, unit } from './numbers.ts';
import { type Shock, type ShockReference, shockOf, slotOf } from './shocks.ts';

export const MARKET_SCENARIOS = ['calm', 'burst', 'flap'] as const;
export type MarketScenario = (typeof MARKET_SCENARIOS)[number];

/** When a symbol has which shock. Pure. */
export interface Schedule {
  /** Number of the slot that holds an instant (ms). A shock begins and ends within its slot. */
  slotOf(ms: number): number;
  /** null: none. `key` is the symbol's, `base` its price without shocks at an instant of the slot. */
  shockOf(
    symbol: string,
    key: number,
    slot: number,
    reference: ShockReference,
    base: (ms: number) => number,
  ): Shock | null;
}

/** Drawdown fractions: past a breach, which is High Risk whatever the probability, and almost at the high. */
const FALLEN = 1.05;
const RISEN = 0.04;
/** How long a price takes from one to the other, ms: symbols are evaluated at whole seconds, so none is caught half way and stays there. */
const RAMP_MS = 1_000;

const BURST = {
  slot: 32 * MINUTE_MS,
  fall: 3 * MINUTE_MS,
  rise: 13 * MINUTE_MS,
  end: 20 * MINUTE_MS,
  share: 0.7,
  drawdown: 0.35,
} as const;
/** Half a slot is down, half is up: a little more than the five minutes that a state lasts at least. */
const FLAP = { slot: 12 * MINUTE_MS, symbol: 'SPY' } as const;

/** @param world key of the world; @param scenario null: the ordinary day */
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
 * More than half of the symbols fall in the same minute, and rise again in the same minute, so far that none hangs between two states. Who is
 * down already would have nowhere to fall: in this world nobody is, outside of a burst.
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

/** Down and up again, the whole slot long; it begins and ends risen, so that slots join. */
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

/** What brings a price to a drawdown fraction. */
const factorTo = (fraction: number, { peak, threshold }: ShockReference, price: number): number =>
  (peak * (1 - threshold * fraction)) / price;
