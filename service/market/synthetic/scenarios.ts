// Service, sandbox world: scenarios (--scenario): schedules of shocks for rare events. Ordinary days have none.
import { CRASHES, type MarketScenario } from '../../../shared/domain/scenarios.ts';
import { MINUTE_MS } from '../../../shared/lib/time.ts';
import type { Listing } from './catalogue.ts';
import { keyOf, unit } from './numbers.ts';
import type { Shock, ShockReference } from './shocks.ts';

/** The shocks of each symbol by time. Pure. */
export interface Schedule {
  /** Number of the slot that contains an instant (ms). A shock begins and ends within its slot. */
  slotOf(ms: number): number;
  /** null: no shock. `key` is the listing's, `base` its price without shocks at an instant of the slot. */
  shockOf(
    listing: Listing,
    key: number,
    slot: number,
    reference: ShockReference,
    base: (ms: number) => number,
  ): Shock | null;
}

/** Drawdown fractions: beyond a breach, which is High Risk at any probability, and near the high. */
const FALLEN = 1.05;
const RISEN = 0.04;
/**
 * Duration of a move between levels, ms. Symbols are evaluated at whole seconds, so no evaluation falls
 * within it.
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

/** The fall ends two minutes after its start; prices recover by minute 16. */
const CRASH = {
  slot: CRASHES.every,
  fall: CRASHES.after,
  session: (2 * MINUTE_MS) / 23,
  rise: 12 * MINUTE_MS,
  end: 16 * MINUTE_MS,
  /** Random spread of the symbols around their share in the market's fall. */
  spread: 0.15,
  /** Maximum fall of a price, as a share. */
  deepest: 0.75,
} as const;
/**
 * Closes of the S&P 500 over its close of 19 February 2020, from that day on to 23 March, one a session, as
 * published by its index provider, rounded. A session is a 23rd of two minutes here.
 */
const SPRING_2020: readonly number[] = [
  1, 0.996, 0.986, 0.953, 0.924, 0.92, 0.88, 0.872, 0.913, 0.887, 0.924, 0.893, 0.878, 0.811, 0.851, 0.81, 0.733, 0.801,
  0.705, 0.747, 0.708, 0.712, 0.681, 0.661,
];

export function scheduleOf(scenario: MarketScenario): Schedule {
  switch (scenario) {
    case 'burst':
      return {
        slotOf: (ms) => Math.floor(ms / BURST.slot),
        shockOf: (_listing, key, slot, reference, base) => burst(key, slot, reference, base),
      };
    case 'flap':
      return {
        slotOf: (ms) => Math.floor(ms / FLAP.slot),
        shockOf: ({ symbol }, _key, slot, reference, base) =>
          symbol === FLAP.symbol ? flap(slot, reference, base) : null,
      };
    case 'crash':
      return {
        slotOf: (ms) => Math.floor(ms / CRASH.slot),
        shockOf: ({ loadings }, key, slot) => crash(loadings.market ?? 0, key, slot),
      };
  }
}

/**
 * More than half of the symbols fall in one minute and rise in another, far enough that none remains between
 * two states. Outside a burst, no symbol is down in this scenario, so that all can fall.
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

/** Falls and rises within the slot. It begins and ends up, so that slots join. */
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

/**
 * The fall of spring 2020 in two minutes, for each symbol by its share in the market's moves: a fund of long
 * bonds rises. Prices rest at the bottom for ten minutes, so that each state is announced.
 * @param part the symbol's share in a move of the market, 1 for the market itself
 */
function crash(part: number, key: number, slot: number): Shock | null {
  if (part === 0) return null;
  const begin = slot * CRASH.slot;
  const own = part * (1 - CRASH.spread + 2 * CRASH.spread * unit(keyOf(keyOf(key, slot), 1)));
  const factor = (level: number): number => Math.max(1 - CRASH.deepest, 1 - own * (1 - level));
  const bottom = factor(SPRING_2020.at(-1) as number);
  return [
    { at: begin, factor: 1 },
    ...SPRING_2020.map((level, session) => ({
      at: begin + CRASH.fall + Math.round(session * CRASH.session),
      factor: factor(level),
    })),
    { at: begin + CRASH.rise, factor: bottom },
    { at: begin + CRASH.end, factor: 1 },
    { at: begin + CRASH.slot - 1, factor: 1 },
  ];
}

/** Factor that moves a price to a drawdown fraction. */
const factorTo = (fraction: number, { peak, threshold }: ShockReference, price: number): number =>
  (peak * (1 - threshold * fraction)) / price;
