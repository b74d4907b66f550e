import { describe, expect, it } from 'vitest';
import type { Channels } from '../../shared/channels/channels.ts';
import type { Window } from '../../shared/channels/ends.ts';
import type { StoreAction } from '../store/reduce.ts';
import { createTimelineReader } from './timelines.ts';

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

function rig() {
  const open = new Map<string, { answer: () => void; refuse: () => void }>();
  const requests: string[] = [];
  const actions: StoreAction[] = [];
  const window = {
    call: (_name: string, { symbol }: { symbol: string }) => {
      requests.push(symbol);
      return new Promise((resolve, reject) => {
        open.set(symbol, {
          answer: () => resolve({ symbol, points: [], transitions: [] }),
          refuse: () => reject(new Error('The service answered 503.')),
        });
      });
    },
  } as unknown as Window<Channels>;
  return {
    requests,
    actions,
    reader: createTimelineReader(window, (each) => actions.push(each)),
    async answer(symbol: string) {
      open.get(symbol)?.answer();
      await settle();
    },
    async refuse(symbol: string) {
      open.get(symbol)?.refuse();
      await settle();
    },
  };
}

describe('the sparklines of a list', () => {
  it('are read one after the other, each once a day', async () => {
    const { requests, reader, answer } = rig();
    reader.fill(['A', 'B'], 1);
    await settle();
    expect(requests).toEqual(['A']);
    await answer('A');
    await answer('B');
    reader.fill(['A', 'B'], 1);
    await settle();
    expect(requests).toEqual(['A', 'B']);
    reader.fill(['A', 'B'], 2);
    await settle();
    expect(requests).toEqual(['A', 'B', 'A']);
  });
  it('go on after one that fails, which is tried again with the next order only', async () => {
    const { requests, reader, refuse, answer, actions } = rig();
    reader.fill(['A', 'B'], 1);
    await refuse('A');
    await answer('B');
    expect(requests).toEqual(['A', 'B']);
    expect(actions).toContainEqual({
      kind: 'query.failed',
      query: 'timelines',
      key: 'A',
      message: 'The service answered 503.',
    });
    reader.fill(['A', 'B'], 1);
    await settle();
    expect(requests).toEqual(['A', 'B', 'A']);
  });
  it('follow a new order at once', async () => {
    const { requests, reader, answer } = rig();
    reader.fill(['A', 'B'], 1);
    reader.fill(['C'], 1);
    await answer('A');
    await answer('C');
    expect(requests).toEqual(['A', 'C']);
  });
});

describe('the chosen symbol', () => {
  const version = { epoch: 1, day: 1, outgrown: 3 };
  it('is read at once, and not a second time for the list', async () => {
    const { requests, reader, answer } = rig();
    reader.fill(['A', 'C'], 1);
    reader.show('C', version);
    await settle();
    expect(requests).toEqual(['A', 'C']);
    await answer('C');
    await answer('A');
    expect(requests).toEqual(['A', 'C']);
  });
  it('is read again in another epoch, on another day, and when more happened than the window holds; else not', async () => {
    const { requests, reader, answer } = rig();
    const shown = async (next: typeof version): Promise<number> => {
      reader.show('A', next);
      await answer('A');
      return requests.length;
    };
    expect(await shown(version)).toBe(1);
    expect(await shown(version)).toBe(1);
    expect(await shown({ ...version, epoch: 2 })).toBe(2);
    expect(await shown({ ...version, epoch: 2, day: 2 })).toBe(3);
    expect(await shown({ epoch: 2, day: 2, outgrown: 4 })).toBe(4);
    expect(await shown({ epoch: 2, day: 2, outgrown: 4 })).toBe(4);
  });
});
