// Test: queries, pages and series over the channel table.
import { act, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { RefusedError } from '../../shared/channels/channel.ts';
import type { Timeline } from '../../shared/channels/queries.ts';
import { message, plainMessage } from '../../shared/text/message.ts';
import { alert, connection, iso, row, snapshot, T0, transition } from '../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../test/harness/window-rig.tsx';
import { useChannelPages, useChannelQuery, useChannelSeries } from './use-channel-query.ts';

afterEach(() => {
  vi.useRealTimers();
});

const refused = (message: string) => new RefusedError({ code: 'failed', message: plainMessage(message) });
const offline = connection({ outage: { since: iso(T0), cause: plainMessage('The service is gone.') } });
const timeline = (symbol: string, price: number): Timeline => ({
  symbol,
  points: [{ at: iso(T0), price, state: 0, regime: null, confidence: null }],
  transitions: [],
});

describe('a query', () => {
  test('is read once for all components that show it', async () => {
    const rig = await createWindowRig({ handlers: { 'timeline.read': ({ symbol }) => timeline(symbol, 1) } });
    const both = () => [
      useChannelQuery('timeline.read', { symbol: 'SPY' }),
      useChannelQuery('timeline.read', { symbol: 'SPY' }),
    ];
    const { result } = rig.renderHook(both, null);
    await rig.idle();
    expect(result.current.map(({ data }) => data?.symbol)).toEqual(['SPY', 'SPY']);
    expect(rig.inputs('timeline.read')).toEqual([{ symbol: 'SPY' }]);
  });

  test('reads nothing without an input, nor when disabled', async () => {
    const rig = await createWindowRig();
    rig.renderHook(
      () => [
        useChannelQuery('timeline.read', null),
        useChannelQuery('timeline.read', { symbol: 'SPY' }, { enabled: false }),
      ],
      null,
    );
    await rig.idle();
    expect(rig.inputs('timeline.read')).toEqual([]);
  });

  test('a query that fails while the service starts counts as coming, and is answered by itself', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let isReady = false;
    const cause = message('service.starting', { progress: null });
    const rig = await createWindowRig({
      snapshot: snapshot({ connection: connection({ outage: { since: iso(T0), cause } }) }),
      handlers: {
        'timeline.read'({ symbol }) {
          if (!isReady) throw refused('Barograph is not connected.');
          return timeline(symbol, 1);
        },
      },
    });
    const { result } = rig.renderHook(() => {
      const { data, error, failureReason } = useChannelQuery('timeline.read', { symbol: 'SPY' });
      return { data, error, failureReason };
    }, null);
    await rig.idle();
    expect([result.current.error, result.current.failureReason?.message]).toEqual([
      null,
      'It comes by itself when the service has started.',
    ]);
    isReady = true;
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(result.current.data?.symbol).toBe('SPY');
  });

  test('keeps its result while it is read again, and when that fails; a reconnect reads it again', async () => {
    let price = 1;
    let isGone = false;
    const rig = await createWindowRig({
      handlers: {
        'regime.read': ({ symbol }) => {
          if (isGone) throw refused('503');
          return { symbol, regime: 'stress', since: null, confidence: price, probabilities: [] };
        },
      },
    });
    const { result } = rig.renderHook(() => {
      const { data, status, error, isError } = useChannelQuery('regime.read', { symbol: 'SPY' });
      return { data, status, error, isError };
    }, null);
    await rig.idle();
    expect(result.current.data?.confidence).toBe(1);
    isGone = true;
    await rig.pushChanges({ part: 'connection', connection: offline });
    await rig.pushChanges({ part: 'connection', connection: connection() });
    expect([result.current.status, result.current.error?.message, result.current.data?.confidence]).toEqual([
      'error',
      '503',
      1,
    ]);
    isGone = false;
    price = 2;
    await rig.advance(1499);
    expect(result.current.isError).toBe(true);
    await rig.advance(1);
    await rig.idle();
    expect([result.current.status, result.current.data?.confidence]).toEqual(['success', 2]);
  });

  test('retries once a call that failed while the connection came back', async () => {
    let isFirst = true;
    let fail: (error: Error) => void = () => undefined;
    const rig = await createWindowRig({
      handlers: {
        'timeline.read': ({ symbol }) => {
          if (!isFirst) return timeline(symbol, 2);
          isFirst = false;
          return new Promise((_resolve, reject) => (fail = reject));
        },
      },
    });
    const { indicators } = connection();
    const down = { ...indicators, verified: { ...indicators.verified, state: 'down' as const } };
    await rig.pushChanges({ part: 'connection', connection: connection({ indicators: down }) });
    const { result } = rig.renderHook(() => useChannelQuery('timeline.read', { symbol: 'SPY' }), null);
    await rig.idle();
    await rig.pushChanges({ part: 'connection', connection: connection() });
    fail(refused('Gone.'));
    await rig.idle();
    expect(result.current.data?.points[0]?.price).toBe(2);
    expect(rig.inputs('timeline.read')).toHaveLength(2);
  });

  test('that is unmounted is read on its next mount, not before', async () => {
    const rig = await createWindowRig({ handlers: { 'archive.search': () => ({ hits: [] }) } });
    const input = { text: 'fed', limit: 5 };
    const shown = rig.renderHook(() => useChannelQuery('archive.search', input), null);
    await rig.idle();
    shown.unmount();
    const { ledger } = snapshot();
    await rig.pushChanges({ part: 'ledger', ledger: { ...ledger, events: ledger.events + 1 } });
    expect(rig.inputs('archive.search')).toHaveLength(1);
    rig.renderHook(() => useChannelQuery('archive.search', input), null);
    await rig.idle();
    expect(rig.inputs('archive.search')).toHaveLength(2);
  });

  test('is read again when its version changes', async () => {
    const rig = await createWindowRig({ handlers: { 'timeline.read': ({ symbol }) => timeline(symbol, 1) } });
    const { rerender } = rig.renderHook(
      (version) => useChannelQuery('timeline.read', { symbol: 'SPY' }, { version }),
      1 as number,
    );
    await rig.idle();
    rerender(1);
    await rig.idle();
    expect(rig.inputs('timeline.read')).toHaveLength(1);
    rerender(2);
    await rig.idle();
    expect(rig.inputs('timeline.read')).toHaveLength(2);
  });

  test('waits until changes settle where its policy says so', async () => {
    const rig = await createWindowRig({ handlers: { 'timeline.read': ({ symbol }) => timeline(symbol, 1) } });
    rig.renderHook(() => useChannelQuery('timeline.read', { symbol: 'SPY' }), null);
    await rig.idle();
    const { ledger } = snapshot();
    for (const events of [1000, 2000, 3000]) {
      await rig.pushChanges({ part: 'ledger', ledger: { ...ledger, events } });
      await rig.advance(900);
    }
    expect(rig.inputs('timeline.read')).toHaveLength(1);
    await rig.advance(100);
    expect(rig.inputs('timeline.read')).toHaveLength(2);
  });

  test('is read once during an outage where nothing is known, and again when the service is back', async () => {
    const sheet = { at: iso(T0), factors: [], cached_at: iso(T0) };
    const rig = await createWindowRig({
      snapshot: snapshot({ connection: offline, rows: [row('SPY', 0)] }),
      handlers: { 'factors.read': ({ symbol }) => ({ symbol, ...sheet }) },
    });
    const { result } = rig.renderHook(() => useChannelQuery('factors.read', { symbol: 'SPY' }), null);
    await rig.idle();
    expect(result.current.data?.cached_at).toBe(iso(T0));
    await rig.pushChanges({ part: 'rows', rows: [row('SPY', 1)] });
    expect(rig.inputs('factors.read')).toHaveLength(1);
    await rig.pushChanges({ part: 'connection', connection: connection() });
    expect(rig.inputs('factors.read')).toHaveLength(2);
  });

  test('is polled while it is shown', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const rig = await createWindowRig();
    const { unmount } = rig.renderHook(() => useChannelQuery('connection.read', {}), null);
    await rig.idle();
    vi.advanceTimersByTime(10_000);
    await rig.idle();
    const polled = rig.inputs('connection.read').length;
    expect(polled).toBeGreaterThan(1);
    unmount();
    vi.advanceTimersByTime(20_000);
    await rig.idle();
    expect(rig.inputs('connection.read')).toHaveLength(polled);
  });

  test('made with once is not cached', async () => {
    const rig = await createWindowRig({ handlers: { 'relay.reveal': () => ({ url: 'https://secret.test' }) } });
    const { queries } = rig.services;
    expect(await queries.once('relay.reveal', {})).toEqual({ ok: true, value: { url: 'https://secret.test' } });
    expect(queries.client.getQueryCache().getAll()).toEqual([]);
  });
});

