// Test: the contents and timing of pushes: at once after a pause, else in batches.

import { expect, test } from 'vitest';
import { MAX_ALERTS, type NumberedChanges } from '../../../shared/channels/state.ts';
import { plainMessage } from '../../../shared/text/message.ts';
import { createManualClock } from '../../../test/harness/manual-clock.ts';
import { FEW_ALERTS } from './alert-queue.ts';
import { createState, type StateSources } from './state.ts';

function rig() {
  const clock = createManualClock();
  const pushes: NumberedChanges[] = [];
  const requests: (number | 'all')[] = [];
  let attention: ReadonlySet<number> = new Set();
  const none = () => {
    throw new Error('not asked for here');
  };
  const sources: StateSources = {
    parts: {
      profile: none,
      connection: none,
      watchlists: none,
      local_alerts: () => [],
      gaps: () => [],
      ledger: () => ({ events: 1 }),
      notifier: () => ({ tier: 'system', detail: plainMessage('') }),
    },
    selected: () => 'SPY',
    rows: () => [],
    alerts(ids) {
      requests.push(ids === undefined ? 'all' : ids.length);
      return [];
    },
    attention: () => attention,
  };
  return {
    clock,
    pushes,
    requests,
    state: createState(clock, sources, (changes) => void pushes.push(changes)),
    need(...ledgerIds: number[]) {
      attention = new Set(ledgerIds);
    },
  };
}
const ids = (count: number, after = 0): number[] => Array.from({ length: count }, (_, index) => after + index + 1);

test('a change is pushed in its turn, changes within the next half frame as one push, numbered without a hole', async () => {
  const { clock, pushes, state } = rig();
  state.touch('ledger');
  expect(pushes).toEqual([]);
  await clock.advance(0);
  expect(pushes.map(({ changes }) => changes.map(({ part }) => part))).toEqual([['ledger']]);
  state.touch('gaps');
  await clock.advance(2);
  state.touch('ledger');
  await clock.advance(2);
  expect(pushes).toHaveLength(1);
  await clock.advance(100);
  expect(pushes.slice(1).map(({ changes }) => changes.map(({ part }) => part))).toEqual([['gaps', 'ledger']]);
  state.touch('ledger');
  await clock.advance(0);
  expect(pushes.map(({ number }) => number)).toEqual([1, 2, 3]);
});

test('a few alerts are read one by one, without delay', async () => {
  const { clock, requests, state } = rig();
  for (let round = 0; round < 3; round += 1) {
    state.touchAlerts(ids(FEW_ALERTS, round * FEW_ALERTS));
    await clock.advance(0);
    expect(requests).toHaveLength(round + 1);
    await clock.advance(100);
  }
  expect(requests).toEqual([FEW_ALERTS, FEW_ALERTS, FEW_ALERTS]);
});

test('more than a few at once are shown twice a second, alone where a window keeps them all', async () => {
  const { clock, requests, state } = rig();
  for (let round = 0; round < 10; round += 1) {
    state.touchAlerts(ids(FEW_ALERTS + 1, round * (FEW_ALERTS + 1)));
    await clock.advance(100);
  }
  await clock.advance(1_000);
  expect(requests).toEqual([FEW_ALERTS + 1, 4 * (FEW_ALERTS + 1), 5 * (FEW_ALERTS + 1)]);
});

test('updates of many alerts are shown four times a second, and never delay a new one', async () => {
  const { clock, requests, state } = rig();
  state.touchAlerts(ids(FEW_ALERTS));
  await clock.advance(100);
  requests.length = 0;
  // A few updates are pushed at once, so that the user sees the effect of an action.
  state.touchAlerts([3]);
  await clock.advance(0);
  expect(requests).toEqual([1]);
  // Each turn touches them again, with a new alert.
  for (let turn = 0; turn < 20; turn += 1) {
    state.touchAlerts(ids(FEW_ALERTS));
    state.touchAlerts([100 + turn]);
    await clock.advance(10);
  }
  expect(requests.slice(1)).toEqual(Array(20).fill(1));
  await clock.advance(1_000);
  expect(requests.slice(21)).toEqual([FEW_ALERTS]);
});

test('in a flood the whole list is read twice a second, and its last alert is not lost; other parts continue', async () => {
  const { clock, requests, pushes, state } = rig();
  for (let round = 0; round < 20; round += 1) {
    state.touchAlerts(ids(MAX_ALERTS + 1, round * (MAX_ALERTS + 1)));
    state.touch('ledger');
    await clock.advance(100);
  }
  expect(requests.length).toBeGreaterThanOrEqual(4);
  expect(requests.length).toBeLessThanOrEqual(5);
  expect(pushes).toHaveLength(20);
  const before = requests.length;
  await clock.advance(1_000);
  expect(requests).toHaveLength(before + 1);
  await clock.advance(10_000);
  expect(requests).toHaveLength(before + 1);
});

test('a clock that is set back does not delay alerts', async () => {
  const { clock, requests, state } = rig();
  state.touchAlerts(ids(MAX_ALERTS + 1));
  await clock.advance(100);
  clock.jump(-3_600_000);
  state.touchAlerts(ids(MAX_ALERTS + 1, MAX_ALERTS + 1));
  await clock.advance(1_000);
  expect(requests).toEqual(['all', 'all']);
});

test('alerts whose need of attention changed are read again, also those of an earlier run', async () => {
  const { clock, requests, state, need } = rig();
  need(7, 8);
  state.touchAttention();
  await clock.advance(0);
  expect(requests).toEqual([2]);
  await clock.advance(300);
  need(8);
  state.touchAttention();
  await clock.advance(0);
  state.touchAttention();
  await clock.advance(300);
  expect(requests).toEqual([2, 1]);
});
