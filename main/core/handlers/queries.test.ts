// Test: the window's queries: factors, regimes, validation, against answers of any service.
import { describe, expect, test } from 'vitest';
import type { Client } from '../../../client/client.ts';
import { problem } from '../../../client/problem.ts';
import { createClock } from '../../../shared/lib/clock.ts';
import { err, ok } from '../../../shared/lib/result.ts';
import { createFactorReader } from './factors.ts';
import { createRegimeReader } from './regimes.ts';
import { createValidationReader } from './validation.ts';

type Answer = { body: unknown } | { kind: Parameters<typeof problem>[0]; message: string };
type ClientRequest = { name: string; query: Record<string, unknown> };

/** A client that gives these answers in order and repeats the last one. */
function clientOf(...answers: Answer[]) {
  const requests: ClientRequest[] = [];
  const next = (name: string, ask: unknown): Answer => {
    requests.push({ name, query: (ask as { query?: Record<string, unknown> } | undefined)?.query ?? {} });
    return (answers.length > 1 ? answers.shift() : answers[0]) as Answer;
  };
  const client = {
    async read(name: string, ask: unknown) {
      const answer = next(name, ask);
      return 'body' in answer
        ? ok({ value: answer.body, headers: new Headers(), took: 1 })
        : err(problem(answer.kind, answer.message));
    },
    async page(name: string, ask: unknown) {
      const answer = next(name, ask);
      if (!('body' in answer)) return err(problem(answer.kind, answer.message));
      const { rows, nextCursor } = answer.body as { rows: unknown[]; nextCursor: string | null };
      return ok({ rows, nextCursor, hasMore: nextCursor !== null, took: 1 });
    },
  };
  return { client: client as unknown as Client, requests };
}
const yes = (): boolean => true;
const NOW = Date.parse('2026-11-19T19:37:08.000Z');

describe('factors', () => {
  test('the current powers, all twelve, with their share of the risk', async () => {
    const { client } = clientOf({
      body: { timestamp: '2026-11-19T19:37:00Z', factors: [{ code: 'D-03', power: 0.94, contribution: 0.22 }] },
    });
    const sheet = await createFactorReader({ client, mayAsk: yes, now: () => NOW }).read('SPY');
    expect(sheet.at).toBe('2026-11-19T19:37:00.000Z');
    expect(sheet.factors).toHaveLength(12);
    expect(sheet.factors[2]).toEqual({ code: 'D-03', name: 'Volatility', power: 0.94, contribution: 0.22 });
    expect(sheet.factors[0]?.power).toBeNull();
  });

  test('a service without /factors is asked for /dimensions alone', async () => {
    const { client, requests } = clientOf(
      { kind: 'not_found', message: 'no such route' },
      { body: { powers: { chaos: 0.5 } } },
    );
    const sheet = await createFactorReader({ client, mayAsk: yes, now: () => NOW }).read('SPY');
    expect(requests.map(({ name }) => name)).toEqual(['factors', 'archetypes']);
    expect([sheet.factors[11]?.power, sheet.at]).toEqual([0.5, new Date(NOW).toISOString()]);
  });

  test('history comes page by page, without unreadable rows', async () => {
    const rows = [{ timestamp: '2026-11-18', powers: { chaos: 0.1 } }, { nothing: 1 }];
    const { client, requests } = clientOf({ body: { data: rows, has_more: true, next_cursor: 'c1' } });
    const { page } = createFactorReader({ client, mayAsk: yes, now: () => NOW });
    const first = await page({ symbol: 'SPY', from: '2024-11-19T00:00:00.000Z', after: 'c0' });
    expect(first.points.map((point) => [point.at, point.powers['D-12'], point.powers['D-01']])).toEqual([
      ['2026-11-18T00:00:00.000Z', 0.1, null],
    ]);
    expect([first.next, requests[0]?.query.after]).toEqual(['c1', 'c0']);
  });

  test('the reason for an empty result, as text', async () => {
    const { client } = clientOf({ kind: 'not_covered', message: 'outside' });
    await expect(createFactorReader({ client, mayAsk: yes, now: () => NOW }).read('BTC')).rejects.toThrow(
      'BTC is not covered',
    );
    await expect(createFactorReader({ client, mayAsk: () => false, now: () => NOW }).read('SPY')).rejects.toThrow(
      'is not connected',
    );
    // The service lacks this endpoint, and may have the symbol.
    const without = clientOf({ kind: 'not_found', message: 'no route' });
    await expect(
      createFactorReader({ client: without.client, mayAsk: yes, now: () => NOW }).read('SPY'),
    ).rejects.toThrow('This service has no such data.');
    const odd = clientOf({ body: 'hello' });
    await expect(createFactorReader({ client: odd.client, mayAsk: yes, now: () => NOW }).read('SPY')).rejects.toThrow(
      'not understood',
    );
  });
});

