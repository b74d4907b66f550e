// Test: queries are cached across restarts; offline, the last good answer returns with its time.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { setUpCoreBench } from '../../../test/harness/core-bench.ts';
import { startNearReader } from '../../../test/harness/near-reader.ts';
import type { WireRequest } from '../../../test/harness/wire-service.ts';

const bench = setUpCoreBench();
const DAY = 86_400_000;
let isOff = false;
const iso = (ms: number): string => new Date(ms).toISOString();

/** Two pages of factors, one of regimes, and the other panels. */
function respond({ path, url }: WireRequest): Response | null {
  const query = url.searchParams;
  const now = bench.clock.now();
  if (path === '/factors' && query.has('from')) {
    const second = query.has('after');
    const data = [0, 1].map((index) => ({
      timestamp: iso(now - (second ? 1 : 3) * DAY + index * DAY),
      powers: { chaos: second ? 0.9 : 0.1 },
    }));
    return Response.json({ data, has_more: !second, next_cursor: second ? null : 'c1' });
  }
  if (path === '/factors') return Response.json({ timestamp: iso(now), powers: { chaos: 0.4 } });
  if (path === '/regime/SPY/history') {
    if (query.get('granularity') === 'minute')
      return Response.json({ code: 'plan_limit', message: 'no minutes' }, { status: 403 });
    return Response.json({
      data: [
        { timestamp: iso(now - DAY), regime: 'stress', confidence: 40 },
        { timestamp: iso(now), regime: 'calm' },
      ],
      has_more: false,
    });
  }
  if (path === '/regime/SPY') return Response.json({ symbol: 'SPY', regime: 'calm', confidence: 70 });
  if (path === '/api/validation/metrics')
    return Response.json({ computed_at: iso(now), symbols: [{ symbol: 'SPY', full: METRICS, holdout: METRICS }] });
  return null;
}
const METRICS = { recall: 0.5, precision: 0.3, f1: 0.4, n_signals: 10 };

beforeEach(() => {
  isOff = false;
  bench.service.fault = (request) => (isOff ? 'unreachable' : respond(request));
});
afterEach(() => {
  bench.service.fault = null;
});

const rig = () => bench.rig({ ports: { host: { archive: startNearReader } } });
type Core = ReturnType<typeof rig>['core'];
const read = async ({ handlers }: Core) => {
  const [from, to] = [iso(bench.clock.now() - 30 * DAY), iso(bench.clock.now() + DAY)];
  return {
    timeline: await handlers['timeline.read']({ symbol: 'SPY' }),
    sheet: await handlers['factors.read']({ symbol: 'SPY' }),
    factors: await handlers['factors.page']({ symbol: 'SPY', from, after: null }),
    days: await handlers['regime.page']({ symbol: 'SPY', granularity: 'day', from, to, after: null }),
    now: await handlers['regime.read']({ symbol: 'SPY' }),
    record: await handlers['validation.read']({}),
  };
};

describe('without the network', () => {
  test('after a restart: every answer as last received, with its time', async () => {
    const first = await bench.up({ ports: { host: { archive: startNearReader } } });
    const live = await read(first.core);
    for (const answer of Object.values(live)) expect(answer).not.toHaveProperty('cached_at');
    const next = live.factors.next;
    const rest = await first.core.handlers['factors.page']({ symbol: 'SPY', from: iso(0), after: next });
    const at = iso(bench.clock.now());
    await bench.down(first);

    isOff = true;
    const second = rig();
    await second.core.start();
    await bench.clock.advance(60_000);
    const cached = await read(second.core);
    expect(cached.timeline).toEqual({ ...live.timeline, cached_at: at });
    expect(cached.sheet).toEqual({ ...live.sheet, cached_at: at });
    expect(cached.days).toEqual({ ...live.days, cached_at: at });
    expect(cached.now).toEqual({ ...live.now, cached_at: at });
    expect(cached.record).toEqual({ ...live.record, cached_at: at });
    // Offline, one answer has all pages.
    const days = new Map([...live.factors.points, ...rest.points].map((point) => [point.at, point]));
    expect(cached.factors.points).toEqual([...days.values()].sort((a, b) => a.at.localeCompare(b.at)));
    expect(cached.factors.next).toBeNull();
    // Minutes are not stored: hours would replace them, and there are none.
    await expect(
      second.core.handlers['regime.page']({ symbol: 'SPY', granularity: 'minute', from: iso(0), to: at, after: null }),
    ).rejects.toThrow('not connected');
    await expect(second.core.handlers['factors.page']({ symbol: 'SPY', from: iso(0), after: 'c1' })).rejects.toThrow(
      'not connected',
    );
    await expect(second.core.handlers['factors.read']({ symbol: 'QQQ' })).rejects.toThrow('not connected');
  });

  test('after a restart: rows as they were, flagged as cached', async () => {
    const first = await bench.up({ ports: { host: { archive: startNearReader } } });
    const spy = async ({ handlers }: Core) =>
      (await handlers['state.snapshot']({})).rows.find(({ symbol }) => symbol === 'SPY');
    const live = await spy(first.core);
    expect(live).toMatchObject({ coverage: 'full', stale: false });
    await bench.down(first);

    isOff = true;
    const second = rig();
    await second.core.start();
    expect(await spy(second.core)).toEqual({ ...live, stale: true });
    await bench.clock.advance(60_000);
    expect(await spy(second.core)).toEqual({ ...live, stale: true });
    await bench.down(second);

    // New data replaces them.
    isOff = false;
    const third = await bench.up({ ports: { host: { archive: startNearReader } } });
    expect(await spy(third.core)).toMatchObject({ coverage: 'full', stale: false });
  });

  test('while the world’s time is unknown, the newest range replaces the requested one', async () => {
    bench.service.worldOffset = -3 * 365 * DAY;
    const first = await bench.up({ ports: { host: { archive: startNearReader } } });
    const live = await first.core.handlers['timeline.read']({ symbol: 'SPY' });
    await bench.down(first);
    isOff = true;
    const second = rig();
    await second.core.start();
    expect((await second.core.handlers['timeline.read']({ symbol: 'SPY' })).points).toEqual(live.points);
  });

  test('a symbol that the service does not cover is refused, also with cached answers', async () => {
    const up = await bench.up({ ports: { host: { archive: startNearReader } } });
    await up.core.handlers['factors.read']({ symbol: 'SPY' });
    bench.service.fault = ({ path }) =>
      path === '/factors' ? Response.json({ code: 'symbol_not_covered', message: 'no' }, { status: 404 }) : null;
    await expect(up.core.handlers['factors.read']({ symbol: 'SPY' })).rejects.toThrow('SPY is not covered');
  });
});
