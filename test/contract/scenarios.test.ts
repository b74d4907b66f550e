// Contract: the answers and the transitions of past days show each scenario of the sandbox.
import { afterEach, expect, test, vi } from 'vitest';
import type { MarketScenario } from '../../shared/domain/scenarios.ts';
import { SANDBOX_START, type Sandbox, startSandbox } from '../harness/sandbox.ts';

// Each case has a world of its own.
vi.setConfig({ testTimeout: 120_000 });

const SYMBOLS = 12;
const DAYS = 2;
const SEED = 7;

interface Row {
  readonly symbol: string;
  readonly occurred_at: string;
  readonly from_state: number;
  readonly to_state: number;
}

let sandbox: Sandbox;
afterEach(() => sandbox.service.close());

/** Oldest first. */
async function transitions(scenario?: MarketScenario): Promise<Row[]> {
  sandbox = await startSandbox({ seed: SEED, symbols: SYMBOLS, ...(scenario === undefined ? {} : { scenario }) });
  const from = new Date(SANDBOX_START - DAYS * 86_400_000).toISOString();
  return (await sandbox.whole<Row>(`/alert-transitions?from=${from}`)).reverse();
}

test('in the scenario burst many symbols enter High Risk in the same minute, every half an hour, and leave it again together', {
  tags: ['long'],
}, async () => {
  const rows = await transitions('burst');
  const high = rows.filter(({ to_state }) => to_state === 2);
  const symbolsBySlot = new Map<number, Set<string>>();
  for (const { symbol, occurred_at } of high) {
    const slot = Math.floor(Date.parse(occurred_at) / 1_920_000);
    symbolsBySlot.set(slot, (symbolsBySlot.get(slot) ?? new Set()).add(symbol));
  }
  const sizes = [...symbolsBySlot.values()].map((symbols) => symbols.size);
  expect(sizes.length).toBeGreaterThanOrEqual(DAYS * 45 - 1);
  expect(sizes.filter((size) => size >= SYMBOLS / 3).length).toBeGreaterThan(0.8 * sizes.length);
  const spread = high.map(({ occurred_at }) => (Date.parse(occurred_at) % 1_920_000) / 60_000);
  // From the fall's minute on, give or take what the quiet market does by itself.
  expect(spread.filter((minute) => minute >= 3 && minute < 4.1).length).toBeGreaterThan(0.95 * spread.length);
  // To Normal, or to Elevated where the days before were stormy.
  const back = rows.filter(({ from_state }) => from_state === 2);
  expect(back.length).toBeGreaterThan(0.8 * high.length);
});

test('in the scenario flap SPY goes to and fro every six minutes, the others hardly move', {
  tags: ['long'],
}, async () => {
  const rows = await transitions('flap');
  const spy = rows.filter(({ symbol }) => symbol === 'SPY');
  expect(spy.length).toBeGreaterThan(DAYS * 200);
  expect(rows.length - spy.length).toBeLessThan(DAYS * SYMBOLS);
  for (const [index, row] of spy.entries()) if (index > 0) expect(row.from_state).toBe(spy[index - 1]?.to_state);
  expect(spy.filter(({ to_state }) => to_state === 2).length).toBeGreaterThan(0.45 * spy.length);
  const waits = spy
    .slice(1)
    .map((row, index) => Date.parse(row.occurred_at) - Date.parse(spy[index]?.occurred_at ?? ''));
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(300_000);
  expect(waits.filter((wait) => wait <= 360_000).length).toBeGreaterThan(0.9 * waits.length);
});

test('in the scenario crash the market loses a third within two minutes, three times an hour, and every symbol warns', {
  tags: ['long'],
}, async () => {
  const rows = await transitions('crash');
  const slotOf = ({ occurred_at }: Row): number => Math.floor(Date.parse(occurred_at) / 1_200_000);
  const minuteOf = ({ occurred_at }: Row): number => (Date.parse(occurred_at) % 1_200_000) / 60_000;
  const high = rows.filter(({ to_state }) => to_state === 2);
  const slots = Map.groupBy(high, slotOf);
  expect(slots.size).toBeGreaterThanOrEqual(DAYS * 72 - 1);
  const sizes = [...slots.values()].map((entered) => new Set(entered.map(({ symbol }) => symbol)).size);
  // Who is in High Risk when a fall begins does not enter it.
  expect(sizes.filter((size) => size >= 0.6 * SYMBOLS).length).toBeGreaterThan(0.8 * sizes.length);
  expect(high.filter((row) => minuteOf(row) >= 2 && minuteOf(row) < 5.1).length).toBeGreaterThan(0.95 * high.length);
  const back = rows.filter(({ from_state }) => from_state === 2);
  expect(back.filter((row) => minuteOf(row) >= 12).length).toBeGreaterThan(0.8 * high.length);

  // The clock stands in the rest at the bottom of a fall.
  const price = async (): Promise<number> => (await sandbox.get('/signal?symbol=SPY')).body.price;
  const bottom = await price();
  await sandbox.clock.advance(8 * 60_000);
  const ratio = bottom / (await price());
  expect(ratio).toBeGreaterThan(0.58);
  expect(ratio).toBeLessThan(0.74);
});

test('in the scenario throttle the burst refuses after five calls, the minute after ten, each with headers that are kept to', async () => {
  sandbox = await startSandbox({ symbols: 1, plans: { throttled: true } });
  const { clock } = sandbox;
  const number = (headers: Readonly<Record<string, string>>, name: string): number => Number(headers[name]);
  const spend = async (): Promise<ReturnType<Sandbox['get']>> => sandbox.get('/signal?symbol=SPY');

  for (let left = 9; left >= 5; left -= 1) {
    const { status, headers } = await spend();
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': String(left) });
  }
  const burst = await spend();
  expect(burst).toMatchObject({
    status: 429,
    body: { code: 'rate_limited' },
    headers: { 'retry-after': '1', 'x-ratelimit-remaining': '0' },
  });
  expect(number(burst.headers, 'x-ratelimit-reset') * 1_000).toBeGreaterThan(clock.now());

  // It admits one call a second.
  for (let left = 4; left >= 0; left -= 1) {
    await clock.advance(number(burst.headers, 'retry-after') * 1_000);
    expect(await spend()).toMatchObject({ status: 200, headers: { 'x-ratelimit-remaining': String(left) } });
  }
  await clock.advance(1_000);
  const minute = await spend();
  expect(minute).toMatchObject({ status: 429, headers: { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0' } });
  const wait = number(minute.headers, 'retry-after');
  expect(number(minute.headers, 'x-ratelimit-reset')).toBe(Math.ceil(clock.now() / 1_000) + wait);
  expect((await sandbox.get('/health')).status).toBe(200);

  await clock.advance((wait - 1) * 1_000);
  expect((await spend()).status).toBe(429);
  await clock.advance(1_000);
  expect((await spend()).status).toBe(200);
});
