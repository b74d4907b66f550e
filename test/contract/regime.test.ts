// Contract: GET /regime/{symbol} and its history agree with each other and with the events.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../client/client.ts';
import { CONTRACT_VOCABULARY } from '../../main/core/compat/vocabulary.ts';
import { createRowTable } from '../../main/core/rows.ts';
import { createSignalPolling } from '../../main/core/sources/polling.ts';
import { REGIMES, regimeLabel } from '../../shared/domain/regimes.ts';
import type { EventEnvelope } from '../../shared/wire/events.ts';
import type { RegimePoint, RegimeRecord } from '../../shared/wire/regime.ts';
import { createTestContext } from '../harness/core-context.ts';
import { createManualClock } from '../harness/manual-clock.ts';
import { OWN_PEER } from '../harness/peer.ts';
import { SANDBOX_KEY, SANDBOX_START, type Sandbox, startSandbox } from '../harness/sandbox.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = new Date(SANDBOX_START).toISOString();

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.service.close());

const ask = async (url: string, of = sandbox): Promise<RegimeRecord> => {
  const answer = await of.get(url);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const whole = (url: string, of = sandbox): Promise<RegimePoint[]> => of.whole(url);

describe('what is refused', () => {
  test.each([
    ['/regime/NOPE', 404, 'symbol_not_covered'],
    ['/regime/VIX', 404, 'symbol_not_covered'],
    ['/regime/S%20P', 400, 'invalid_request'],
    ['/regime/ABCDEFGHIJKLMNOP', 400, 'invalid_request'],
    ['/regime/%F0%9F%98%80', 400, 'invalid_request'],
    ['/regime/', 400, 'invalid_request'],
    ['/regime/SPY/', 404, 'not_found'],
    ['/regime/SPY?as_of=2026-03-02T14:3', 400, 'invalid_request'],
    ['/regime/SPY?as_of=now', 400, 'invalid_request'],
    ['/regime/SPY?as_of=', 400, 'invalid_request'],
    ['/regime/SPY?as_of=2026-02-30', 400, 'invalid_request'],
    ['/regime/SPY?as_of=2026-03-01&as_of=2026-03-02', 400, 'invalid_request'],
    ['/regime/SPY?as_of=2026-03-02T14:30:00.001Z', 400, 'invalid_request'],
    ['/regime/SPY?as_of=2999-01-01', 400, 'invalid_request'],
    ['/regime/SPY?as_of=2015-01-01', 404, 'not_found'],
    ['/regime/NOPE?as_of=2999-01-01', 404, 'symbol_not_covered'],
    ['/regime/NOPE/history?from=2026-02-01', 404, 'symbol_not_covered'],
    ['/regime/S%20P/history?from=2026-02-01', 400, 'invalid_request'],
    ['/regime/SPY/history', 400, 'invalid_request'],
    ['/regime/SPY/history?from=', 400, 'invalid_request'],
    ['/regime/SPY/history?from=2026-02-01T0:00', 400, 'invalid_request'],
    ['/regime/SPY/history?to=2026-02-01', 400, 'invalid_request'],
    ['/regime/SPY/history?from=2026-02-02&to=2026-02-01', 400, 'invalid_request'],
    ['/regime/SPY/history?from=2026-03-02T14:30:00.001Z', 400, 'invalid_request'],
    ['/regime/SPY/history?from=2026-02-01&granularity=week', 400, 'invalid_request'],
    ['/regime/SPY/history?from=2026-02-01&granularity=', 400, 'invalid_request'],
    ['/regime/SPY/history?from=2026-02-01&granularity=minute', 403, 'forbidden'],
    ['/regime/SPY/history?from=2026-02-01&limit=0', 400, 'invalid_request'],
    ['/regime/SPY/history?from=2026-02-01&limit=101', 400, 'invalid_request'],
  ])('%s is %i %s', async (url, status, code) => {
    const answer = await sandbox.get(url);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});

describe('the present regime', () => {
  test.each(['SPY', 'QQQ', 'BTC', 'ETH', 'EURUSD', 'GBPUSD'])('the present regime of %s is given', async (symbol) => {
    const record = await ask(`/regime/${symbol.toLowerCase()}`);
    expect(record).toMatchObject({ symbol, as_of: NOW, label: regimeLabel(record.regime) });
    expect(REGIMES).toContain(record.regime);
    expect(Date.parse(record.since)).toBeLessThanOrEqual(SANDBOX_START);
    const { probabilities } = record;
    expect(Object.keys(probabilities ?? {})).toEqual([...REGIMES]);
    expect(Object.values(probabilities ?? {}).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 5);
    expect(record.confidence).toBeCloseTo(100 * (probabilities?.[record.regime] ?? Number.NaN), 0);
    expect(await ask(`/regime/${symbol}?as_of=${NOW}`)).toEqual(record);
    expect(await ask(`/regime/${symbol}?as_of=${encodeURIComponent('2026-03-02T15:30:00.000+01:00')}`)).toEqual(record);
  });

  test.each([
    ['2026-03-02T00:00:00.000Z', 0, 0],
    ['2026-03-02T09:00:30.000Z', 0, 59],
    ['2025-03-05T12:00:00.000Z', 0, 59],
  ])('says how old the data were at %s: %i to %i seconds', async (at, least, most) => {
    for (const symbol of ['SPY', 'BTC', 'EURUSD']) {
      const { data_age_seconds = -1, data_health } = await ask(`/regime/${symbol}?as_of=${at}`);
      expect([data_health, data_age_seconds >= least && data_age_seconds <= most]).toEqual(['current', true]);
    }
    // The same instant always has the same age.
    const [one, two] = [await ask(`/regime/SPY?as_of=${at}`), await ask(`/regime/SPY?as_of=${at}`)];
    expect(two).toEqual(one);
  });

  test('is that of the signal', async () => {
    const { regime } = (await sandbox.get('/signal?symbol=SPY')).body;
    expect((await ask('/regime/SPY')).regime).toBe(regime);
  });

  test('just before it began another one was current, and a millisecond before the beginning of all there is none', async () => {
    const { since, regime } = await ask('/regime/SPY');
    expect((await ask(`/regime/SPY?as_of=${since}`)).regime).toBe(regime);
    expect((await ask(`/regime/SPY?as_of=${new Date(Date.parse(since) - 1).toISOString()}`)).regime).not.toBe(regime);
    const [first] = (await sandbox.get('/regime/SPY/history?from=2001-01-01&limit=1')).body.data;
    expect(Date.parse(first.timestamp)).toBeGreaterThanOrEqual(SANDBOX_START - 730 * DAY);
    expect((await ask(`/regime/SPY?as_of=${first.timestamp}`)).regime).toBe(first.regime);
    expect(
      (await sandbox.get(`/regime/SPY?as_of=${new Date(Date.parse(first.timestamp) - 1).toISOString()}`)).status,
    ).toBe(404);
  });
});

describe('the history', () => {
  test('by day: two years, a row per close and the forming day, each with the regime of that time', async () => {
    const rows = await whole('/regime/BTC/history?from=2001-01-01');
    expect(rows).toHaveLength(731);
    expect(rows.at(-1)?.timestamp).toBe(NOW);
    const times = rows.map((row) => Date.parse(row.timestamp));
    for (const [index, at] of times.slice(1, -1).entries()) expect(at - (times[index] ?? 0)).toBe(DAY);
    expect(new Set(rows.map((row) => row.regime)).size).toBeGreaterThan(1);
    for (const row of rows.filter((_, index) => index % 60 === 0 || index > 725)) {
      const { regime, confidence } = await ask(`/regime/BTC?as_of=${row.timestamp}`);
      expect(row).toMatchObject({ symbol: 'BTC', regime, confidence });
    }
  });

  test('by hour: every whole hour, each with the regime of that time', async () => {
    const rows = await whole('/regime/SPY/history?from=2026-02-26T10:20:00Z&to=2026-03-01&granularity=hour');
    const first = Date.parse('2026-02-26T11:00:00Z');
    expect(rows.map((row) => Date.parse(row.timestamp))).toEqual(
      Array.from({ length: 62 }, (_, index) => first + index * HOUR),
    );
    for (const row of rows.filter((_, index) => index % 9 === 0)) {
      const { regime, confidence } = await ask(`/regime/SPY?as_of=${row.timestamp}`);
      expect(row).toMatchObject({ regime, confidence });
    }
    expect((await whole('/regime/SPY/history?from=2026-03-02&granularity=hour')).at(-1)?.timestamp).toBe(
      '2026-03-02T14:00:00.000Z',
    );
  });

  test("within a day each row has a confidence of its own, the one of its instant, also a year ago; at a close it is the close's", async () => {
    for (const [day, next] of [
      ['2026-02-27', '2026-02-28'],
      ['2025-03-05', '2025-03-06'],
    ]) {
      const rows = await whole(`/regime/BTC/history?from=${day}&to=${next}&granularity=hour`);
      expect(rows).toHaveLength(25);
      const confidences = rows.map(({ confidence }) => confidence);
      expect(confidences.every((one) => one !== null)).toBe(true);
      expect(new Set(confidences.slice(1, -1)).size).toBeGreaterThan(5);
      const closes = await whole(`/regime/BTC/history?from=${day}&to=${next}`);
      expect([rows.at(0), rows.at(-1)]).toEqual(closes.slice(0, 2));
    }
  });
});

test('by minute for the Institutional plan: every whole minute, each with the regime of that time', async () => {
  const own = await startSandbox({ symbols: 1, plans: { plan: 'institutional' } });
  try {
    const rows = await whole('/regime/BTC/history?from=2026-03-02T12:00:30Z&granularity=minute', own);
    const first = Date.parse('2026-03-02T12:01:00Z');
    expect(rows.map((row) => Date.parse(row.timestamp))).toEqual(
      Array.from({ length: 150 }, (_, index) => first + index * 60_000),
    );
    const { regime, confidence } = await ask('/regime/BTC', own);
    expect(rows.at(-1)).toMatchObject({ regime, confidence });
  } finally {
    await own.service.close();
  }
});

/** The flips that events tell since `from`, and those that the days of the history show. */
async function flipsOf(of: Sandbox, from: string): Promise<{ reported: string[]; turned: string[] }> {
  const reported = (await of.whole<EventEnvelope>('/events')).flatMap(({ event, timestamp, data }) =>
    event === 'regime.flip' && timestamp > from
      ? [`${timestamp} ${data.symbol} ${data.from_regime} ${data.to_regime}`]
      : [],
  );
  const turned: string[] = [];
  const signalled: string[] = (await of.get('/snapshot?limit=100')).body.data.map(
    ({ symbol }: { symbol: string }) => symbol,
  );
  for (const symbol of [...signalled, 'BTC', 'ETH', 'EURUSD', 'GBPUSD']) {
    const rows = await whole(`/regime/${symbol}/history?from=${from}`, of);
    for (const [index, row] of rows.slice(1).entries()) {
      const before = rows[index]?.regime;
      if (before !== row.regime) turned.push(`${row.timestamp} ${symbol} ${before} ${row.regime}`);
    }
  }
  return { reported: reported.sort(), turned: turned.sort() };
}

test('a flip is an event at the close that brought it, for symbols with a regime alone too', {
  tags: ['long'],
}, async () => {
  const fast = await startSandbox({ time: { start: SANDBOX_START, speed: 86_400 } });
  try {
    await fast.clock.advance(29_000);
    const { reported, turned } = await flipsOf(fast, '2026-03-03T00:00:00.000Z');
    expect(reported).toEqual(turned);
    expect(turned.some((line) => /BTC|ETH|USD/.test(line))).toBe(true);
  } finally {
    await fast.service.close();
  }
});

test('a triggered flip lasts from its instant on, and only for its time', async () => {
  const own = await startSandbox({ symbols: 1 });
  try {
    await own.clock.advance(1000);
    const before = await ask('/regime/BTC', own);
    const { data } = (await own.trigger('regime.flip', 'BTC')).body.data[0];
    const record = await ask('/regime/BTC', own);
    expect(record.regime).toBe(data.to_regime);
    expect(record.regime).not.toBe(before.regime);
    expect(Date.parse(record.since)).toBe(SANDBOX_START + 1000);
    expect((await ask(`/regime/BTC?as_of=${NOW}`, own)).regime).toBe(before.regime);
    await own.clock.advance(6 * 60_000);
    expect((await ask('/regime/BTC', own)).regime).toBe(before.regime);
    expect((await ask(`/regime/BTC?as_of=${record.since}`, own)).regime).toBe(record.regime);
  } finally {
    await own.service.close();
  }
});

test('the monitor shows the regime of symbols that have nothing else', async () => {
  const clock = createManualClock();
  const base = new URL('http://127.0.0.1:8787/');
  const client = createClient({
    base,
    key: SANDBOX_KEY,
    mode: 'api-key',
    peer: OWN_PEER,
    clock,
    fetch: async (url, init) => {
      const answer = await sandbox.get(url.slice(base.href.length - 1), Object.fromEntries(new Headers(init?.headers)));
      return new Response(answer.text, { status: answer.status });
    },
  });
  const rows = createRowTable();
  rows.keep(['SPY', 'BTC', 'ETH', 'EURUSD', 'GBPUSD', 'NOPE']);
  const context = createTestContext(clock);
  const round = new Promise<void>((resolve) => {
    context.events.subscribe({ signalsPolled: () => resolve() });
    createSignalPolling({
      vocabulary: CONTRACT_VOCABULARY,
      context,
      client,
      rows,
      mayAsk: () => true,
      slowed: () => 1,
    }).now();
  });
  await round;
  expect(rows.all().map(({ coverage }) => coverage)).toEqual([
    'full',
    'regime_only',
    'regime_only',
    'regime_only',
    'regime_only',
    'none',
  ]);
  for (const symbol of ['BTC', 'ETH', 'EURUSD', 'GBPUSD']) {
    const { regime, price, change_pct } = await ask(`/regime/${symbol}`);
    expect(rows.get(symbol)).toMatchObject({ regime, quote: { price, change_pct } });
    expect(price).toBeGreaterThan(0);
  }
});