describe('pages', () => {
  const inboxRow = (id: number) => ({
    alert: alert(transition('SPY', 0, 2, T0 - id * 1000, `e${id}`), id),
    ended: null,
    changes: 1,
  });
  const next = (id: number) => ({ at: iso(T0 - id * 1000), ledger_id: id });

  async function inbox(most: number) {
    const rig = await createWindowRig({
      handlers: {
        'alerts.read': ({ before }) => {
          const id = (before?.ledger_id ?? 0) + 1;
          return { rows: [inboxRow(id)], next: id < 5 ? next(id) : null };
        },
      },
    });
    const hook = rig.renderHook(
      (count: number) =>
        useChannelPages(
          'alerts.read',
          { filter: 'all', symbol: null, limit: 1 },
          { wants: (pages) => pages.length < count },
        ),
      most,
    );
    await rig.idle();
    return { rig, ...hook };
  }

  test('are read one after the other as far as needed, and to the end where there is one', async () => {
    const { rig, result, rerender } = await inbox(2);
    await waitFor(() => expect(result.current.isDone).toBe(true));
    expect([result.current.pages.length, result.current.hasNextPage]).toEqual([2, true]);
    rerender(99);
    await waitFor(() => expect(result.current.hasNextPage).toBe(false));
    expect(rig.inputs('alerts.read').map((input) => (input as { before: unknown }).before)).toEqual([
      null,
      next(1),
      next(2),
      next(3),
      next(4),
    ]);
  });

  test('are read at most once a second in a storm of events, and stay until they are read again', async () => {
    const { rig, result } = await inbox(1);
    const storm = async (from: number): Promise<void> => {
      for (let id = from; id < from + 20; id += 1)
        await rig.pushChanges({
          part: 'alerts',
          alerts: [alert(transition('SPY', 0, 2, T0 + id, `s${id}`), 100 + id)],
        });
    };
    await storm(0);
    expect(rig.inputs('alerts.read')).toHaveLength(2);
    expect(result.current.pages).toHaveLength(1);
    await rig.advance(1000);
    expect(rig.inputs('alerts.read')).toHaveLength(3);
  });

  test('are read again from the first on after a change that came while a later page was read', async () => {
    const pending: (() => void)[] = [];
    const rig = await createWindowRig({
      handlers: {
        'alerts.read': ({ before }) => {
          const id = (before?.ledger_id ?? 0) + 1;
          return new Promise((resolve) =>
            pending.push(() => resolve({ rows: [inboxRow(id)], next: id < 2 ? next(id) : null })),
          );
        },
      },
    });
    const answer = async (): Promise<void> => {
      for (const resolve of pending.splice(0)) resolve();
      await rig.idle();
    };
    rig.renderHook(() => useChannelPages('alerts.read', { limit: 1 }, { wants: () => true }), null);
    await rig.idle();
    await answer();
    await rig.advance(10);
    await rig.pushChanges({ part: 'alerts', alerts: [alert(transition('SPY', 0, 2, T0, 'new'), 200)] });
    await rig.advance(10);
    await answer();
    expect(rig.inputs('alerts.read')).toHaveLength(2);
    await rig.advance(1000);
    expect(rig.inputs('alerts.read').at(-1)).toMatchObject({ before: null });
    expect(rig.inputs('alerts.read')).toHaveLength(3);
  });

  test('that fail show the error, and are read again on request', async () => {
    let isGone = true;
    const rig = await createWindowRig({
      handlers: {
        'alerts.read': () => {
          if (isGone) throw refused('The ledger is locked.');
          return { rows: [inboxRow(1)], next: null };
        },
      },
    });
    const { result } = rig.renderHook(() => useChannelPages('alerts.read', { limit: 1 }, { wants: () => true }), null);
    await rig.idle();
    expect(result.current.error?.message).toBe('The ledger is locked.');
    isGone = false;
    act(() => result.current.retry());
    await rig.idle();
    expect(result.current.pages).toHaveLength(1);
  });

  test('with a repeating cursor end', async () => {
    const rig = await createWindowRig({
      handlers: { 'alerts.read': () => ({ rows: [inboxRow(1)], next: next(1) }) },
    });
    const { result } = rig.renderHook(() => useChannelPages('alerts.read', { limit: 1 }, { wants: () => true }), null);
    await waitFor(() => expect(result.current.isDone).toBe(true));
    expect(rig.inputs('alerts.read')).toHaveLength(2);
  });
});

