// Test: what is due is kept, answered at once, and unknown where it was never read.
import { expect, test } from 'vitest';
import type { ScheduleView } from '../../../shared/channels/scheduled.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { createScheduled, type ScheduledDeps } from './scheduled.ts';

const START = Date.parse('2026-12-02T17:00:00Z');
const EVENT = {
  ...{ kind: 'earnings', symbol: 'AAPL', date: '2026-12-03', at: null, part: 'before_open' },
  ...{ zone: 'America/New_York', title: '', source: 'e.csv' },
};
const SOURCE = { name: 'e.csv', error: null, refused: 0, covers: [{ kind: 'earnings', until: '2026-12-31' }] };

function scheduledOver(answers: readonly unknown[], kept: ScheduleView | null = null) {
  const clock = createManualClock(START);
  const asked: string[] = [];
  const background: Promise<unknown>[] = [];
  let known = kept;
  const scheduled = createScheduled({
    context: {
      guard: { clock, go: (work: Promise<unknown>) => void background.push(work) },
      ports: { logger: { debug: () => undefined } },
    },
    client: {
      read: async (name: string) => {
        const answer = answers[asked.push(name) - 1];
        return answer === undefined
          ? { ok: false, error: { kind: 'not_found', message: 'no such path' } }
          : { ok: true, value: { value: answer } };
      },
    },
    mayAsk: () => true,
    memory: {
      known: () => known,
      one: async (_name: string, _key: string, read: () => Promise<ScheduleView>) => {
        known = await read();
        return known;
      },
    },
  } as unknown as ScheduledDeps);
  void scheduled.start?.();
  const pass = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await Promise.all(background);
  };
  const ask = () => scheduled.due({ symbol: 'AAPL', calendar: 'us', at: START, within: 2, kinds: ['earnings'] });
  return { scheduled, asked, pass, ask };
}

test('what is due is unknown until it was read, then it is known, and read again after a quarter of an hour', async () => {
  const { asked, pass, ask } = scheduledOver([
    { events: [EVENT], sources: [SOURCE] },
    { events: [], sources: [SOURCE] },
  ]);
  expect(ask()).toEqual({ events: [], isWhole: false });
  await pass(60_000);
  expect(ask()).toMatchObject({ events: [{ symbol: 'AAPL', days: 1 }], isWhole: true });
  await pass(14 * 60_000);
  expect(asked).toHaveLength(1);
  await pass(60_000);
  expect(asked).toHaveLength(2);
  expect(ask()).toEqual({ events: [], isWhole: true });
});

test('a service without the endpoint, and one without lists, leave it unknown', async () => {
  for (const answers of [[], [{ events: [], sources: [] }]]) {
    const { pass, ask, scheduled } = scheduledOver(answers);
    await pass(60_000);
    expect(ask().isWhole).toBe(false);
    expect(scheduled.unread()).toEqual([]);
  }
});

test('a row that cannot be read makes it unknown, and costs no other row', async () => {
  const { pass, ask, scheduled } = scheduledOver([
    { events: [EVENT, { ...EVENT, kind: 'parade' }], sources: [SOURCE] },
  ]);
  await pass(60_000);
  expect(ask()).toMatchObject({ events: [{ symbol: 'AAPL' }], isWhole: false });
  expect(scheduled.unread()).toEqual(['the service']);
});

test('a list of an earlier run answers at once', () => {
  const { ask } = scheduledOver([], {
    events: [EVENT as never],
    sources: [SOURCE as never],
    read_at: '2026-12-01T17:00:00.000Z',
  });
  expect(ask()).toMatchObject({ events: [{ symbol: 'AAPL' }], isWhole: true });
});
