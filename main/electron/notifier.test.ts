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
/** The arguments that Windows returns for a toast: of a click, or of its button with this number. */
function argumentsOf(notification: FakeNotification | undefined, button = -1): string {
  const xml = notification?.options.toastXml ?? '';
  const [, text = ''] = [...xml.matchAll(/(?:launch|"foreground" arguments)="([^"]*)"/g)][button + 1] ?? [];
  return text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}
/** Windows reports a click to the program that it started for it, or that has no such notification. */
const click = (text: string): void => FakeNotification.activate({ type: 'click', arguments: text });
const press = (text: string, actionIndex: number): void =>
  FakeNotification.activate({ type: 'action', actionIndex, arguments: text });
const answers: unknown[] = [];
let clock = createManualClock();
const create = (platform: NodeJS.Platform = 'darwin', launchInfo: unknown = {}) =>
  createElectronNotifier({
    Notification: FakeNotification as never,
    clock,
    platform,
    launchInfo,
    onAnswer: (notification, answer) =>
      answers.push([notification === null ? null : `${notification.profile}/${notification.id}`, answer]),
  });

beforeEach(() => {
  clock = createManualClock();
  FakeNotification.reset();
  answers.length = 0;
});

test('a notification is shown with its name, silence and buttons', async () => {
  expect(await create().show(request, null)).toEqual({
    tier: 'system',
    detail: saying('Notifications go to this system.'),
  });
  expect(FakeNotification.all[0]?.options).toEqual({
    id: 'desk/barograph:evt_1',
    title: 'SPY is High Risk',
    body: 'b',
    silent: true,
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
  test('for the Action Center of Windows can be withdrawn from there', async () => {
    const notifier = create('win32');
    await notifier.show(request, null);
    FakeNotification.all[0]?.emit('close', { reason: 'timedOut' });
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

describe('a toast of Windows', () => {
  test('has a tag of 64 letters and digits, the same for the same name', async () => {
    const notifier = create('win32');
    for (const id of ['barograph:evt_1', `barograph:${'x'.repeat(200)}`, 'odd & id', 'barograph:evt_1'])
      await notifier.show({ ...request, id }, null);
    const tags = FakeNotification.all.map(({ id }) => id);
    expect(tags[0]).toBe(tags[3]);
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) expect(tag).toMatch(/^[0-9a-f]{64}$/);
  });

  test('says all that its notification does: text, buttons, urgency, silence', async () => {
    const notifier = create('win32');
    await notifier.show({ ...request, title: 'SPY < "QQQ" & \u0007more', body: 'b\nc' }, null);
    expect(FakeNotification.all[0]?.options).toEqual({
      id: expect.any(String),
      urgency: 'critical',
      toastXml:
        '<toast launch="type=click&amp;name=desk/barograph:evt_1" scenario="reminder"><visual><binding template="ToastGeneric">' +
        '<text>SPY &lt; &quot;QQQ&quot; &amp; more</text><text>b\nc</text></binding></visual><actions>' +
        '<action activationType="foreground" arguments="type=action&amp;action=0&amp;name=desk/barograph:evt_1" content="Acknowledge"/>' +
        '<action activationType="foreground" arguments="type=action&amp;action=1&amp;name=desk/barograph:evt_1" content="Snooze 1 h"/>' +
        '<action activationType="system" arguments="dismiss" content=""/></actions><audio silent="true"/></toast>',
    });
    await notifier.show({ ...request, body: '', urgency: 'normal', silent: false, answers: [] }, null);
    expect(FakeNotification.all[1]?.options.toastXml).toBe(
      '<toast launch="type=click&amp;name=desk/barograph:evt_1"><visual><binding template="ToastGeneric"><text>SPY is High Risk</text></binding></visual></toast>',
    );
  });
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
    press(argumentsOf(FakeNotification.all[0], 0), 0);
    expect(answers).toEqual([['desk/barograph:evt_1', 'acknowledge']]);
  });

  test.each(['barograph:evt_7', `barograph:${'x'.repeat(200)}`, 'barograph:a&type=action=1+%20 "<é 中'])(
    'to a toast of an earlier run arrives: a click, and each button (%s)',
    async (id) => {
      await create('win32').show({ ...request, id }, null);
      const [earlier] = FakeNotification.all;
      for (const answer of [
        () => click(argumentsOf(earlier)),
        () => press(argumentsOf(earlier, 0), 0),
        () => press(argumentsOf(earlier, 1), 1),
      ]) {
        // Another run.
        create('win32');
        answer();
      }
      expect(answers).toEqual(['open', 'acknowledge', 'snooze'].map((answer) => [`desk/${id}`, answer]));
    },
  );

  test('to a toast that cannot be known opens something each time, and swallows no later one', () => {
    create('win32');
    click('');
    click('nonsense');
    click('type=click&tag=desk/barograph:evt_1');
    click('type=click&name=desk/barograph:evt_7');
    click('');
    expect(answers).toEqual([
      [null, 'open'],
      [null, 'open'],
      [null, 'open'],
      ['desk/barograph:evt_7', 'open'],
      [null, 'open'],
    ]);
  });
});

describe('a notification of an earlier run on a Mac', () => {
  const earlier = (id: string): FakeNotification => {
    const notification = new FakeNotification({ id });
    FakeNotification.history.push(notification);
    return notification;
  };
  const settled = () => new Promise(setImmediate);

  test('is answered by a click or a button', async () => {
    const [first, second] = [earlier('desk/barograph:evt_1'), earlier('desk/barograph:a/b')];
    create();
    await settled();
    first.emit('click', {});
    second.emit('action', { actionIndex: 1 }, 1);
    expect(answers).toEqual([
      ['desk/barograph:evt_1', 'open'],
      ['desk/barograph:a/b', 'snooze'],
    ]);
  });

  test('is withdrawn, also before the system has listed it', async () => {
    const notification = earlier('desk/barograph:evt_1');
    const notifier = create();
    notifier.withdraw?.({ profile: 'desk', id: 'barograph:evt_2' }, null);
    await settled();
    notifier.withdraw?.(request, null);
    expect(FakeNotification.removed).toEqual(['desk/barograph:evt_2', 'desk/barograph:evt_1']);
    expect(notification.closed).toBe(true);
  });

  test('is no longer followed once it is shown again', async () => {
    const notification = earlier('desk/barograph:evt_1');
    const notifier = create();
    await notifier.show(request, null);
    await settled();
    expect(notification.closed).toBe(true);
    FakeNotification.all[1]?.emit('click', {});
    expect(answers).toEqual([['desk/barograph:evt_1', 'open']]);
  });

  test.each([
    ['com.apple.UNNotificationDefaultActionIdentifier', 'open'],
    ['ACTION_0', 'acknowledge'],
    ['ACTION_9', 'open'],
  ])('whose answer %s started the app is answered by %s', (actionIdentifier, answer) => {
    create('darwin', { identifier: 'desk/barograph:evt_1', actionIdentifier, date: 1, userInfo: {} });
    expect(answers).toEqual([['desk/barograph:evt_1', answer]]);
  });
});
