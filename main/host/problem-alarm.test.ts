// Test: the notification of a problem of the data folder: once, and repeated until the desktop has shown it.
import { expect, test } from 'vitest';
import { type Message, message, plainMessage } from '../../shared/text/message.ts';
import { settle } from '../../test/harness/manual-clock.ts';
import type { Notifier } from '../core/ports.ts';
import { createProblemAlarm } from './problem-alarm.ts';

type Tier = 'system' | 'in_app';

/**
 * @param status the known status of the desktop
 * @param answers its answers in order; after them it shows every notification
 */
function rig(status: { tier: Tier }, answers: (Tier | Error)[]) {
  const [shown, titles]: [string[], string[]] = [[], []];
  const now: { problem: Message | null } = { problem: plainMessage('settings.json is damaged.') };
  const notifier: Notifier = {
    status: () => ({ tier: status.tier, detail: plainMessage('') }),
    async show({ title, body }) {
      shown.push(body);
      titles.push(title);
      const answer = answers.shift() ?? 'system';
      if (answer instanceof Error) throw answer;
      status.tier = answer;
      return { tier: answer, detail: null };
    },
  };
  const problems = (): Message[] => (now.problem === null ? [] : [now.problem]);
  const alarm = createProblemAlarm('barograph:settings', problems, notifier);
  /** Checks once a second, this many times. */
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      alarm.check();
      await settle();
    }
  };
  return { shown, titles, now, pass };
}

test('its title says whether a profile or a file is at fault', async () => {
  const { titles, now, pass } = rig({ tier: 'system' }, []);
  await pass(10);
  now.problem = message('profile.not_opened', { name: 'desk', why: 'Its price folder is not there.' });
  await pass(10);
  expect(titles).toEqual(['Barograph: a file needs you', 'Barograph: a profile is not watched']);
});

test('a problem is notified once, and again when it changes or returns', async () => {
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

test('without an event about the return of the desktop, the alarm retries every minute', async () => {
  const { shown, pass } = rig({ tier: 'system' }, ['in_app', 'in_app', 'system']);
  await pass(30);
  expect(shown).toHaveLength(1);
  await pass(180);
  expect(shown).toHaveLength(3);
});

test('the alarm retries a notification that failed', async () => {
  const { shown, pass } = rig({ tier: 'system' }, [new Error('no room')]);
  await pass(10);
  expect(shown).toHaveLength(2);
});