describe('regimes', () => {
  const ask = {
    symbol: 'SPY',
    granularity: 'minute',
    from: '2026-11-18T00:00:00.000Z',
    to: '2026-11-19T00:00:00.000Z',
    after: null,
  } as const;

  test.each(['forbidden', 'bad_request'] as const)(
    'where minutes are refused as %s, hours are read and named',
    async (kind) => {
      const rows = [{ timestamp: '2026-11-18T01:00:00Z', regime: 'stress', confidence: 71 }, { timestamp: null }];
      const { client, requests } = clientOf({ kind, message: 'plan' }, { body: { rows, nextCursor: 'c1' } });
      const page = await createRegimeReader(client, yes).page(ask);
      expect(requests.map(({ query }) => query.granularity)).toEqual(['minute', 'hour']);
      expect(page).toEqual({
        symbol: 'SPY',
        granularity: 'hour',
        points: [{ at: '2026-11-18T01:00:00.000Z', regime: 'stress', confidence: 71 }],
        next: 'c1',
      });
    },
  );

  test('days served instead of hours are called days', async () => {
    const rows = ['16', '17', '18'].map((day) => ({ timestamp: `2026-11-${day}T21:00:00Z`, regime: 'stress' }));
    const { client } = clientOf({ body: { rows, nextCursor: null } });
    expect((await createRegimeReader(client, yes).page({ ...ask, granularity: 'hour' })).granularity).toBe('day');
  });

  test('a refusal of hours is shown', async () => {
    const { client } = clientOf({ kind: 'forbidden', message: 'not on your plan' });
    await expect(createRegimeReader(client, yes).page({ ...ask, granularity: 'hour' })).rejects.toThrow(
      'not on your plan',
    );
  });
});

describe('the current regime', () => {
  test('as of an instant is asked for that instant', async () => {
    const body = { symbol: 'SPY', regime: 'stress', as_of: '2026-11-03T21:00:00Z' };
    const { client, requests } = clientOf({ body });
    await createRegimeReader(client, yes).read('SPY', '2026-11-03T21:00:00.000Z');
    expect(requests.map(({ query }) => query)).toEqual([{ as_of: '2026-11-03T21:00:00.000Z' }]);
  });

  test('as of an instant is not known from a service that answers with another one', async () => {
    for (const more of [{}, { as_of: '2026-11-19T19:37:08Z' }]) {
      const { client } = clientOf({ body: { symbol: 'SPY', regime: 'stress', ...more } });
      await expect(createRegimeReader(client, yes).read('SPY', '2026-11-03T21:00:00.000Z')).rejects.toThrow(
        'has no such data',
      );
    }
  });

  test('includes the model’s probabilities, likeliest first, without invalid ones', async () => {
    const probabilities = { calm_uptrend: 0.2, stress: 0.7, volatile_uptrend: 2, calm_downtrend: -0.1, odd: 'x' };
    const { client } = clientOf({
      body: {
        ...{ symbol: 'SPY', regime: 'stress', confidence: 70.6, probabilities },
        ...{ since: '2026-11-18T14:30:00Z', decided_at: '2026-11-19T00:00:00Z' },
      },
    });
    expect(await createRegimeReader(client, yes).read('SPY')).toEqual({
      symbol: 'SPY',
      regime: 'stress',
      since: '2026-11-18T14:30:00.000Z',
      confidence: 70.6,
      decidedAt: '2026-11-19T00:00:00.000Z',
      candidate: null,
      probabilities: [
        { regime: 'stress', probability: 0.7 },
        { regime: 'calm_uptrend', probability: 0.2 },
      ],
    });
  });

  test('has the candidate that the service names, or the likelier regime of a service that names none', async () => {
    const probabilities = { calm_uptrend: 0.018, volatile_downtrend: 0.506 };
    const body = { regime: 'calm_uptrend', confidence: 82.9, probabilities: { calm_uptrend: 0.829 } };
    const candidate = { regime: 'volatile_downtrend', confidence: 50.6, closes_needed: 3, waits_for: 'closes' };
    const named = clientOf({ body: { ...body, candidate } }).client;
    expect((await createRegimeReader(named, yes).read('SPY')).candidate).toEqual({
      regime: 'volatile_downtrend',
      confidence: 50.6,
      closesNeeded: 3,
      waitsFor: 'closes',
    });
    const odd = clientOf({
      body: { ...body, candidate: { ...candidate, closes_needed: -1, waits_for: 'luck' } },
    }).client;
    expect((await createRegimeReader(odd, yes).read('SPY')).candidate).toMatchObject({
      closesNeeded: null,
      waitsFor: null,
    });
    const foreign = clientOf({ body: { ...body, probabilities } }).client;
    expect((await createRegimeReader(foreign, yes).read('SPY')).candidate).toEqual({
      regime: 'volatile_downtrend',
      confidence: 50.6,
      closesNeeded: null,
      waitsFor: null,
    });
  });

  test('the present regime may be all that the service gives', async () => {
    const { client } = clientOf({ body: { regime: 'sideways' } });
    expect(await createRegimeReader(client, yes).read('SPY')).toMatchObject({
      regime: 'sideways',
      since: null,
      confidence: null,
      probabilities: [],
    });
  });

  test('is refused with a message', async () => {
    await expect(createRegimeReader(clientOf({ body: [] }).client, yes).read('SPY')).rejects.toThrow('not understood');
    await expect(createRegimeReader(clientOf({ body: {} }).client, () => false).read('SPY')).rejects.toThrow(
      'is not connected',
    );
  });
});

