// Test: each dispatch is on disk before the core continues; a restart knows what is on the screen.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createClock } from '../../shared/lib/clock.ts';
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
    status: () => ({ tier: 'system', detail: 'test' }),
    async show(_request, before) {
      befores.push(before);
      return {
        tier: 'system',
        detail: 'test',
        desktop: { bus: 'b', owner: ':1.1', number: before?.number ?? befores.length },
      };
    },
  };
}

test('a line is on disk, complete and private, when show resolves', async () => {
  const log = openNotificationLog(folder, clock);
  const outcome = await log.notifierOf('sandbox', desktop()).show(request);
  expect(outcome).toEqual({ tier: 'system', detail: 'test' });
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

test('notifications shown by the window alone, or by nobody, are lines of their own', async () => {
  const log = openNotificationLog(folder, clock);
  const status = () => ({ tier: 'in_app' as const, detail: 'no bus' });
  await log.notifierOf('sandbox', { status, show: async () => status() }).show(request);
  const broken: ShellNotifier = {
    status,
    show: () => Promise.reject(new Error('gone')),
  };
  await expect(log.notifierOf('sandbox', broken).show({ ...request, id: 'n-2' })).rejects.toThrow('gone');
  expect(lines().map(({ id, tier, outcome, detail }) => [id, tier, outcome, detail])).toEqual([
    ['n-1', 'in_app', 'in_app', 'no bus'],
    ['n-2', 'in_app', 'failed', 'gone'],
  ]);
  await log.close();
});

test('concurrent dispatches are lines one after the other', async () => {
  const log = openNotificationLog(folder, clock);
  const notifier = log.notifierOf('sandbox', desktop());
  await Promise.all(Array.from({ length: 50 }, (_, number) => notifier.show({ ...request, id: `n-${number}` })));
  expect(lines()).toHaveLength(50);
  await log.close();
});

test('the desktop’s handle is recognised after a restart, on that desktop only', async () => {
  const handle: DesktopHandle = { bus: 'b-1', owner: ':1.7', number: 12 };
  const shell: ShellNotifier = {
    status: () => ({ tier: 'system', detail: 'test' }),
    show: async () => ({ tier: 'system', detail: 'test', desktop: handle }),
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
