// Faults: seeded random numbers, and the settings that they choose for a life.
import { DEFAULT_SETTINGS, type Settings } from '../../main/core/profiles/settings.ts';
import { DEFAULT_RULE, GROUP_BY } from '../../shared/settings/alert-rules.ts';

/** Seconds for which a High Risk must hold, in the lives where it must. */
export const HOLD = 20;

export interface Chance {
  /** From 0 to below 1. */
  random(): number;
  /** True in this share of all calls. */
  chance(share: number): boolean;
  /** A whole number from 0 to below the limit. */
  upTo(limit: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
}

export function createChance(seed: number): Chance {
  const random = randomOf(seed);
  const upTo = (limit: number): number => Math.floor(random() * limit);
  return {
    random,
    chance: (share) => random() < share,
    upTo,
    pick: (items) => items[upTo(items.length)] ?? items[0],
  };
}

/** How alerts become notifications: in every fourth life by other groups, or with a wait. */
function groupingOf(seed: number): Pick<Settings['alerting'], 'grouping'> {
  // Drawn apart: what else a seed chooses stays as it is.
  const { chance, pick, upTo } = createChance(seed + GROUPING_SEEDS);
  if (!chance(0.25)) return {};
  return {
    grouping: {
      by: pick(GROUP_BY),
      wait_seconds: upTo(21),
      interval_seconds: 10 + upTo(111),
      repeat_minutes: null,
      inhibited_by: chance(0.5) ? 'SPY' : null,
    },
  };
}
const GROUPING_SEEDS = 1_000_000_000;

/**
 * Those of a fresh install; in some lives the rule has a hold time, in some there are quiet hours within the life, or
 * alerts have other groups.
 * @param isPlain without all of these
 */
export function settingsFrom(seed: number, { chance }: Chance, isPlain: boolean): Settings {
  const hold = chance(0.2) && !isPlain ? HOLD : 0;
  const hours = { kind: 'daily', zone: 'UTC', days: [0, 1, 2, 3, 4, 5, 6], from: '14:31', to: '14:34' } as const;
  return {
    ...DEFAULT_SETTINGS,
    alerting: {
      rules: [{ ...DEFAULT_RULE, hold_up_seconds: hold }],
      quiet: chance(0.2) && !isPlain ? { when: 'inside', hours } : null,
      ...(isPlain ? {} : groupingOf(seed)),
    },
  };
}

/** mulberry32: small, seeded, good enough to choose faults. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