describe('a series', () => {
  const range = { from: iso(T0 - 3_600_000), to: iso(T0) };
  const page = (symbol: string, at: number, next: string | null) => ({
    symbol,
    granularity: 'hour' as const,
    points: [{ at: iso(at), regime: 'stress', confidence: null }],
    next,
  });

  test('continues in the granularity that the service returns', async () => {
    const rig = await createWindowRig({
      handlers: { 'regime.page': ({ symbol, after }) => page(symbol, T0, after === null ? 'c1' : null) },
    });
    const { result } = rig.renderHook(
      () => useChannelSeries('regime.page', { symbol: 'SPY', granularity: 'minute', ...range }, { subject: 'SPY' }),
      null,
    );
    await waitFor(() => expect(result.current.complete?.pages).toHaveLength(2));
    expect(rig.inputs('regime.page')).toEqual([
      { symbol: 'SPY', granularity: 'minute', ...range, after: null },
      { symbol: 'SPY', granularity: 'hour', ...range, after: 'c1' },
    ]);
  });

  test('stays until its replacement is complete; another subject shows nothing of it', async () => {
    const open: (() => void)[] = [];
    let holds = false;
    const rig = await createWindowRig({
      handlers: {
        'regime.page': async ({ symbol, from }) => {
          if (holds) await new Promise<void>((resolve) => open.push(resolve));
          return page(symbol, Date.parse(from), null);
        },
      },
    });
    const { result, rerender } = rig.renderHook(
      ({ symbol, from }: { symbol: string; from: string }) =>
        useChannelSeries('regime.page', { symbol, granularity: 'hour', ...range, from }, { subject: symbol }),
      { symbol: 'SPY', from: iso(T0 - 1000) },
    );
    const first = () => result.current.complete?.pages[0]?.points[0]?.at;
    await waitFor(() => expect(first()).toBe(iso(T0 - 1000)));
    holds = true;
    rerender({ symbol: 'SPY', from: iso(T0 - 2000) });
    await rig.idle();
    expect(first()).toBe(iso(T0 - 1000));
    for (const go of open.splice(0)) go();
    await waitFor(() => expect(first()).toBe(iso(T0 - 2000)));
    rerender({ symbol: 'QQQ', from: iso(T0 - 2000) });
    await rig.idle();
    expect(first()).toBeUndefined();
  });

  test('ends when it is stopped or unmounted, and continues when it is requested again', async () => {
    const open: (() => void)[] = [];
    const rig = await createWindowRig({
      handlers: {
        'regime.page': async ({ symbol, after }) => {
          await new Promise<void>((resolve) => open.push(resolve));
          return page(symbol, T0, after === null ? 'c1' : null);
        },
      },
    });
    const { result, unmount } = rig.renderHook(
      () => useChannelSeries('regime.page', { symbol: 'SPY', granularity: 'hour', ...range }, { subject: 'SPY' }),
      null,
    );
    await rig.idle();
    act(() => result.current.stop());
    await rig.idle();
    for (const go of open.splice(0)) go();
    await rig.idle();
    expect([result.current.isStopped, result.current.isFetching, rig.inputs('regime.page').length]).toEqual([
      true,
      false,
      1,
    ]);
    act(() => result.current.retry());
    await rig.idle();
    unmount();
    for (const go of open.splice(0)) go();
    await rig.idle();
    expect(rig.inputs('regime.page')).toHaveLength(2);
  });

  test('is not read while the service is offline', async () => {
    const rig = await createWindowRig({ snapshot: snapshot({ connection: offline }) });
    rig.renderHook(
      () => useChannelSeries('regime.page', { symbol: 'SPY', granularity: 'hour', ...range }, { subject: 'SPY' }),
      null,
    );
    await rig.idle();
    expect(rig.inputs('regime.page')).toEqual([]);
  });
});
