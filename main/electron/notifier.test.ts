// Test: notifications of the desktop shell on a fake system: shown, replaced, refused, answered.

import { beforeEach, describe, expect, test } from 'vitest';
import { FakeNotification } from '../../test/harness/fake-electron.ts';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { saying } from '../../test/harness/saying.ts';
import type { ShellRequest } from '../host/notification-log.ts';
import { createElectronNotifier } from './notifier.ts';

const request: ShellRequest = {
  profile: 'desk',
  id: 'barograph:evt_1',
  title: 'SPY is High Risk',
  body: 'b',
  urgency: 'critical',
  silent: true,
  symbol: 'SPY',
  answers: ['acknowledge', 'snooze'],
};
const answers: unknown[] = [];
let clock = createManualClock();
const create = (platform: NodeJS.Platform = 'darwin') =>
  createElectronNotifier({
    Notification: FakeNotification as never,
    clock,
    platform,
    onAnswer: (notification, answer) =>
      answers.push([notification === null ? null : `${notification.profile}/${notification.id}`, answer]),
  });

beforeEach(() => {
  clock = createManualClock();
  FakeNotification.reset();
  answers.length = 0;
});

test('is shown with its name, urgency, silence and buttons', async () => {
  expect(await create().show(request, null)).toEqual({
    tier: 'system',
    detail: saying('Notifications go to this system.'),
  });
  expect(FakeNotification.all[0]?.options).toEqual({
    id: 'desk/barograph:evt_1',
    title: 'SPY is High Risk',
    body: 'b',
    silent: true,
    urgency: 'critical',
    timeoutType: 'never',
    actions: [
      { type: 'button', text: 'Acknowledge' },
      { type: 'button', text: 'Snooze 1 h' },
    ],
  });
});

test('only the same id of the same profile replaces the notification on the screen', async () => {
  const notifier = create();
  await notifier.show(request, null);
  await notifier.show({ ...request, id: 'barograph:evt_2' }, null);
  await notifier.show({ ...request, profile: 'other' }, null);
  await notifier.show(request, null);
  expect(FakeNotification.all.map(({ closed }) => closed)).toEqual([true, false, false, false]);
});

test('a withdrawn notification leaves the screen; other notifications stay', async () => {
  const notifier = create();
  await notifier.show(request, null);
  await notifier.show({ ...request, id: 'barograph:evt_2' }, null);
  notifier.withdraw?.(request, null);
  notifier.withdraw?.({ ...request, id: 'barograph:earlier' }, null);
  expect(FakeNotification.all.map(({ closed }) => closed)).toEqual([true, false]);
});

describe('a notification that has left the screen', () => {
  test('for the Action Center of Windows can be withdrawn from there, and its buttons are still known', async () => {
    const notifier = create('win32');
    await notifier.show(request, null);
    FakeNotification.all[0]?.emit('close', { reason: 'timedOut' });
    FakeNotification.activate({
      type: 'action',
      actionIndex: 1,
      arguments: 'type=action&action=1&tag=desk/barograph:evt_1',
    });
    expect(answers).toEqual([['desk/barograph:evt_1', 'snooze']]);
    notifier.withdraw?.(request, null);
    expect(FakeNotification.all[0]?.closed).toBe(true);
  });

  test('for the Action Center is replaced by the next with its id', async () => {
    const notifier = create('win32');
    await notifier.show(request, null);
    FakeNotification.all[0]?.emit('close', { reason: 'timedOut' });
    await notifier.show(request, null);
    expect(FakeNotification.all.map(({ closed }) => closed)).toEqual([true, false]);
  });

  test.each([
    ['win32', { reason: 'userCanceled' }],
    ['darwin', {}],
  ] as const)('because the user dismissed it is forgotten (%s)', async (platform, details) => {
    const notifier = create(platform);
    await notifier.show(request, null);
    FakeNotification.all[0]?.emit('close', details);
    notifier.withdraw?.(request, null);
    expect(FakeNotification.all[0]?.closed).toBe(false);
  });

  test('is forgotten after two hundred later ones', async () => {
    const notifier = create('win32');
    const ids = Array.from({ length: 201 }, (_, index) => `barograph:evt_${index}`);
    for (const id of ids) await notifier.show({ ...request, id }, null);
    for (const notification of FakeNotification.all) notification.emit('close', { reason: 'timedOut' });
    for (const id of ids) notifier.withdraw?.({ ...request, id }, null);
    expect(FakeNotification.all.filter(({ closed }) => !closed)).toEqual([FakeNotification.all[0]]);
  });
});

