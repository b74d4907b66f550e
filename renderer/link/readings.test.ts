import { describe, expect, it } from 'vitest';
import type { Channels } from '../../shared/channels/channels.ts';
import type { Window } from '../../shared/channels/ends.ts';
import { T0 } from '../../test/fixtures/window-parts.ts';
import type { Heard } from '../store/reduce.ts';
import { createReadings } from './readings.ts';

const DAY = 86_400_000;
const STRETCH = { from: T0 - 4 * DAY, to: T0 };

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

function rig() {
  const asked: {
    name: string;
    input: Record<string, unknown>;
    answer: (value: unknown) => void;
    refuse: (why: Error) => void;
  }[] = [];
  const heard: Heard[] = [];
  const window = {
    call: (name: string, input: Record<string, unknown>) =>
      new Promise((answer, refuse) => {
        asked.push({ name, input, answer, refuse });
      }),
  } as unknown as Window<Channels>;
  const regimes = (granularity: string, at: number, next: string | null) => ({
    symbol: 'SPY',
    granularity,
    points: [{ at: new Date(at).toISOString(), regime: 'stress', confidence: null }],
    next,
  });
  return { asked, heard, regimes, readings: createReadings(window, (each) => heard.push(each)) };
}

describe('long readings', () => {
  it('say how far they are, and go on in the granularity that the service gives', async () => {
    const { asked, heard, regimes, readings } = rig();
    readings.regimes('SPY', 'minute', STRETCH);
    asked[0]?.answer(regimes('hour', T0 - 3 * DAY, 'c1'));
    await settle();
    expect(heard.map((each) => ('progress' in each ? each.progress : null))).toEqual([0, 0.25]);
    expect(asked[1]?.input).toMatchObject({ granularity: 'hour', after: 'c1' });
    asked[1]?.answer(regimes('hour', T0, null));
    await settle();
    expect(heard.at(-1)).toMatchObject({
      kind: 'reading.done',
      shelf: 'regimes',
      value: { asked: 'minute', granularity: 'hour' },
    });
    expect(heard.at(-1)).toHaveProperty('value.points.length', 2);
  });

  it('end when another one of their kind begins, or when they are stopped', async () => {
    const { asked, heard, regimes, readings } = rig();
    readings.regimes('SPY', 'hour', STRETCH);
    readings.regimes('QQQ', 'hour', STRETCH);
    asked[0]?.answer(regimes('hour', T0, null));
    await settle();
    expect(heard.filter((each) => each.kind === 'reading.done')).toEqual([]);
    readings.stop('regimes');
    expect(heard.at(-1)).toMatchObject({ kind: 'reading.failed', key: 'QQQ hour' });
    asked[1]?.answer(regimes('hour', T0, 'c1'));
    await settle();
    expect(asked).toHaveLength(2);
  });

  it('do not follow a cursor that comes again', async () => {
    const { asked, heard, regimes, readings } = rig();
    readings.regimes('SPY', 'hour', STRETCH);
    for (let page = 0; page < 3; page += 1) {
      asked[page]?.answer(regimes('hour', T0, 'same'));
      await settle();
    }
    expect(asked).toHaveLength(2);
    expect(heard.at(-1)?.kind).toBe('reading.done');
  });

  it('say when they were heard, where they come from the archive of this computer', async () => {
    const { asked, heard, regimes, readings } = rig();
    const kept_at = new Date(T0 - DAY).toISOString();
    readings.regimes('SPY', 'hour', STRETCH);
    asked[0]?.answer({ ...regimes('hour', T0, null), kept_at });
    await settle();
    expect(heard.at(-1)).toMatchObject({ kind: 'reading.done', shelf: 'regimes', value: { keptAt: kept_at } });
  });

  it('say why they failed', async () => {
    const { asked, heard, readings } = rig();
    readings.history('SPY', STRETCH, 'first');
    asked[0]?.refuse(new Error('The service answered 503.'));
    await settle();
    expect(heard.at(-1)).toEqual({
      kind: 'reading.failed',
      shelf: 'histories',
      key: 'SPY',
      message: 'The service answered 503.',
    });
  });
});

it('the answer of an earlier symbol does not end the reading of a later one', async () => {
  const { asked, heard, readings } = rig();
  readings.factors('SPY');
  readings.factors('QQQ');
  asked[0]?.answer({ symbol: 'SPY', at: new Date(T0).toISOString(), factors: [] });
  await settle();
  expect(heard.filter((each) => each.kind === 'reading.done')).toEqual([]);
  asked[1]?.answer({ symbol: 'QQQ', at: new Date(T0).toISOString(), factors: [] });
  await settle();
  expect(heard.at(-1)).toMatchObject({ kind: 'reading.done', shelf: 'factors', key: 'QQQ' });
});
