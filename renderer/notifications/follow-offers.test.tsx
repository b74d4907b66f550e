// Test: one window in the background shows an offered notification by its browser, once, and reports it.
import { act, renderHook } from '@testing-library/react';
import { expect, onTestFinished, test } from 'vitest';
import type { Channels } from '../../shared/channels/channels.ts';
import type { WindowClient } from '../../shared/channels/ends.ts';
import type { OfferedNotification } from '../../shared/channels/state.ts';
import { plainMessage } from '../../shared/text/message.ts';
import { settle } from '../../test/harness/manual-clock.ts';
import { createWindowRig } from '../../test/harness/window-rig.tsx';
import { useRoute } from '../store/route.ts';
import type { BrowserNotifications } from './browser-notifications.ts';
import { followOffers } from './follow-offers.ts';

const offer = (more: Partial<OfferedNotification> = {}): OfferedNotification => ({
  notification_id: 'barograph:evt_1',
  revision: 1,
  tag: 'desk/barograph:evt_1',
  title: 'SPY is High Risk',
  body: 'From Normal.',
  is_urgent: true,
  is_silent: false,
  status: 'open',
  ...more,
});

interface WindowOptions {
  readonly isInFront?: boolean;
  readonly permission?: NotificationPermission;
  /** The browser refuses to show it. */
  readonly isBroken?: boolean;
}

/** Windows of one browser, on the same profile. */
async function open(...windows: readonly WindowOptions[]) {
  const rig = await createWindowRig();
  const screen: string[] = [];
  const calls: unknown[] = [];
  const held = new Set<string>();
  const clicks = new Map<string, () => void>();
  for (const [index, { isInFront = false, permission = 'granted', isBroken = false }] of windows.entries()) {
    const browser: BrowserNotifications = {
      permission: () => permission,
      watch: () => () => undefined,
      ask: () => undefined,
      async show({ tag, revision }, onClick) {
        screen.push(`${index} shows ${tag} ${revision}`);
        clicks.set(tag, onClick);
        return !isBroken;
      },
      close: (tag) => void screen.push(`${index} closes ${tag}`),
    };
    const call = async (name: string, input: unknown) => {
      calls.push([name, input]);
      return { route: { page: 'alerts', item: '7' } };
    };
    const stop = followOffers({
      store: rig.store,
      window: { call } as unknown as Pick<WindowClient<Channels>, 'call'>,
      browser,
      clock: rig.clock,
      isInFront: () => isInFront,
      async inOneWindow(name, job) {
        if (held.has(name)) return;
        held.add(name);
        await job();
      },
    });
    onTestFinished(stop);
  }
  return {
    screen,
    calls,
    click: (tag: string) => act(async () => clicks.get(tag)?.()).then(settle),
    async push(...offered: readonly OfferedNotification[]): Promise<void> {
      const notifier = { tier: 'in_app' as const, detail: plainMessage(''), offered: [...offered] };
      await rig.pushChanges({ part: 'notifier', notifier });
    },
    advance: rig.advance,
  };
}

test('of several windows in the background one shows it, and reports its revision', async () => {
  const { screen, calls, push, advance } = await open({}, {});
  await push(offer());
  await advance(5_000);
  expect(screen).toEqual(['0 shows desk/barograph:evt_1 1']);
  expect(calls).toEqual([['alerts.shown', { notification_id: 'barograph:evt_1', browser_revision: 1 }]]);
  await push(offer({ status: 'shown' }));
  await advance(5_000);
  expect(screen).toHaveLength(1);
});

test.each<[string, WindowOptions[]]>([
  ['in a window in front, which keeps those in the background quiet', [{}, { isInFront: true }]],
  ['without the permission', [{ permission: 'default' }, { permission: 'denied' }]],
])('nothing is shown %s', async (_why, windows) => {
  const { screen, calls, push, advance } = await open(...windows);
  await push(offer());
  await advance(5_000);
  expect([screen, calls]).toEqual([[], []]);
});

test('one that the browser does not show is not reported', async () => {
  const { screen, calls, push, advance } = await open({ isBroken: true });
  await push(offer());
  await advance(5_000);
  expect([screen.length, calls]).toEqual([1, []]);
});

test('one that somebody takes meanwhile is not shown', async () => {
  const { screen, push, advance } = await open({});
  await push(offer());
  await push(offer({ status: 'shown' }));
  await advance(5_000);
  expect(screen).toEqual([]);
});

test('one that grows is shown again, at most every two seconds and in its newest form', async () => {
  const { screen, push, advance } = await open({});
  await push(offer());
  await advance(500);
  for (const revision of [2, 3, 4]) {
    await push(offer({ revision }));
    await advance(300);
  }
  expect(screen).toEqual(['0 shows desk/barograph:evt_1 1']);
  await advance(5_000);
  expect(screen).toEqual(['0 shows desk/barograph:evt_1 1', '0 shows desk/barograph:evt_1 4']);
});

test('a click leads to the alert; one that needs nobody any more is closed', async () => {
  const { screen, calls, push, advance, click } = await open({});
  await push(offer());
  await advance(500);
  await click('desk/barograph:evt_1');
  expect(calls.at(-1)).toEqual(['alerts.clicked', { notification_id: 'barograph:evt_1' }]);
  expect(renderHook(() => useRoute((route) => route)).result.current).toMatchObject({ page: 'alerts', item: '7' });
  await push(offer({ status: 'withdrawn' }));
  expect(screen.at(-1)).toBe('0 closes desk/barograph:evt_1');
});