test('a tag that is too long for the system is shortened, and stays the same', async () => {
  const notifier = create();
  const long = { ...request, id: `barograph:${'x'.repeat(80)}` };
  await notifier.show(long, null);
  await notifier.show(long, null);
  await notifier.show({ ...request, id: 'odd & id' }, null);
  const names = FakeNotification.all.map(({ options }) => options.id ?? '');
  expect(names[0]).toBe(names[1]);
  expect(names[2]).not.toBe(names[0]);
  for (const name of names) expect(name).toMatch(/^[\w-]{43}$/);
});

describe('when it cannot be shown', () => {
  test('a notification that the system refuses is shown in the window, with a remedy, and retried the next time', async () => {
    const notifier = create();
    FakeNotification.answer = ['failed', 'not allowed'];
    expect(await notifier.show(request, null)).toEqual({
      tier: 'in_app',
      detail: saying(
        'The system refused the last notification (not allowed). Allow Barograph in System Settings, Notifications.',
      ),
    });
    expect(notifier.status().tier).toBe('in_app');
    FakeNotification.answer = ['show'];
    expect(await notifier.show(request, null)).toMatchObject({ tier: 'system' });
    expect(notifier.status().tier).toBe('system');
  });

  test('a system without an answer within three seconds counts as not showing it', async () => {
    FakeNotification.answer = [];
    const outcome = create('win32').show(request, null);
    await clock.advance(3_000);
    expect(await outcome).toMatchObject({ tier: 'in_app', detail: saying(/did not confirm/) });
  });

  test('a system without notifications is reported from the start', async () => {
    FakeNotification.supported = false;
    const notifier = create();
    expect(notifier.status().tier).toBe('in_app');
    expect(await notifier.show(request, null)).toMatchObject({ tier: 'in_app' });
    expect(FakeNotification.all).toEqual([]);
  });
});

describe('an answer', () => {
  test('counts once, whatever follows, until the notification is shown again', async () => {
    const notifier = create();
    await notifier.show(request, null);
    FakeNotification.all[0]?.emit('action', { actionIndex: 1 }, 1);
    FakeNotification.all[0]?.emit('action', { actionIndex: 1 }, 1);
    FakeNotification.all[0]?.emit('click', {});
    expect(answers).toEqual([['desk/barograph:evt_1', 'snooze']]);
    await notifier.show(request, null);
    FakeNotification.all[1]?.emit('click', {});
    expect(answers[1]).toEqual(['desk/barograph:evt_1', 'open']);
  });

  test('that Windows reports twice, by the notification and by its start of the app, counts once', async () => {
    const notifier = create('win32');
    await notifier.show(request, null);
    FakeNotification.all[0]?.emit('action', { actionIndex: 0 }, 0);
    FakeNotification.activate({
      type: 'action',
      actionIndex: 0,
      arguments: 'type=action&action=0&tag=desk/barograph:evt_1',
    });
    expect(answers).toEqual([['desk/barograph:evt_1', 'acknowledge']]);
  });

  test('to one of an earlier run opens it, whichever button was pressed', () => {
    create('win32');
    FakeNotification.activate({ type: 'click', arguments: 'type=click&tag=desk/barograph:evt_7' });
    FakeNotification.activate({
      type: 'action',
      actionIndex: 0,
      arguments: 'type=action&action=0&tag=desk/barograph:evt_8',
    });
    FakeNotification.activate({ type: 'click', arguments: 'type=click&tag=dGhpcyBpcyBhIGRpZ2VzdA' });
    FakeNotification.activate({ type: 'click', arguments: 'nonsense' });
    expect(answers).toEqual([
      ['desk/barograph:evt_7', 'open'],
      ['desk/barograph:evt_8', 'open'],
      [null, 'open'],
      [null, 'open'],
    ]);
  });
});
