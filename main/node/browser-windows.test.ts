// Test: a page in a browser is sent to a route: an open page, or a new one.
import { expect, test } from 'vitest';
import type { LinkedCore } from '../../shared/channels/link.ts';
import { eventually } from '../../test/harness/eventually.ts';
import { createBrowserWindows } from './browser-windows.ts';

const alert = { page: 'alerts', item: '7' } as const;

function setUp() {
  const core: LinkedCore = { dispatch: async () => ({ ok: true, value: {} }), attach: () => () => undefined };
  const opened: string[] = [];
  const windows = createBrowserWindows(
    (profile) => (profile === 'gone' ? null : core),
    (profile) => opened.push(profile),
  );
  const page = async (profile: string) => {
    const pushed: unknown[] = [];
    const own = windows.admit(profile);
    const detach = own?.attach({ push: (_name, route) => pushed.push(route) });
    await own?.dispatch('state.snapshot', {});
    await new Promise(setImmediate);
    return { pushed, detach };
  };
  return { windows, opened, page };
}

test('only the last opened page goes to the route', async () => {
  const { windows, opened, page } = setUp();
  const [first, second, other] = [await page('desk'), await page('desk'), await page('sandbox')];
  windows.show('desk', alert);
  expect([first.pushed, second.pushed, other.pushed]).toEqual([[], [alert], []]);
  second.detach?.();
  windows.show('desk', alert);
  expect(first.pushed).toEqual([alert]);
  expect(opened).toEqual([]);
});

test('without an open page a new one is opened, and goes to the route when it listens', async () => {
  const { windows, opened, page } = setUp();
  const gone = await page('desk');
  gone.detach?.();
  windows.show('desk', alert);
  expect(opened).toEqual(['desk']);
  // `admit` alone checks that the profile runs, and opens no page.
  windows.admit('desk');
  const { pushed } = await page('desk');
  await eventually(() => expect(pushed).toEqual([alert]));
  expect((await page('desk')).pushed).toEqual([]);
});

test('a profile that does not run has no page', () => {
  expect(setUp().windows.admit('gone')).toBeNull();
});
