// Test: each dispatch is on disk before the core continues; a restart knows what is on the screen.

import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClock } from '../../shared/lib/clock.ts';
import { plainMessage } from '../../shared/text/message.ts';
import { againId, notificationId } from '../core/ledger/notification-ids.ts';
import type { NotificationRequest } from '../core/ports.ts';
import { type DesktopHandle, openNotificationLog, type ShellNotifier } from './notification-log.ts';

const NOW = Date.parse('2026-03-02T14:30:00.000Z');
const clock = createClock({ now: () => NOW, setTimeout, clearTimeout });
const request: NotificationRequest = {
  id: 'n-1',
  title: 'SPY is High Risk',
  body: 'From Elevated at 10:30.\nConfidence 36 %.',
  urgency: 'critical',
  silent: false,
  symbol: 'SPY',
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'barograph-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = (): string => join(folder, 'notifications.jsonl');
const lines = (): Record<string, unknown>[] =>
  readFileSync(path(), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** A desktop that numbers its notifications and records replacements. */
function desktop(): ShellNotifier & { befores: (DesktopHandle | null)[] } {
  const befores: (DesktopHandle | null)[] = [];
  return {
    befores,
    status: () => ({ tier: 'system', detail: plainMessage('test') }),
    async show(_request, before) {
      befores.push(before);
      return {
        tier: 'system',
        detail: plainMessage('test'),
        desktop: { bus: 'b', owner: ':1.1', number: before?.number ?? befores.length },
      };
    },
  };
}

test('a line is on disk, complete and private, when show resolves', async () => {
  const log = openNotificationLog(folder, clock);
  const outcome = await log.notifierOf('sandbox', desktop()).show(request);
  expect(outcome).toEqual({ tier: 'system', detail: plainMessage('test') });
  expect(lines()).toEqual([
    {
      at: '2026-03-02T14:30:00.000Z',
      id: 'n-1',
      profile: 'sandbox',
      title: request.title,
      body: request.body,
      urgency: 'critical',
      tier: 'system',
      outcome: 'shown',
      detail: 'test',
      desktop: { bus: 'b', owner: ':1.1', number: 1 },
    },
  ]);
  expect((statSync(path()).mode & 0o777).toString(8)).toBe('600');
  await log.close();
});

test('a file that cannot be used stops no notification: its lines follow when it can be', async () => {
  mkdirSync(path());
  const log = openNotificationLog(folder, clock);
  const notifier = log.notifierOf('sandbox', desktop());
  expect(await notifier.show(request)).toMatchObject({ tier: 'system' });
  log.retry();
  expect(notifier.history?.()).toBeNull();
  rmSync(path(), { recursive: true });
  log.retry();
  await log.close();
  expect(lines()).toMatchObject([{ id: 'n-1', outcome: 'shown' }]);
});

test('the same id replaces, after a restart too; another profile is another notification', async () => {
  const before = openNotificationLog(folder, clock);
  await before.notifierOf('sandbox', desktop()).show(request);
  await before.close();

  const after = openNotificationLog(folder, clock);
  const shell = desktop();
  await after.notifierOf('sandbox', shell).show(request);
  await after.notifierOf('production', shell).show(request);
  expect(shell.befores).toEqual([{ bus: 'b', owner: ':1.1', number: 1 }, null]);
  expect(lines().map(({ replaces }) => replaces)).toEqual([undefined, true, undefined]);
  await after.close();
});

test('a withdrawal has the handle, after a restart too; a removed profile withdraws its own alone', async () => {
  const withdrawn: unknown[] = [];
  const shell: ShellNotifier = {
    ...desktop(),
    withdraw: ({ profile, id }, handle) => void withdrawn.push([profile, id, handle?.number]),
  };
  const before = openNotificationLog(folder, clock);
  await before.notifierOf('desk', shell).show(request);
  await before.notifierOf('other', shell).show(request);
  await before.close();
  const log = openNotificationLog(folder, clock);
  log.notifierOf('desk', shell).withdraw?.('n-1');
  log.withdrawAll('other', shell);
  expect(withdrawn).toEqual([
    ['desk', 'n-1', 1],
    ['other', 'n-1', 2],
  ]);
  await log.close();
});

test('a line that a crash truncated damages neither itself nor the next', async () => {
  const first = openNotificationLog(folder, clock);
  await first.notifierOf('sandbox', desktop()).show(request);
  await first.close();
  appendFileSync(path(), '{"at":"2026-03-02T14:3');
  const second = openNotificationLog(folder, clock);
  const shell = desktop();
  await second.notifierOf('sandbox', shell).show({ ...request, id: 'n-2' });
  await second.notifierOf('sandbox', shell).show(request);
  await second.close();
  const whole = readFileSync(path(), 'utf8').split('\n').slice(0, -1);
  expect(whole).toHaveLength(4);
  expect(whole[1]).toBe('{"at":"2026-03-02T14:3');
  expect(shell.befores).toEqual([null, { bus: 'b', owner: ':1.1', number: 1 }]);
});

test('a notification without a desktop has one line a run; a failed one has a line of its own', async () => {
  const log = openNotificationLog(folder, clock);
  const status = () => ({ tier: 'in_app' as const, detail: plainMessage('no bus') });
  const away = log.notifierOf('sandbox', { status, show: async () => status() });
  await away.show(request);
  await away.show(request);
  const broken: ShellNotifier = {
    status,
    show: () => Promise.reject(new Error('gone')),
  };
  await expect(log.notifierOf('sandbox', broken).show({ ...request, id: 'n-2' })).rejects.toThrow('gone');
  expect(lines().map(({ id, tier, outcome, detail }) => [id, tier, outcome, detail])).toEqual([
    ['n-1', 'in_app', 'failed', 'no bus'],
    ['n-2', 'in_app', 'failed', 'gone'],
  ]);
  await log.close();
});

test('a full disk stops no notification: unwritten lines are written with the next one that succeeds', async () => {
  const data = join(folder, 'later');
  const log = openNotificationLog(data, clock);
  const notifier = log.notifierOf('sandbox', desktop());
  expect(await notifier.show(request)).toMatchObject({ tier: 'system' });
  mkdirSync(data);
  await notifier.show({ ...request, id: 'n-2' });
  await log.close();
  const ids = readFileSync(join(data, 'notifications.jsonl'), 'utf8').match(/"id":"[^"]+"/g);
  expect(ids).toEqual(['"id":"n-1"', '"id":"n-2"']);
});

test('concurrent dispatches are lines one after the other', async () => {
  const log = openNotificationLog(folder, clock);
  const notifier = log.notifierOf('sandbox', desktop());
  await Promise.all(Array.from({ length: 50 }, (_, number) => notifier.show({ ...request, id: `n-${number}` })));
  expect(lines()).toHaveLength(50);
  await log.close();
});

test.each([
  ['one line is', 1],
  ['a thousand lines are', 1_000],
])('while %s being written, of more than a thousand others the newest thousand are kept', async (_, first) => {
  const writes: (() => void)[] = [];
  const log = openNotificationLog(folder, clock, (file, bytes) => {
    const written = Promise.withResolvers<{ bytesWritten: number }>();
    writes.push(() => written.resolve({ bytesWritten: writeSync(file, bytes) }));
    return written.promise;
  });
  const notifier = log.notifierOf('sandbox', desktop());
  const dispatch = (from: number, to: number): Promise<unknown>[] =>
    Array.from({ length: to - from }, (__, at) => notifier.show({ ...request, id: `n-${from + at}` }));
  const before = dispatch(0, first);
  await expect.poll(() => writes.length).toBe(1);
  const others = dispatch(first, first + 1_100);
  await delay(0);
  writes[0]?.();
  await expect.poll(() => writes.length).toBe(2);
  writes[1]?.();
  await Promise.all([...before, ...others]);
  const ids = lines().map(({ id }) => Number(String(id).slice(2)));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.slice(0, first)).toEqual(Array.from({ length: first }, (__, at) => at));
  expect(ids.slice(-1_000)).toEqual(Array.from({ length: 1_000 }, (__, at) => first + 100 + at));
  await log.close();
});

test('the desktop’s handle is recognised after a restart, on that desktop only', async () => {
  const handle: DesktopHandle = { bus: 'b-1', owner: ':1.7', number: 12 };
  const shell: ShellNotifier = {
    status: () => ({ tier: 'system', detail: plainMessage('test') }),
    show: async () => ({ tier: 'system', detail: plainMessage('test'), desktop: handle }),
  };
  const first = openNotificationLog(folder, clock);
  await first.notifierOf('desk', shell).show(request);
  await first.close();
  const again = openNotificationLog(folder, clock);
  expect(again.find(handle)).toEqual({ profile: 'desk', id: 'n-1' });
  expect(again.find({ ...handle, number: 13 })).toBeNull();
  expect(again.find({ ...handle, owner: ':1.8' })).toBeNull();
  expect(again.find({ ...handle, bus: 'b-2' })).toBeNull();
  await again.close();
});

test('the history of notifications has an event that was shown, whatever its id', async () => {
  const events = ['sig@1', '1%40', 'desk/1', 'outage:1', 'ledger', 'profile:removed', 'sig:again:1'];
  const log = openNotificationLog(folder, clock);
  const notifier = log.notifierOf('sandbox', desktop());
  for (const id of events.map(notificationId)) await notifier.show({ ...request, id });
  for (const id of [againId('n-2', 1), 'barograph:outage:2']) await notifier.show({ ...request, id });
  expect(notifier.history?.()?.shown).toEqual(new Set([...events, 'n-2'].map(notificationId)));
  await log.close();
});
