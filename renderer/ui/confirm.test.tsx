// Test: the dialog that confirms.
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { Confirm } from './confirm.tsx';

function open() {
  const calls: string[] = [];
  render(
    <Confirm
      heading="Remove Paper?"
      message="Its key is deleted."
      act="Remove"
      onYes={() => calls.push('yes')}
      onClose={() => calls.push('close')}
    />,
  );
  return calls;
}

test('asks by name and acts once on the button of the act', async () => {
  const calls = open();
  expect(screen.getByRole('dialog', { name: 'Remove Paper?' })).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  expect(calls).toEqual(['yes', 'close']);
});

test('Cancel closes without acting', async () => {
  const calls = open();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(calls).toEqual(['close']);
});
