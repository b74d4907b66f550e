// The promise under random faults: none missed, none told as two. A failing seed is printed; the same seed replays exactly.
import { expect, test } from 'vitest';
import { liveOnce } from './core-simulation.ts';

const SEEDS = 40;

test(`${SEEDS} lives under faults of every kind`, { timeout: 180_000 }, async () => {
  let kills = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const life = await liveOnce(seed);
    kills += life.kills;
    expect({ seed, missed: life.missed, doubled: life.doubled }, life.trace.join('\n')).toEqual({ seed, missed: [], doubled: [] });
  }
  expect(kills).toBeGreaterThan(SEEDS);
});
