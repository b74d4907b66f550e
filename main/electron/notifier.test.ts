// Test: notifications of the desktop shell against a fake system: shown, replaced, refused, unanswered, clicked.
import { beforeEach, expect, test, vi } from 'vitest';
import { createClock } from '../../shared/lib/clock.ts';
import type { NotificationRequest } from '../core/ports.ts';
import { FakeNotification } from './fake-electron.ts';
import { createElectronNotifier } from './notifier.ts';

const request: NotificationRequest = { id: 'n-1', title: 'SPY is High Risk', body: 'b', urgency: 'critical', silent: true, symbol: 'SPY' };
const clicked: (string | null)[] = [];
const create = () =>
  createElectronNotifier({
    Notification: FakeNotification as never,
    clock: createClock({ now: Date.now, setTimeout, clearTimeout }),
    onClick: ({ symbol }) => clicked.push(symbol),
  });

beforeEach(() => {
  FakeNotification.supported = true;
  FakeNotification.answer = ['show'];
  FakeNotification.all.length = 0;
  clicked.length = 0;
});

test('is shown with its id, urgency and silence; a click is heard', async () => {
  const notifier = create();
  expect(await notifier.show(request, null)).toEqual({ tier: 'system', detail: 'Notifications go to this system.' });
  const [shown] = FakeNotification.all;
  expect(shown?.options).toEqual({
    id: 'n-1',
    title: 'SPY is High Risk',
    body: 'b',
    silent: true,
    urgency: 'critical',
    timeoutType: 'never',
  });
  shown?.emit('click', {});
  expect(clicked).toEqual(['SPY']);
});

test('the same id takes the place of the one on the screen, another does not', async () => {
  const notifier = create();
  await notifier.show(request, null);
  await notifier.show({ ...request, id: 'n-2' }, null);
  await notifier.show(request, null);
  expect(FakeNotification.all.map(({ closed }) => closed)).toEqual([true, false, false]);
});

test('what the system refuses is for the window to show, and is tried again the next time', async () => {
  const notifier = create();
  FakeNotification.answer = ['failed', 'not allowed'];
  expect(await notifier.show(request, null)).toEqual({
    tier: 'in_app',
    detail: 'The system refused the last one (not allowed).',
  });
  expect(notifier.status().tier).toBe('in_app');
  FakeNotification.answer = ['show'];
  expect(await notifier.show(request, null)).toMatchObject({ tier: 'system' });
  expect(notifier.status().tier).toBe('system');
});

test('a system that says nothing within three seconds counts as not showing it', async () => {
  vi.useFakeTimers();
  const notifier = create();
  FakeNotification.answer = [];
  const outcome = notifier.show(request, null);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await outcome).toMatchObject({ tier: 'in_app' });
  vi.useRealTimers();
});

test('a system without notifications is said from the start', async () => {
  FakeNotification.supported = false;
  const notifier = create();
  expect(notifier.status().tier).toBe('in_app');
  expect(await notifier.show(request, null)).toMatchObject({ tier: 'in_app' });
  expect(FakeNotification.all).toEqual([]);
});
