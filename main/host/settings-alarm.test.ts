// Test: the notification of damaged settings: once, and again until the desktop itself took it.
import { expect, test } from 'vitest';
import { type Message, plainMessage } from '../../shared/text/message.ts';
import { settle } from '../../test/harness/manual-clock.ts';
import type { Notifier } from '../core/ports.ts';
import { createSettingsAlarm } from './settings-alarm.ts';

type Tier = 'system' | 'in_app';

/**
 * @param status what the desktop is believed to do; `answers`: what it does, in order, then takes everything
 */
function rig(status: { tier: Tier }, answers: (Tier | Error)[]) {
  const shown: string[] = [];
  const now: { problem: Message | null } = { problem: plainMessage('settings.json is damaged.') };
  const notifier: Notifier = {
    status: () => ({ tier: status.tier, detail: plainMessage('') }),
    async show({ body }) {
      shown.push(body);
      const answer = answers.shift() ?? 'system';
      if (answer instanceof Error) throw answer;
      status.tier = answer;
      return { tier: answer, detail: null };
    },
  };
  const alarm = createSettingsAlarm({ problem: () => now.problem }, notifier);
  /** Seconds pass. */
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      alarm.check();
      await settle();
    }
  };
  return { shown, now, pass };
}

test('a problem is notified once, and again when there is another or it comes back', async () => {
  const { shown, now, pass } = rig({ tier: 'system' }, []);
  await pass(600);
  expect(shown).toEqual(['settings.json is damaged.']);
  now.problem = plainMessage('settings.json is of a newer version.');
  await pass(600);
  now.problem = null;
  await pass(10);
  now.problem = plainMessage('settings.json is damaged.');
  await pass(600);
  expect(shown).toHaveLength(3);
});

test('the desktop left unnoticed: notified when it is back', async () => {
  const status: { tier: Tier } = { tier: 'system' };
  const { shown, pass } = rig(status, ['in_app', 'system']);
  await pass(30);
  expect(shown).toHaveLength(1);
  status.tier = 'system';
  await pass(2);
  expect(shown).toHaveLength(2);
  await pass(600);
  expect(shown).toHaveLength(2);
});

test('a system that does not tell of its return is tried every minute', async () => {
  const { shown, pass } = rig({ tier: 'system' }, ['in_app', 'in_app', 'system']);
  await pass(30);
  expect(shown).toHaveLength(1);
  await pass(180);
  expect(shown).toHaveLength(3);
});

test('a notification that fails is tried again', async () => {
  const { shown, pass } = rig({ tier: 'system' }, [new Error('no room')]);
  await pass(10);
  expect(shown).toHaveLength(2);
});
