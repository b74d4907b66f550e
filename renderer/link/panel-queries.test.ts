import { describe, expect, it } from 'vitest';
import type { Channels } from '../../shared/channels/channels.ts';
import type { Window } from '../../shared/channels/ends.ts';
import { T0 } from '../../test/fixtures/window-fixtures.ts';
import type { StoreAction } from '../store/reduce.ts';
import { createPanelQueries } from './panel-queries.ts';

const DAY = 86_400_000;
const RANGE = { from: T0 - 4 * DAY, to: T0 };

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

function rig() {
  const requests: {
    name: string;
    input: Record<string, unknown>;
    answer: (value: unknown) => void;
    refuse: (why: Error) => void;
  }[] = [];
  const actions: StoreAction[] = [];
  const window = {
    call: (name: string, input: Record<string, unknown>) =>
      new Promise((answer, refuse) => {
        requests.push({ name, input, answer, refuse });
      }),
  } as unknown as Window<Channels>;
  const regimes = (granularity: string, at: number, next: string | null) => ({
    symbol: 'SPY',
    granularity,
    points: [{ at: new Date(at).toISOString(), regime: 'stress', confidence: null }],
    next,
  });
  return { requests, actions, regimes, queries: createPanelQueries(window, (each) => actions.push(each)) };
}

describe('long readings', () => {
  it('say how far they are, and go on in the granularity that the service gives', async () => {
    const { requests, actions, regimes, queries } = rig();
    queries.regimes('SPY', 'minute', RANGE);
    requests[0]?.answer(regimes('hour', T0 - 3 * DAY, 'c1'));
    await settle();
    expect(actions.map((each) => ('progress' in each ? each.progress : null))).toEqual([0, 0.25]);
    expect(requests[1]?.input).toMatchObject({ granularity: 'hour', after: 'c1' });
    requests[1]?.answer(regimes('hour', T0, null));
    await settle();
    expect(actions.at(-1)).toMatchObject({
      kind: 'query.succeeded',
      query: 'regimes',
      value: { requested: 'minute', granularity: 'hour' },
    });
    expect(actions.at(-1)).toHaveProperty('value.points.length', 2);
  });

  it('end when another one of their kind begins, or when they are stopped', async () => {
    const { requests, actions, regimes, queries } = rig();
    queries.regimes('SPY', 'hour', RANGE);
    queries.regimes('QQQ', 'hour', RANGE);
    requests[0]?.answer(regimes('hour', T0, null));
    await settle();
    expect(actions.filter((each) => each.kind === 'query.succeeded')).toEqual([]);
    queries.stop('regimes');
    expect(actions.at(-1)).toMatchObject({ kind: 'query.failed', key: 'QQQ hour' });
    requests[1]?.answer(regimes('hour', T0, 'c1'));
    await settle();
    expect(requests).toHaveLength(2);
  });

  it('do not follow a cursor that comes again', async () => {
    const { requests, actions, regimes, queries } = rig();
    queries.regimes('SPY', 'hour', RANGE);
    for (let page = 0; page < 3; page += 1) {
      requests[page]?.answer(regimes('hour', T0, 'same'));
      await settle();
    }
    expect(requests).toHaveLength(2);
    expect(actions.at(-1)?.kind).toBe('query.succeeded');
  });

  it('say when they were received, where they come from the archive of this computer', async () => {
    const { requests, actions, regimes, queries } = rig();
    const cached_at = new Date(T0 - DAY).toISOString();
    queries.regimes('SPY', 'hour', RANGE);
    requests[0]?.answer({ ...regimes('hour', T0, null), cached_at });
    await settle();
    expect(actions.at(-1)).toMatchObject({ kind: 'query.succeeded', query: 'regimes', value: { cachedAt: cached_at } });
  });

  it('say why they failed', async () => {
    const { requests, actions, queries } = rig();
    queries.history('SPY', RANGE, 'first');
    requests[0]?.refuse(new Error('The service answered 503.'));
    await settle();
    expect(actions.at(-1)).toEqual({
      kind: 'query.failed',
      query: 'histories',
      key: 'SPY',
      message: 'The service answered 503.',
    });
  });
});

it('the answer of an earlier symbol does not end the reading of a later one', async () => {
  const { requests, actions, queries } = rig();
  queries.factors('SPY');
  queries.factors('QQQ');
  requests[0]?.answer({ symbol: 'SPY', at: new Date(T0).toISOString(), factors: [] });
  await settle();
  expect(actions.filter((each) => each.kind === 'query.succeeded')).toEqual([]);
  requests[1]?.answer({ symbol: 'QQQ', at: new Date(T0).toISOString(), factors: [] });
  await settle();
  expect(actions.at(-1)).toMatchObject({ kind: 'query.succeeded', query: 'factors', key: 'QQQ' });
});
