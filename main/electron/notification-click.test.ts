// Test: a click on a notification, from the system to the route of a window, on a fake Electron.
import { expect, test } from 'vitest';
import { BRIDGE_PUSH } from '../../shared/channels/bridge.ts';
import { eventually } from '../../test/harness/eventually.ts';
import { FakeNotification } from '../../test/harness/fake-electron.ts';
import { setUpDesktop } from '../../test/harness/fake-start.ts';

const desktop = setUpDesktop();
const routesOf = (): unknown[] =>
  desktop
    .window()
    .webContents.sent.flatMap(([channel, name, route]) =>
      channel === BRIDGE_PUSH && name === 'route.requested' ? [route] : [],
    );

test('a click on a notification that cannot be known shows the alerts, each time', async () => {
  await desktop.start(['--hidden'], { platform: 'win32' });
  const alerts = { page: 'alerts', item: null };
  FakeNotification.activate({ type: 'click', arguments: '' });
  await eventually(() => expect(desktop.fake.windows).toHaveLength(1));
  await desktop.call('state.snapshot', {});
  await eventually(() => expect(routesOf()).toEqual([alerts]));
  FakeNotification.activate({ type: 'click', arguments: '' });
  FakeNotification.activate({ type: 'click', arguments: 'type=click&name=nobody/barograph:evt_1' });
  await eventually(() => expect(routesOf()).toEqual([alerts, alerts, alerts]));
  expect(desktop.fake.windows).toHaveLength(1);
});

test('a click on a notification that started the app waits for its window', async () => {
  desktop.fake.app.launchInfo = { identifier: 'sandbox/barograph:evt_gone', actionIdentifier: 'ACTION_0' };
  await desktop.start([], { platform: 'darwin' });
  await desktop.call('state.snapshot', {});
  await eventually(() => expect(routesOf()).toEqual([{ page: 'alerts', item: null }]));
  expect(desktop.fake.windows).toHaveLength(1);
});
