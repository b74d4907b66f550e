// Test: notifications over a D-Bus in this process, and over the machine's dbus-daemon if present.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { plainMessage } from '../../../shared/text/message.ts';
import { eventually } from '../../../test/harness/eventually.ts';
import {
  type FakeBus,
  type FakeDesktop,
  startBus,
  startDesktop,
  startTrayWatcher,
} from '../../../test/harness/fake-desktop.ts';
import { notRun, whyNoProgram } from '../../../test/harness/not-run.ts';
import { saying } from '../../../test/harness/saying.ts';
import type { DesktopHandle, ShellRequest } from '../notification-log.ts';
import { createDesktopNotifier, type DesktopNotifier } from './desktop-notifier.ts';
import { hasTray, sessionBusAddress } from './session-bus.ts';

/** A program that not every machine has. */
const DAEMON = 'dbus-daemon';
const request: ShellRequest = {
  profile: 'desk',
  id: 'barograph:evt_1',
  title: 'SPY is High Risk',
  body: 'Confidence 36 % < 50 % & rising',
  urgency: 'critical',
  silent: true,
  symbol: 'SPY',
  answers: ['acknowledge', 'snooze'],
};

describe('address of the session bus', () => {
  test('comes from the environment, else from the login session, else there is no address', () => {
    expect(sessionBusAddress({ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/a' })).toBe('unix:path=/a');
    expect(sessionBusAddress({ DBUS_SESSION_BUS_ADDRESS: '', XDG_RUNTIME_DIR: '/nowhere' })).toBeNull();
    expect(sessionBusAddress({})).toBeNull();
  });
});

describe('over a bus', () => {
  let folder: string;
  let bus: FakeBus;
  const opened: { close(): Promise<void> }[] = [];
  const notifierAt = async (
    at: string | null,
    onAnswer?: (handle: DesktopHandle, answer: string) => void,
  ): Promise<DesktopNotifier> => {
    const notifier = await createDesktopNotifier(at, onAnswer);
    opened.push(notifier);
    return notifier;
  };
  const desktop = async (able?: readonly string[]): Promise<FakeDesktop> => {
    const started = await startDesktop(bus.address, able);
    opened.push(started);
    return started;
  };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'barograph-bus-'));
    bus = await startBus(join(folder, 'bus'));
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
    await bus.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a notification is dispatched with urgency, silence and its text unchanged', async () => {
    const { shown } = await desktop();
    const notifier = await notifierAt(bus.address);
    expect(notifier.status()).toEqual({ tier: 'system', detail: saying('Notifications go to fake 1.0.') });
    const outcome = await notifier.show(request, null);
    expect(outcome).toMatchObject({ tier: 'system', detail: plainMessage('fake 1.0'), desktop: { number: 1 } });
    expect(shown).toEqual([
      {
        number: 1,
        app: 'Barograph',
        replaces: 0,
        title: 'SPY is High Risk',
        body: 'Confidence 36 % &lt; 50 % &amp; rising',
        hints: {
          urgency: 2,
          'suppress-sound': true,
          'desktop-entry': 'barograph',
        },
        expiry: 0,
        actions: [],
      },
    ]);
  });

  test('plays the sound of a rule where the desktop has that capability', async () => {
    const { shown } = await desktop(['sound']);
    const outcome = await (await notifierAt(bus.address)).show({ ...request, silent: false, sound: 'alarm' }, null);
    expect(outcome).toMatchObject({ tier: 'system', plays: true });
    expect(shown[0]?.hints).toMatchObject({ 'suppress-sound': false, 'sound-name': 'alarm-clock-elapsed' });
  });

  test('a desktop that shows pictures gets one in place of the notification, silently; its file ends with the program', async () => {
    const { shown } = await desktop(['sound', 'body-images']);
    const notifier = await notifierAt(bus.address);
    expect(notifier.showsPictures?.()).toBe(true);
    const sounding = { ...request, silent: false, sound: 'alarm' } as const;
    const { desktop: handle = null } = await notifier.show(sounding, null);
    await notifier.addPicture?.(sounding, handle, Buffer.from('picture'));
    const path = fileURLToPath(String(shown[1]?.hints['image-path']));
    expect(shown[1]).toMatchObject({ replaces: 1, title: request.title, hints: { 'suppress-sound': true } });
    expect(shown[1]?.hints).not.toHaveProperty('sound-name');
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['picture', 0o600]);
    await notifier.close();
    expect(existsSync(path)).toBe(false);
  });

  test('a notification that the user closed does not come back with its picture; other desktops get no pictures', async () => {
    const { shown, dismiss } = await desktop(['body-images']);
    const notifier = await notifierAt(bus.address);
    const { desktop: handle = null } = await notifier.show(request, null);
    dismiss(1);
    // The bus delivers in order.
    await notifier.show({ ...request, id: 'barograph:evt_2' }, null);
    await notifier.addPicture?.(request, handle, Buffer.from('picture'));
    expect(shown).toHaveLength(2);
    const other = await notifierAt(null);
    expect(other.showsPictures?.()).toBe(false);
  });

  test('a desktop without markup gets plain text', async () => {
    const { shown } = await desktop([]);
    await (await notifierAt(bus.address)).show({ ...request, urgency: 'normal' }, null);
    expect(shown[0]).toMatchObject({ body: request.body, expiry: -1 });
  });

  test('a desktop with buttons gets them, and each answer is reported once', async () => {
    const { shown, press } = await desktop(['actions']);
    const answers: [number, string][] = [];
    const notifier = await notifierAt(bus.address, (handle, answer) => answers.push([handle.number, answer]));
    await notifier.show(request, null);
    await notifier.show({ ...request, id: 'barograph:digest:1', names: ['a', 'b'], answers: ['acknowledge'] }, null);
    await notifier.show({ ...request, id: 'barograph:rule:1', answers: [] }, null);
    expect(shown.map(({ actions }) => actions)).toEqual([
      ['default', 'Open', 'acknowledge', 'Acknowledge', 'snooze', 'Snooze 1 h'],
      ['default', 'Open', 'acknowledge', 'Acknowledge all'],
      ['default', 'Open'],
    ]);
    press(1, 'snooze');
    press(1, 'snooze');
    press(1, 'default');
    press(2, 'format-the-disk');
    press(3, 'default');
    await eventually(() => expect(answers).toHaveLength(2));
    expect(answers).toEqual([
      [1, 'snooze'],
      [3, 'open'],
    ]);
    // A notification shown again may be answered again.
    await notifier.show(request, { bus: '', owner: '', number: 1 });
    press(4, 'acknowledge');
    await eventually(() => expect(answers.at(-1)).toEqual([4, 'acknowledge']));
  });

  test('only the notification service may report the answers of the user', async () => {
    const { press } = await desktop(['actions']);
    const stranger = await startTrayWatcher(bus.address, true);
    opened.push(stranger);
    const answers: string[] = [];
    const notifier = await notifierAt(bus.address, (_handle, answer) => answers.push(answer));
    await notifier.show(request, null);
    stranger.say(1, 'acknowledge');
    press(1, 'open-sesame');
    press(1, 'default');
    await eventually(() => expect(answers).toEqual(['open']));
  });

  test.each([
    ['a tray', true, true],
    ['a watcher without a tray', false, false],
  ])('%s is detected by its watcher', async (_what, hasHost, seen) => {
    opened.push(await startTrayWatcher(bus.address, hasHost));
    expect(await hasTray(bus.address)).toBe(seen);
  });

  test('without a watcher for tray icons there is no tray', async () => {
    expect(await hasTray(bus.address)).toBe(false);
    expect(await hasTray(null)).toBe(false);
    expect(await hasTray('unix:path=/nowhere/bus')).toBe(false);
  });

  test('the same notification replaces itself, also from another process of the app', async () => {
    const { shown } = await desktop();
    const first = await (await notifierAt(bus.address)).show(request, null);
    const again = await (await notifierAt(bus.address)).show(request, first.desktop ?? null);
    expect(again.desktop).toEqual(first.desktop);
    expect(shown.map(({ replaces }) => replaces)).toEqual([0, 1]);
  });

  test('a notification is withdrawn by its number, also by another process of the app, but never on another desktop', async () => {
    const { closed } = await desktop();
    const { desktop: handle = null } = await (await notifierAt(bus.address)).show(request, null);
    const notifier = await notifierAt(bus.address);
    notifier.withdraw?.(request, null);
    notifier.withdraw?.(request, handle === null ? null : { ...handle, owner: 'another' });
    notifier.withdraw?.(request, handle);
    await eventually(() => expect(closed).toEqual([1]));
  });

  test('a number of another desktop is not reused: it may belong to a notification of another program', async () => {
    const old = await desktop();
    const notifier = await notifierAt(bus.address);
    const first = await notifier.show(request, null);
    await old.close();
    const fresh = await desktop();
    await notifier.show(request, first.desktop ?? null);
    await notifier.show(request, { bus: 'another', owner: first.desktop?.owner ?? '', number: 9 });
    expect(fresh.shown.map(({ replaces }) => replaces)).toEqual([0, 0]);
  });

  test('the notifier says that there is no notification service, and uses one that starts later', async () => {
    const notifier = await notifierAt(bus.address);
    expect(notifier.status().tier).toBe('in_app');
    expect(notifier.status().detail).toEqual(saying(/^Nothing on this desktop shows notifications \(/));
    expect(await notifier.show(request, null)).toMatchObject({ tier: 'in_app' });
    const { shown } = await desktop();
    expect(await notifier.show(request, null)).toMatchObject({ tier: 'system' });
    expect(notifier.status().tier).toBe('system');
    expect(shown).toHaveLength(1);
  });

  test('a service that appears is reported to listeners', async () => {
    const notifier = await notifierAt(bus.address);
    const returned = new Promise<string>((resolve) => notifier.onReturn?.(() => resolve(notifier.status().tier)));
    await desktop();
    expect(await returned).toBe('system');
  });

  test.each([
    ['dunst', 'x-dunst-stack-tag'],
    ['mako', 'x-dunst-stack-tag'],
    ['SwayNotificationCenter', 'x-canonical-private-synchronous'],
  ])('%s gets the tag by which it replaces without a number', async (name, hint) => {
    const started = await startDesktop(bus.address, [], { name });
    opened.push(started);
    await (await notifierAt(bus.address)).show(request, null);
    expect(started.shown[0]?.hints).toMatchObject({ [hint]: `desk/${request.id}` });
  });

  test('a lost bus is reported, and found again', async () => {
    await desktop();
    const notifier = await notifierAt(bus.address);
    await bus.close();
    expect(await notifier.show(request, null)).toMatchObject({ tier: 'in_app' });
    opened.splice(0, 1);
    rmSync(join(folder, 'bus'), { force: true });
    bus = await startBus(join(folder, 'bus'));
    const { shown } = await desktop();
    expect(await notifier.show(request, null)).toMatchObject({ tier: 'system' });
    expect(shown).toHaveLength(1);
  });

  test.each([
    ['none', null],
    ['a socket that is not there', 'unix:path=/nowhere/bus'],
    ['nonsense', 'carrier-pigeon:coop=7'],
  ])('a bus address that is %s means that only the window can show it', async (_what, at) => {
    const notifier = await notifierAt(at);
    expect(notifier.status()).toMatchObject({ tier: 'in_app' });
    expect(await notifier.show(request, null)).toEqual({
      tier: 'in_app',
      detail: saying(/^(There is no D-Bus|The notification service does not answer \().*\.$/),
    });
  });
});

const why = whyNoProgram(DAEMON);
describe.skipIf(why)(`over the dbus-daemon of this machine${notRun(why)}`, () => {
  test('a notification is dispatched and replaced', async () => {
    const daemon = spawn(DAEMON, ['--session', '--nofork', '--print-address=1'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const address = await new Promise<string>((resolve) =>
        daemon.stdout.once('data', (line) => resolve(String(line).trim())),
      );
      const { shown, close } = await startDesktop(address);
      const notifier = await createDesktopNotifier(address);
      const first = await notifier.show(request, null);
      await notifier.show({ ...request, title: 'SPY is High Risk still' }, first.desktop ?? null);
      expect(shown.map(({ replaces, title }) => [replaces, title])).toEqual([
        [0, 'SPY is High Risk'],
        [1, 'SPY is High Risk still'],
      ]);
      await notifier.close();
      await close();
    } finally {
      daemon.kill();
    }
  });
});
