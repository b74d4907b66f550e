// Test: the key sheet.
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { preferences } from '../../store/preferences.ts';
import { KeySheet } from './key-sheet.tsx';

const open = () => render(<KeySheet onClose={() => undefined} />);

/** "J K: next, previous line", one per line of a group. */
const linesOf = (group: string): string[] =>
  [...screen.getByRole('region', { name: group }).querySelectorAll('dl > div')].map((line) => {
    const keys = [...line.querySelectorAll('kbd')].map((key) => key.textContent);
    return `${keys.join(' ')}: ${line.querySelector('dd')?.textContent}`;
  });

test('the key sheet shows each shortcut by its first key, with what it does', () => {
  open();
  expect(linesOf('Alerts')).toContain('A Shift A: acknowledge; acknowledge all shown that need you');
  expect(linesOf('Charts')).toContain('+ - 0: zoom in, out, to the whole range');
  expect(linesOf('Briefings and news')).toContain('Space Shift Space: next page, then next unread; page back');
  expect(linesOf('Everywhere')).toEqual([
    'Ctrl K: find anything: symbols, alerts, briefings, news, actions',
    '1 …: pages',
    'I: alert inbox, when it is collapsed',
    'G S G P G U: times: exchange, local, UTC',
    '?: this sheet',
    'Esc: close the open dialog or panel; back to now',
  ]);
});

test('begins with what marks, the chance of a fall, regime and indicators mean', () => {
  open();
  const [first, second] = screen.getAllByRole('region');
  expect([first?.getAttribute('aria-label'), second?.getAttribute('aria-label')]).toEqual(['How to read it', 'Legend']);
  for (const term of ['Chance of a fall', '1.6 × usual', 'Regime', 'Breach', 'Transitions', 'Fresh, Verified'])
    expect(within(first as HTMLElement).getByText(term)).toBeDefined();
});

test('the key sheet turns single keys off and on', async () => {
  open();
  const box = within(screen.getByRole('dialog')).getByRole('checkbox', { name: /Single keys/ });
  await userEvent.click(box);
  expect(preferences.read().singleKeys).toBe(false);
  await userEvent.click(box);
  expect(preferences.read().singleKeys).toBe(true);
});
