// Test: the calls that a window makes to a core.
import { describe, expect, test } from 'vitest';
import { notificationIds, setUpCoreBench, shownIds } from '../../../test/harness/core-bench.ts';
import { WIRE_REGIMES } from '../../../test/harness/wire-service.ts';

const bench = setUpCoreBench();

describe('calls', () => {
  test('timeline: history of the service, transitions of ledger and service, each once', async () => {
    const rig = await bench.up();
    const event = bench.service.emit('SPY', 2);
    await bench.clock.advance(200);
    const timeline = await rig.core.handlers['timeline.read']({ symbol: 'SPY' });
    expect(timeline.points).toHaveLength(1);
    expect(timeline.transitions.map((one) => one.event_id)).toEqual([event.event_id]);
    await expect(async () => rig.core.handlers['timeline.read']({ symbol: 'NOPE' })).rejects.toThrow(
      'NOPE is not covered',
    );
  });

  test('timeline: ranges without prices, without unreadable ones', async () => {
    const rig = await bench.up();
    const hole = { kind: 'gap', from: '2026-02-27T21:00:00Z', to: null, reason: 'two sessions are missing' };
    bench.service.fault = ({ path }) =>
      path === '/history'
        ? Response.json({ data: [], price_holes: [hole, { ...hole, from: 'long ago' }, 7], has_more: false })
        : null;
    const { holes } = await rig.core.handlers['timeline.read']({ symbol: 'SPY' });
    expect(holes).toEqual([{ from: '2026-02-27T21:00:00.000Z', to: null, reason: 'two sessions are missing' }]);
  });

  test('timeline: a service that does not answer is not shown as one without history, even with known transitions', async () => {
    const rig = await bench.up();
    bench.service.emit('SPY', 2);
    await bench.clock.advance(200);
    bench.service.fault = (request) => (request.path === '/history' ? 'unreachable' : null);
    await expect(async () => rig.core.handlers['timeline.read']({ symbol: 'SPY' })).rejects.toThrow(
      'The history of SPY cannot be shown',
    );
  });

  test('timeline: a transition listed under another id appears once; those of other symbols do not appear', async () => {
    const rig = await bench.up();
    const event = bench.service.emit('SPY', 2);
    await bench.clock.advance(200);
    const [own] = (await rig.core.handlers['timeline.read']({ symbol: 'SPY' })).transitions;
    const data = [
      {
        ...own,
        event_id: 'evt_of_the_day_before',
        to_state: 1,
        state_name: 'elevated',
        occurred_at: '2026-03-01T14:30:00.000Z',
      },
      { ...own, event_id: 'evt_of_the_same' },
      { ...own, event_id: 'evt_of_another', symbol: 'QQQ', occurred_at: '2026-03-01T15:30:00.000Z' },
    ];
    bench.service.fault = ({ path }) =>
      path === '/alert-transitions' ? Response.json({ data, has_more: false, next_cursor: null }) : null;
    const timeline = await rig.core.handlers['timeline.read']({ symbol: 'SPY' });
    expect(timeline.transitions.map((one) => one.event_id)).toEqual(['evt_of_the_day_before', event.event_id]);
  });

  test('timelines: one list of transitions for all symbols; a symbol without a history is left out', async () => {
    const rig = await bench.up();
    const event = bench.service.emit('QQQ', 2);
    await bench.clock.advance(200);
    const asked = bench.service.requests.length;
    const { timelines } = await rig.core.handlers['timelines.read']({ symbols: ['SPY', 'NOPE', 'QQQ'] });
    expect(timelines.map(({ symbol, transitions }) => [symbol, transitions.map((one) => one.event_id)])).toEqual([
      ['SPY', []],
      ['QQQ', [event.event_id]],
    ]);
    const paths = bench.service.requests.slice(asked).map(({ path }) => path);
    expect(paths.toSorted()).toEqual(['/alert-transitions', '/history', '/history', '/history']);
    await expect(async () => rig.core.handlers['timelines.read']({ symbols: ['NOPE'] })).rejects.toThrow(
      'NOPE is not covered',
    );
  });

  test('watchlists: an added symbol is watched at once', async () => {
    const rig = await bench.up();
    const mine = { id: 'mine', name: 'Mine', sections: [{ name: 'A', symbols: ['ZZZ'] }] };
    await rig.core.handlers['watchlist.save']({ watchlists: [...rig.snapshot().watchlists, mine] });
    await rig.core.handlers['watchlist.select']({ symbol: 'ZZZ' });
    await bench.clock.advance(200);
    const snapshot = rig.snapshot();
    expect(snapshot.selected).toBe('ZZZ');
    expect(snapshot.rows.find((row) => row.symbol === 'ZZZ')?.coverage).toBe('full');
    const event = bench.service.emit('ZZZ', 2);
    await bench.clock.advance(200);
    expect(shownIds(rig)).toEqual(notificationIds(event));
  });

  test('watchlists: in windows a symbol that is no longer followed is unknown', async () => {
    const rig = await bench.up();
    await rig.core.handlers['watchlist.select']({ symbol: 'ZZZ' });
    bench.service.emit('ZZZ', 1);
    await bench.clock.advance(3_000);
    const shown = () =>
      rig.pushes
        .flatMap(({ changes }) => changes.flatMap((change) => (change.part === 'rows' ? change.rows : [])))
        .findLast(({ symbol }) => symbol === 'ZZZ');
    expect(shown()).toMatchObject({ coverage: 'full', signal: { state: 1 } });
    for (const symbol of ['AAA', 'BBB', 'CCC', 'DDD']) await rig.core.handlers['watchlist.select']({ symbol });
    await bench.clock.advance(200);
    expect(rig.snapshot().rows.map(({ symbol }) => symbol)).not.toContain('ZZZ');
    expect(shown()).toMatchObject({ coverage: 'unknown', signal: null });
  });

  test('coverage: full, regime only, none', async () => {
    const rig = await bench.up();
    await bench.clock.advance(10_000);
    const coverage = Object.fromEntries(rig.snapshot().rows.map((row) => [row.symbol, row.coverage]));
    expect(coverage).toMatchObject({ SPY: 'full', BTC: 'regime_only', EURUSD: 'regime_only', TLT: 'none' });
    for (const [symbol, regime] of WIRE_REGIMES) {
      expect(rig.snapshot().rows.find((row) => row.symbol === symbol)).toMatchObject({
        coverage: 'regime_only',
        regime,
        signal: null,
      });
    }
  });

  test('regimes are requested rarely, and again at once after a failure', async () => {
    bench.service.fault = ({ path }) => (path === '/regime/BTC' ? 'unreachable' : null);
    const rig = await bench.up();
    const requestCount = (symbol: string): number =>
      bench.service.requests.filter(({ path }) => path === `/regime/${symbol}`).length;
    const rowOf = (symbol: string) => rig.snapshot().rows.find((row) => row.symbol === symbol);
    await bench.clock.advance(20_000);
    expect(rowOf('BTC')?.coverage).toBe('unknown');
    bench.service.fault = null;
    await bench.clock.advance(20_000);
    expect(rowOf('BTC')).toMatchObject({ coverage: 'regime_only', regime: 'calm_uptrend' });
    const [eth, tlt] = [requestCount('ETH'), requestCount('TLT')];
    await bench.clock.advance(60_000);
    expect([requestCount('ETH') - eth, requestCount('TLT'), tlt]).toEqual([6, 1, 1]);
  });
});
