// Test: the dialog that asks until when to snooze.
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderInWindow } from '../../../test/harness/window.tsx';
import { SnoozeUntilDialog } from './snooze-until-dialog.tsx';

const NOW = Date.parse('2026-03-02T14:30:00.000Z');

async function open() {
  const answers: unknown[] = [];
  const opener = document.body.appendChild(document.createElement('button'));
  opener.focus();
  const rig = await renderInWindow(
    <SnoozeUntilDialog
      names="SPY"
      now={NOW}
      onClose={() => answers.push('closed')}
      onAnswer={(until) => answers.push(new Date(until).toISOString())}
    />,
  );
  return { ...rig, answers, opener, field: screen.getByRole<HTMLInputElement>('textbox') };
}

test('offers two hours from now, and answers with the instant', async () => {
  const { user, answers, field } = await open();
  expect(field.value).toBe('2026-03-02 11:30');
  await user.click(screen.getByRole('button', { name: 'Snooze' }));
  await waitFor(() => expect(answers).toEqual(['2026-03-02T16:30:00.000Z']));
});

test.each([
  ['tomorrow', 'Enter a date and time, like 2026-03-04 15:30.'],
  ['2026-03-02 09:30', 'This time is in the past. Choose a later one.'],
  ['2026-04-02 09:30', 'A snooze lasts at most 30 days. For longer, add a silence.'],
])('%s is refused at the field', async (text, message) => {
  const { user, answers, field } = await open();
  await user.clear(field);
  await user.type(field, `${text}{Enter}`);
  expect((await screen.findByRole('alert')).textContent).toBe(message);
  expect(answers).toEqual([]);
});