describe('validation', () => {
  const metrics = { recall: 0.875, precision: 0.381, f1: 0.53, n_signals: 21 };
  const body = {
    computed_at: '2026-11-19T00:00:00Z',
    symbols: [{ symbol: 'spy', full: metrics, holdout: { ...metrics, events: 8 } }, { symbol: 'QQQ' }],
    provenance: { notes: 'n', model_version: 'm', windows: [{ symbol: 'spy', holdout_from: '2022-02-01' }] },
  };

  test('is read once for concurrent calls, and cached for a quarter of an hour', async () => {
    let now = NOW;
    const clock = createClock({ now: () => now, setTimeout: () => 0, clearTimeout: () => undefined });
    const { client, requests } = clientOf({ kind: 'timeout', message: 'late' }, { body });
    const read = createValidationReader({ client, mayAsk: yes, clock });
    const [first, second] = await Promise.all([read(), read()]);
    expect(first).toBe(second);
    expect(first.symbols).toEqual([
      {
        symbol: 'SPY',
        full: { ...metrics, events: null, calls: null },
        holdout: { ...metrics, events: 8, calls: null },
        holdout_from: '2022-02-01',
      },
    ]);
    await read();
    expect(requests).toHaveLength(2);
    now += 15 * 60_000;
    await read();
    expect(requests).toHaveLength(3);
  });

  test('while the service computes the record, a window reads how far it is, with the time left', async () => {
    const clock = createClock({ now: () => NOW, setTimeout: () => 0, clearTimeout: () => undefined });
    const progress = { what: 'scoring', done: 0.45, total: 1, left: 30_000 } as const;
    const refusal = { ...problem('unavailable', 'later'), retryAfter: 5_000 };
    const refusals = [refusal, { ...refusal, progress }];
    const client = { read: async () => err(refusals.shift() ?? refusal) };
    const read = createValidationReader({ client, mayAsk: yes, clock });
    await expect(read()).rejects.toThrow(/the service is computing it\. It comes by itself\.$/);
    await expect(read()).rejects.toThrow(/It comes by itself\. Scoring the signals: 45\u00a0%, 30\u00a0s left\.$/);
  });

  test('alerts within the day have rows and windows of their own; invalid figures are left out', async () => {
    const clock = createClock({ now: () => NOW, setTimeout: () => 0, clearTimeout: () => undefined });
    const live = {
      symbols: [{ symbol: 'spy', full: metrics, holdout: metrics }, { symbol: 'QQQ' }],
      windows: [{ symbol: 'spy', from: '2007-01-03', holdout_from: '2016-12-20', to: '2021-03-31' }],
      pooled: 'none',
      notes: 'replayed',
    };
    const { client } = clientOf({ body: { ...body, live } });
    const record = await createValidationReader({ client, mayAsk: yes, clock })();
    const own = { ...metrics, events: null, calls: null };
    expect(record.live).toEqual({
      symbols: [{ symbol: 'SPY', full: own, holdout: own, holdout_from: '2016-12-20' }],
      windows: [{ symbol: 'SPY', from: '2007-01-03', to: '2021-03-31' }],
      pooled: null,
      notes: 'replayed',
    });
    const without = clientOf({ body: { ...body, live: null } }).client;
    expect((await createValidationReader({ client: without, mayAsk: yes, clock })()).live).toBeNull();
  });

  test('a failure is shown and not cached', async () => {
    const clock = createClock({ now: () => NOW, setTimeout: () => 0, clearTimeout: () => undefined });
    const { client } = clientOf({ kind: 'server', message: 'It failed.' }, { body });
    const read = createValidationReader({ client, mayAsk: yes, clock });
    await expect(read()).rejects.toThrow('It failed.');
    expect((await read()).model_version).toBe('m');
  });
});
