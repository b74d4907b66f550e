// Test: two processes answer with the same bytes for the same seed, instant and actions.
// The sandbox is a pure function of these three.
// BAROGRAPH_TEST_SEEDS=N tries N worlds instead of one.
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RunningService, type ServiceOptions, startService, TEST_KEY } from '../harness/service.ts';

const WORLDS = Number(process.env.BAROGRAPH_TEST_SEEDS ?? 1);
const PATHS = [
  '/snapshot?limit=100',
  '/signal?symbol=SPY',
  '/history?symbol=SPY&limit=100',
  '/history?symbol=QQQ&limit=100',
  '/alert-transitions?limit=100',
  '/alert-transitions?state=high_risk&limit=100',
  '/events?limit=100',
  '/alerts?limit=100',
  '/regime/BTC',
  '/regime/SPY/history?from=2025-12-01&limit=100',
  '/regime/ETH/history?from=2026-03-01&granularity=hour',
  '/factors?symbol=QQQ',
  '/factors?from=2026-01-01&limit=100',
  '/api/archetypes/current',
  '/api/briefings?limit=40',
  '/market-news?limit=100',
];
const TIMEOUT = 240_000;

const running: RunningService[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.process.kill()));
});

/** Starts one and asks it everything; with a frozen clock its answers never change. */
async function answersOf(
  seed: number,
  instant: string,
  world: Pick<ServiceOptions, 'symbols' | 'scenario'> = {},
  paths = PATHS,
): Promise<string[]> {
  const service = await startService({ environment: 'sandbox', seed, clock: instant, key: TEST_KEY, ...world });
  running.push(service);
  await service.trigger('signal.high_risk', 'SPY');
  await service.trigger('signal.elevated', 'QQQ');
  const answers: string[] = [];
  for (const path of paths) {
    const answer = await fetch(service.url + path, {
      headers: { 'x-api-key': TEST_KEY },
      signal: AbortSignal.timeout(20_000),
    });
    expect(answer.status, path).toBe(200);
    answers.push(await answer.text());
  }
  await service.process.stop();
  return answers;
}

test.each(Array.from({ length: WORLDS }, (_, index) => 7 + index))(
  'world %i is the same in two processes, and no other',
  {
    timeout: TIMEOUT,
  },
  async (seed) => {
    const instant = new Date(Date.parse('2026-03-04T15:07:00Z') + seed * 3_600_000).toISOString();
    const [one, same, other] = await Promise.all([
      answersOf(seed, instant),
      answersOf(seed, instant),
      answersOf(seed + 1, instant),
    ]);
    expect(same).toEqual(one);
    for (const [index, path] of PATHS.entries()) expect(other[index], path).not.toBe(one[index]);
    expect(one.join('')).toContain('"to_state":2');
  },
);

describe('scenarios', { timeout: TIMEOUT }, () => {
  const instant = '2026-03-04T15:07:00Z';
  const world = { symbols: 4 };
  let ordinary: string[];
  beforeAll(async () => {
    ordinary = await answersOf(7, instant, world);
  }, TIMEOUT);

  test.each(['calm', 'burst', 'flap', 'throttle'])('%s is the same in two processes', async (scenario) => {
    // Beside throttle's limits there is no other world than the ordinary one.
    const paths = scenario === 'throttle' ? PATHS.slice(0, 2) : PATHS;
    const [one, same] = await Promise.all([
      answersOf(7, instant, { ...world, scenario }, paths),
      answersOf(7, instant, { ...world, scenario }, paths),
    ]);
    expect(same).toEqual(one);
    if (scenario === 'throttle') expect(ordinary.slice(0, 2)).toEqual(one);
    else expect(ordinary[PATHS.indexOf('/events?limit=100')]).not.toBe(one[PATHS.indexOf('/events?limit=100')]);
  });
});
