// Test: a notification over the browser's own: shown, replaced, refused, clicked, closed.
import { beforeEach, expect, test, vi } from 'vitest';
import type { OfferedNotification } from '../../shared/channels/state.ts';
import { createManualClock } from '../../test/harness/manual-clock.ts';
import { createBrowserNotifications } from './browser-notifications.ts';

/** The browser's class: one with the tag of another closes that. */
class FakeNotification extends EventTarget {
  static permission: NotificationPermission = 'default';
  static readonly all: FakeNotification[] = [];
  static requestPermission = async (): Promise<NotificationPermission> => {
    FakeNotification.permission = 'granted';
    return 'granted';
  };
  readonly title: string;
  readonly options: NotificationOptions;
  isClosed = false;
  constructor(title: string, options: NotificationOptions) {
    super();
    this.title = title;
    this.options = options;
    for (const earlier of FakeNotification.all) if (earlier.options.tag === options.tag) earlier.close();
    FakeNotification.all.push(this);
  }
  close(): void {
    this.isClosed = true;
    this.dispatchEvent(new Event('close'));
  }
}

const offered: OfferedNotification = {
  notification_id: 'barograph:evt_1',
  revision: 1,
  tag: 'desk/barograph:evt_1',
  title: 'SPY is High Risk',
  body: 'From Normal.',
  is_urgent: true,
  is_silent: false,
  status: 'open',
};
let clock = createManualClock();
const create = () => createBrowserNotifications(clock) ?? expect.unreachable('a browser with notifications');
const said = (index: number, event: string): void => void FakeNotification.all[index]?.dispatchEvent(new Event(event));

beforeEach(() => {
  clock = createManualClock();
  FakeNotification.all.length = 0;
  FakeNotification.permission = 'default';
  vi.stubGlobal('Notification', FakeNotification);
  return () => vi.unstubAllGlobals();
});

test('a browser without notifications has none', () => {
  vi.unstubAllGlobals();
  expect(createBrowserNotifications(clock)).toBeNull();
});

test('the user is asked only on request, and listeners learn of the answer', async () => {
  const browser = create();
  expect(browser.permission()).toBe('default');
  const answers: NotificationPermission[] = [];
  const stop = browser.watch(() => answers.push(browser.permission()));
  browser.ask();
  await vi.waitFor(() => expect(answers).toEqual(['granted']));
  stop();
});

test('a notification of the browser has tag, text, urgency and silence, and announces what replaces it', async () => {
  void create().show(offered, () => undefined);
  expect(FakeNotification.all).toMatchObject([
    {
      title: 'SPY is High Risk',
      options: {
        tag: 'desk/barograph:evt_1',
        body: 'From Normal.',
        silent: false,
        requireInteraction: true,
        renotify: true,
      },
    },
  ]);
});

test.each([
  ['show', true],
  ['error', false],
] as const)('the event %s of the browser decides whether it is shown: %s', async (event, isShown) => {
  const shown = create().show(offered, () => undefined);
  said(0, event);
  expect(await shown).toBe(isShown);
});

test('a browser that says nothing within a second shows it', async () => {
  const shown = create().show(offered, () => undefined);
  await clock.advance(1_000);
  expect(await shown).toBe(true);
});

test('a click brings the window to the front, closes it, and is passed on', () => {
  const focus = vi.spyOn(window, 'focus').mockImplementation(() => undefined);
  const clicked = vi.fn();
  void create().show(offered, clicked);
  said(0, 'click');
  expect(focus).toHaveBeenCalledOnce();
  expect(clicked).toHaveBeenCalledOnce();
  expect(FakeNotification.all[0]?.isClosed).toBe(true);
  focus.mockRestore();
});

test('the one that replaced another is closed by their tag, once', () => {
  const browser = create();
  void browser.show(offered, () => undefined);
  void browser.show({ ...offered, revision: 2 }, () => undefined);
  const closes = FakeNotification.all.map((notification) => vi.spyOn(notification, 'close'));
  browser.close(offered.tag);
  browser.close(offered.tag);
  browser.close('desk/another');
  expect(closes.map((close) => close.mock.calls.length)).toEqual([0, 1]);
});
