// Test: the form of the outage alarm.
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { alerting } from '../../../test/fixtures/feature-fixtures.ts';
import { type CoreHandlers, refuse, renderInWindow } from '../../../test/harness/window.tsx';
import { OutageAlarmSection } from './outage-alarm-section.tsx';

const MARKET = 'Notify after, while a market of a watched symbol is open';
const OTHER = 'Notify after, at all other times';

async function open(more: CoreHandlers = {}) {
  const rig = await renderInWindow(<OutageAlarmSection />, {
    'alerting.read': () => alerting({ outage_alarm: { market_minutes: 2, other_minutes: 30 } }),
    'outageAlarm.save': () => ({}),
    ...more,
  });
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: MARKET });
  const type = async (text: string): Promise<void> => {
    await rig.user.clear(field);
    await rig.user.type(field, text);
  };
  return { ...rig, field, type };
}

test('the form of the outage alarm saves both numbers and says so until the next edit', async () => {
  const { user, calls, type, field } = await open();
  await type('15');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved.')).toBeDefined();
  expect(calls).toEqual([
    { name: 'outageAlarm.save', input: { outage_alarm: { market_minutes: 15, other_minutes: 30 } } },
  ]);
  await user.type(field, '0');
  expect(screen.queryByText('Saved.')).toBeNull();
});

test.each(['0', '241', 'two', '1.5', ''])(
  'the form of the outage alarm shows at the field that %j cannot be saved, and sends nothing',
  async (text) => {
    const { user, calls, field } = await open();
    await user.clear(field);
    if (text !== '') await user.type(field, text);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Whole minutes, from 1 to 240.');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field);
    expect(calls).toEqual([]);
  },
);

test("the form of the outage alarm shows the core's reason for a refusal", async () => {
  const { user, type } = await open({ 'outageAlarm.save': () => refuse('The disk is full.') });
  await type('15');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect((await screen.findByText('The disk is full.')).getAttribute('role')).toBe('status');
});

test('a number saved in another window appears, but not over an edit', async () => {
  const { push, type, field } = await open();
  await type('15');
  await push('alerting.changed', alerting({ outage_alarm: { market_minutes: 9, other_minutes: 90 } }));
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: OTHER }).value).toBe('90');
  expect(field.value).toBe('15');
});

test('a saved number is no longer an edit: the next one of another window appears', async () => {
  const { push, type, field, user } = await open();
  await type('15');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved.');
  await push('alerting.changed', alerting({ outage_alarm: { market_minutes: 9, other_minutes: 30 } }));
  expect(field.value).toBe('9');
});
