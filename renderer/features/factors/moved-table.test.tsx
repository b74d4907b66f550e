// Test: the table of moved factors.
import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { FACTOR_DIMENSIONS } from '../../../shared/domain/factors.ts';
import { MovedTable } from './factors-view.tsx';

test('lists each dimension by name, with its power, its move and their meaning', () => {
  const code = 'D-03' as const;
  const name = FACTOR_DIMENSIONS.find((dimension) => dimension.code === code)?.name ?? '';
  const move = { code, name, now: 0.8, moved: 0.3, share: 0.4 };
  render(<MovedTable symbol="SPY" moves={[move]} />);
  const table = screen.getByRole('table', { name: /SPY/ });
  expect(within(table).getByRole('rowheader', { name })).toBeDefined();
  const cells = within(table)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
  expect(cells[0]).toBe(code);
  expect(cells[1]).toBe('.80');
  expect(cells.at(-1)).not.toBe('');
});
