// Test: throttling and sharing of a selector.
import { expect, it } from 'vitest';
import { plainMessage } from '../../shared/text/message.ts';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { createAppStore } from './store.ts';
import { createThrottledSelector } from './throttled-selector.ts';

/** Selects the problem as text; counts computations and notifications. */
function rig() {
  const store = createAppStore();
  const clock = createManualClock();
  const counts = { worked: 0, notified: 0 };
  const selector = createThrottledSelector(store, {
    clock,
    pause: 250,
    select(state, before: { readonly message: string } | null) {
      counts.worked += 1;
      const message = state.problem ?? '';
      return before?.message === message ? before : { message };
    },
  });
  const follow = () =>
    selector.subscribe(() => {
      counts.notified += 1;
    });
  return {
    clock,
    counts,
    selector,
    follow,
    say: (problem: string) => store.setState({ problem }),
    other: () => store.setState({ ended: plainMessage('x') }),
  };
}

it('the first change is published at once, those that follow within the pause together after it', async () => {
  const { clock, counts, selector, follow, say } = rig();
  follow();
  const before = counts.worked;
  say('1');
  expect([selector.read().message, counts.notified]).toEqual(['1', 1]);
  for (let turn = 2; turn < 40; turn += 1) say(String(turn));
  expect([selector.read().message, counts.notified]).toEqual(['1', 1]);
  await clock.advance(250);
  expect([selector.read().message, counts.notified]).toEqual(['39', 2]);
  expect(counts.worked - before).toBe(2);
});

it('a change after a pause without one is published at once again', async () => {
  const { clock, selector, follow, say } = rig();
  follow();
  say('1');
  await clock.advance(250);
  say('2');
  expect(selector.read().message).toBe('2');
});

it('a change that leaves the value equal notifies nobody, and begins no pause', () => {
  const { counts, selector, follow, say, other } = rig();
  follow();
  const before = selector.read();
  other();
  expect([selector.read() === before, counts.notified]).toEqual([true, 0]);
  say('1');
  expect(selector.read().message).toBe('1');
});

it('a throttled value is computed once for all subscribers, and not at all without one', () => {
  const { counts, selector, follow, say } = rig();
  const leave = [follow(), follow(), follow()];
  const before = counts.worked;
  say('1');
  selector.read();
  expect([counts.worked - before, counts.notified]).toEqual([1, 3]);
  for (const end of leave) end();
  say('2');
  say('3');
  expect(counts.worked - before).toBe(1);
  expect(selector.read().message).toBe('3');
});

it('a new subscriber within the pause gets the current value', async () => {
  const { clock, selector, follow, say } = rig();
  const end = follow();
  say('1');
  end();
  say('2');
  expect(selector.read().message).toBe('2');
  follow();
  say('3');
  expect(selector.read().message).toBe('3');
  await clock.advance(250);
  expect(selector.read().message).toBe('3');
});
