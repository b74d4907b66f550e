// Faults: seeded random numbers, and the choice of an action by weight.
import { DEFAULT_SETTINGS, type Settings } from '../../main/core/profiles/settings.ts';
import { DEFAULT_RULE } from '../../shared/settings/alert-rules.ts';

/** Seconds for which a High Risk must hold, in the lives where it must. */
export const HOLD = 20;

/**
 * The settings of a life: mostly those of a fresh install; in some lives the rule has a hold time, in some there are quiet hours, which begin and end
 * within it.
 */
export function settingsFrom(chance: (share: number) => boolean): Settings {
  const hold = chance(0.2) ? HOLD : 0;
  const hours = { kind: 'daily', zone: 'UTC', days: [0, 1, 2, 3, 4, 5, 6], from: '14:31', to: '14:34' } as const;
  return {
    ...DEFAULT_SETTINGS,
    alerting: {
      rules: [{ ...DEFAULT_RULE, hold_up_seconds: hold }],
      quiet: chance(0.2) ? { when: 'inside', hours } : null,
    },
  };
}

/** Weight, name, function. */
export type Action = readonly [number, string, () => unknown];

export function drawFrom(actions: readonly Action[], lot: number): Action {
  let left = lot;
  for (const action of actions) {
    left -= action[0];
    if (left < 0) return action;
  }
  throw new Error('no action');
}

/** mulberry32: small, seeded, good enough to choose faults. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
