// Test: a grid with virtual rows.
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { rowProps, useList } from '../list/use-list.ts';
import { Grid } from './grid.tsx';

const COLUMNS = [{ name: 'Symbol' }, { name: 'State' }];
const symbols = (count: number): string[] => Array.from({ length: count }, (_, index) => `S${index + 1}`);
const same = (symbol: string): string => symbol;

function Symbols({ items, count }: { items: readonly string[]; count?: number }) {
  const [current, setCurrent] = useState<string | null>(null);
  const list = useList({ items, keyOf: same, current, onMove: setCurrent, size: { row: 20, page: 10 } });
  return (
    <Grid
      list={list}
      label="Watched"
      className="symbols"
      columns={COLUMNS}
      count={count ?? items.length}
      draw={({ item, isTabStop }, position) => (
        <tr aria-rowindex={position} aria-selected={item === current} {...rowProps(item, isTabStop)}>
          <td>{item}</td>
          <td>Normal</td>
        </tr>
      )}
    >
      {items.length === 0 && <p>Nothing is watched.</p>}
    </Grid>
  );
}

test('is a grid with a head, and reports its number of rows', () => {
  render(<Symbols items={symbols(3)} count={700} />);
  const grid = screen.getByRole('grid', { name: 'Watched' });
  expect(grid.getAttribute('aria-rowcount')).toBe('701');
  const rows = within(grid).getAllByRole('row');
  expect(rows.map((row) => row.getAttribute('aria-rowindex'))).toEqual(['1', '2', '3', '4']);
});

test('draws the rows in view; the undrawn ones keep their room', () => {
  render(<Symbols items={symbols(500)} />);
  const rows = screen.getAllByRole('row');
  expect(rows.length).toBeLessThan(60);
  const room = document.querySelector<HTMLElement>('.table-spacer td');
  expect(Number.parseFloat(room?.style.height ?? '')).toBe((500 - (rows.length - 1)) * 20);
});

test('a grid goes to its last row by End, and the position of that row is announced', async () => {
  render(<Symbols items={symbols(500)} />);
  await userEvent.tab();
  await userEvent.keyboard('{End}');
  const row = screen.getByRole('row', { selected: true });
  expect([document.activeElement, row.getAttribute('aria-rowindex'), row.textContent]).toEqual([
    row,
    '501',
    'S500Normal',
  ]);
});

test('a grid without rows is reached by Tab, so that it can be scrolled', async () => {
  render(<Symbols items={[]} />);
  await userEvent.tab();
  expect(document.activeElement?.textContent).toContain('Nothing is watched.');
});
