// Test: the event bus: order of followers, errors, cancellation.
import { expect, test } from 'vitest';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { createEventBus } from './events.ts';
import { createGuard } from './guard.ts';

const createBus = () => {
  const errors: object[] = [];
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined };
  const guard = createGuard(createManualClock(), { ...log, error: (fields) => void errors.push(fields) });
  return { bus: createEventBus(guard), errors };
};

test('followers are called in the order of subscription, with the event', () => {
  const { bus } = createBus();
  const calls: string[] = [];
  bus.subscribe({ noteWritten: ({ note }) => calls.push(`first ${note}`), gapsChanged: () => calls.push('gaps') });
  bus.subscribe({ noteWritten: ({ ledgerId }) => calls.push(`second ${ledgerId}`) });
  bus.emit('noteWritten', { ledgerId: 7, note: 'sold' });
  expect(calls).toEqual(['first sold', 'second 7']);
});

test('a follower that throws is logged, and stops neither the others nor the emitter', () => {
  const { bus, errors } = createBus();
  const calls: string[] = [];
  bus.subscribe({
    keyChanged: () => {
      throw new Error('broken');
    },
  });
  bus.subscribe({ keyChanged: () => calls.push('second') });
  bus.signal('keyChanged');
  expect(calls).toEqual(['second']);
  expect(errors).toEqual([{ problem: 'broken' }]);
});

test('a cancelled subscription receives nothing', () => {
  const { bus } = createBus();
  const calls: string[] = [];
  const cancel = bus.subscribe({ keyChanged: () => calls.push('heard') });
  cancel();
  bus.signal('keyChanged');
  expect(calls).toEqual([]);
});
