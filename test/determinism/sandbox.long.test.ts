// Test: two processes answer with the same bytes for the same seed, instant and actions.
// The sandbox is a pure function of these three.
import { afterEach, expect, test } from 'vitest';
import { type RunningService, startService, TEST_KEY } from '../harness/service.ts';

const SEED = Number(process.env.BAROGRAPH_SEED ?? 7);
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
async function answersOf(seed: number, instant: string): Promise<string[]> {
  const service = await startService({ environment: 'sandbox', seed, clock: instant, key: TEST_KEY });
  running.push(service);
  await service.trigger('signal.high_risk', 'SPY');
  await service.trigger('signal.elevated', 'QQQ');
  const answers: string[] = [];
  const ask = async (path: string): Promise<string> => {
    const answer = await fetch(service.url + path, {
      headers: { 'x-api-key': TEST_KEY },
      signal: AbortSignal.timeout(20_000),
    });
    expect(answer.status, path).toBe(200);
    return answer.text();
  };
  for (const path of PATHS) answers.push(await ask(path));
  const { data } = JSON.parse(answers[PATHS.indexOf('/api/briefings?limit=40')] ?? '');
  for (const { id } of data.slice(0, 6)) answers.push(await ask(`/api/briefings/${id}`));
  await service.process.stop();
  return answers;
}

test(`the answers of world ${SEED} are the same bytes in two processes`, { timeout: TIMEOUT }, async () => {
  const instant = new Date(Date.parse('2026-03-04T15:07:00Z') + (SEED % 1_000) * 3_600_000).toISOString();
  const [one, same] = await Promise.all([answersOf(SEED, instant), answersOf(SEED, instant)]);
  expect(same).toEqual(one);
  expect(one.join('')).toContain('"to_state":2');
});
