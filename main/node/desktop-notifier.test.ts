// Test: hand-overs to the desktop over a real bus: one in this process, and the machine's own dbus-daemon where it has one.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NotificationRequest } from '../core/ports.ts';
import { createDesktopNotifier, type DesktopNotifier, sessionBusAddress } from './desktop-notifier.ts';
import { type FakeBus, type FakeDesktop, startBus, startDesktop } from './fake-desktop.ts';

/** Optional on the machine. */
const DAEMON = 'dbus-daemon';
const request: NotificationRequest = {
  id: 'barograph:evt_1',
  title: 'SPY is High Risk',
  body: 'Confidence 36 % < 50 % & rising',
  urgency: 'critical',
  silent: true,
  symbol: 'SPY',
};

describe('address of the session bus', () => {
  test('is what the environment names, else the one of the login session, else none', () => {
    expect(sessionBusAddress({ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/a' })).toBe('unix:path=/a');
    expect(sessionBusAddress({ DBUS_SESSION_BUS_ADDRESS: '', XDG_RUNTIME_DIR: '/nowhere' })).toBeNull();
    expect(sessionBusAddress({})).toBeNull();
  });
});

describe('over a bus', () => {
  let folder: string;
  let bus: FakeBus;
  const opened: { close(): Promise<void> }[] = [];
  const notifierAt = async (at: string | null): Promise<DesktopNotifier> => {
    const notifier = await createDesktopNotifier(at);
    opened.push(notifier);
    return notifier;
  };
  const desktop = async (markup = true): Promise<FakeDesktop> => {
    const started = await startDesktop(bus.address, markup);
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

  test('a notification is handed over with urgency, silence and its words as they are', async () => {
    const { shown } = await desktop();
    const notifier = await notifierAt(bus.address);
    expect(notifier.status()).toEqual({ tier: 'system', detail: 'Notifications go to fake 1.0.' });
    const outcome = await notifier.show(request, null);
    expect(outcome).toMatchObject({ tier: 'system', detail: 'fake 1.0', desktop: { number: 1 } });
    expect(shown).toEqual([
      {
        app: 'Barograph',
        replaces: 0,
        title: 'SPY is High Risk',
        body: 'Confidence 36 % &lt; 50 % &amp; rising',
        hints: { urgency: 2, 'suppress-sound': true, 'desktop-entry': 'barograph', 'x-dunst-stack-tag': request.id },
        expiry: 0,
      },
    ]);
  });

  test('a desktop that does not read markup gets the plain words', async () => {
    const { shown } = await desktop(false);
    await (await notifierAt(bus.address)).show({ ...request, urgency: 'normal' }, null);
    expect(shown[0]).toMatchObject({ body: request.body, expiry: -1 });
  });

  test('the same notification replaces its own, also from another process of ours', async () => {
    const { shown } = await desktop();
    const first = await (await notifierAt(bus.address)).show(request, null);
    const again = await (await notifierAt(bus.address)).show(request, first.desktop ?? null);
    expect(again.desktop).toEqual(first.desktop);
    expect(shown.map(({ replaces }) => replaces)).toEqual([0, 1]);
  });

  test('a number of another desktop is not used: it may be somebody else’s notification', async () => {
    const old = await desktop();
    const notifier = await notifierAt(bus.address);
    const first = await notifier.show(request, null);
    await old.close();
    const fresh = await desktop();
    await notifier.show(request, first.desktop ?? null);
    await notifier.show(request, { bus: 'another', owner: first.desktop?.owner ?? '', number: 9 });
    expect(fresh.shown.map(({ replaces }) => replaces)).toEqual([0, 0]);
  });

  test('where nobody shows notifications it says so, and uses a desktop that comes later', async () => {
    const notifier = await notifierAt(bus.address);
    expect(notifier.status().tier).toBe('in_app');
    expect(notifier.status().detail).toMatch(/^Nothing on this desktop shows notifications \(/);
    expect(await notifier.show(request, null)).toMatchObject({ tier: 'in_app' });
    const { shown } = await desktop();
    expect(await notifier.show(request, null)).toMatchObject({ tier: 'system' });
    expect(notifier.status().tier).toBe('system');
    expect(shown).toHaveLength(1);
  });

  test('a bus that goes away is said, and found again', async () => {
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
      detail: expect.stringMatching(/^(There is no D-Bus|The notification service does not answer \().*\.$/),
    });
  });
});

describe.skipIf(!has(DAEMON))('over the dbus-daemon of this machine', () => {
  test('a notification is handed over and replaced', async () => {
    const daemon = spawn(DAEMON, ['--session', '--nofork', '--print-address=1'], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const address = await new Promise<string>((resolve) => daemon.stdout.once('data', (line) => resolve(String(line).trim())));
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

function has(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
