// Contract: GET /factors and GET /api/archetypes/current, now and over two years.
// They answer with the twelve dimensions.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FACTOR_CODES, FACTOR_DIMENSIONS } from '../../shared/domain/factors.ts';
import type { FactorPoint } from '../../shared/wire/factors.ts';
import { SANDBOX_START, type Sandbox, startSandbox } from '../harness/sandbox.ts';

const DAY = 86_400_000;
const NOW = new Date(SANDBOX_START).toISOString();
const NAMES = FACTOR_DIMENSIONS.map(({ key }) => key);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.service.close());

const whole = (url: string): Promise<FactorPoint[]> => sandbox.whole(url);

test.each([
  ['/factors?symbol=NOPE', 404, 'symbol_not_covered'],
  ['/factors?symbol=BTC', 404, 'symbol_not_covered'],
  ['/factors?symbol=VIX', 404, 'symbol_not_covered'],
  ['/factors?symbol=', 400, 'invalid_request'],
  ['/factors?symbol=S%20P', 400, 'invalid_request'],
  ['/factors?symbol=SPY&symbol=QQQ', 400, 'invalid_request'],
  ['/factors?from=2026-02-01T0:00', 400, 'invalid_request'],
  ['/factors?to=tomorrow', 400, 'invalid_request'],
  ['/factors?from=2026-02-02&to=2026-02-01', 400, 'invalid_request'],
  ['/factors?limit=101', 400, 'invalid_request'],
  ['/factors?symbol=BTC&from=2026-02-01', 404, 'symbol_not_covered'],
  ['/api/archetypes/current?symbol=NOPE', 400, 'INVALID_SYMBOL'],
  ['/api/archetypes/current?symbol=BTC', 400, 'INVALID_SYMBOL'],
  ['/api/archetypes/current?symbol=VIX', 400, 'INVALID_SYMBOL'],
  ['/api/archetypes/current?symbol=', 400, 'INVALID_SYMBOL'],
  ['/api/archetypes/current?symbol=S%20P', 400, 'INVALID_SYMBOL'],
  ['/api/archetypes/current?symbol=ABCDEFGHIJKLMNOP', 400, 'INVALID_SYMBOL'],
  ['/api/archetypes/current?symbol=SPY&symbol=QQQ', 400, 'INVALID_SYMBOL'],
  ['/api/archetypes', 404, 'not_found'],
])('%s is %i %s', async (url, status, code) => {
  const answer = await sandbox.get(url);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
});

describe('/factors without a range', () => {
  test.each(['SPY', 'QQQ', 'IWM'])(
    'of %s: twelve rows in D-order, contributions that sum to one, exposures by code',
    async (symbol) => {
      const { body } = await sandbox.get(`/factors?symbol=${symbol.toLowerCase()}`);
      expect(Object.keys(body)).toEqual([
        'symbol',
        'timestamp',
        'state',
        'factors',
        'exposures',
        'data_health',
        'data_age_seconds',
      ]);
      expect(body).toMatchObject({
        symbol,
        timestamp: NOW,
        state: (await sandbox.get(`/signal?symbol=${symbol}`)).body.state,
      });
      expect(body.factors.map((row: { code: string }) => row.code)).toEqual([...FACTOR_CODES]);
      const shares = body.factors.map((row: { contribution: number | null }) => Math.abs(row.contribution ?? 0));
      expect(shares.reduce((sum: number, share: number) => sum + share, 0)).toBeCloseTo(1, 4);
      expect(Object.keys(body.exposures)).toEqual([...FACTOR_CODES]);
    },
  );

  test('SPY is asked for by default; it is exposed to itself by one', async () => {
    const { body } = await sandbox.get('/factors?limit=3&colour=blue');
    expect(body).toEqual((await sandbox.get('/factors?symbol=SPY')).body);
    const betas = Object.values(body.exposures).filter((beta) => beta !== null);
    expect(betas.length).toBeGreaterThan(6);
    for (const beta of betas) expect(beta).toBeCloseTo(1, 5);
    const others = Object.values((await sandbox.get('/factors?symbol=QQQ')).body.exposures).filter(
      (beta) => beta !== null && beta !== 1,
    );
    expect(others.length).toBeGreaterThan(6);
  });
});

describe('/factors with a range', () => {
  test('two years, oldest first, a row per close and the forming day, all twelve names on each', async () => {
    const rows = await whole('/factors?symbol=QQQ&from=2001-01-01');
    expect(rows).toHaveLength(731);
    expect(Date.parse(rows[0]?.timestamp ?? '')).toBeGreaterThanOrEqual(SANDBOX_START - 730 * DAY);
    for (const [index, row] of rows.entries()) {
      expect(row.symbol).toBe('QQQ');
      expect(Object.keys(row.powers)).toEqual(NAMES);
      expect(Object.values(row.powers).filter((power) => power !== null).length).toBeGreaterThan(6);
      if (index > 0) expect(row.timestamp > (rows[index - 1]?.timestamp ?? '')).toBe(true);
    }
    const present = (await sandbox.get('/api/archetypes/current?symbol=QQQ')).body;
    expect(rows.at(-1)).toEqual({ symbol: 'QQQ', timestamp: present.timestamp, powers: present.powers });
  });
});

describe('/api/archetypes/current', () => {
  test('powers by name, and the same powers as rows in D-order', async () => {
    const { body } = await sandbox.get('/api/archetypes/current');
    expect(Object.keys(body)).toEqual([
      'symbol',
      'timestamp',
      'powers',
      'dimensions',
      'data_health',
      'data_age_seconds',
    ]);
    expect(body).toMatchObject({ symbol: 'SPY', timestamp: NOW });
    expect(Object.keys(body.powers)).toEqual(NAMES);
    expect(body.powers).toHaveProperty('risk premium');
    for (const [index, row] of body.dimensions.entries()) {
      const { code, name, key, description, domain, icon, color } = FACTOR_DIMENSIONS[index] ?? { code: '', key: '' };
      expect(row).toEqual({ code, name, power: body.powers[key], description, domain, icon, color });
    }
    const { factors } = (await sandbox.get('/factors')).body;
    expect(factors.map(({ contribution: _, ...row }: { contribution: number }) => row)).toEqual(body.dimensions);
  });
});
