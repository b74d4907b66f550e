// Test: a table by keyboard and pointer.
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import { type Column, Table } from './table.tsx';

interface Delivery {
  readonly id: string;
  readonly attempts: number;
}
const DELIVERIES: readonly Delivery[] = [
  { id: 'a', attempts: 1 },
  { id: 'b', attempts: 3 },
  { id: 'c', attempts: 2 },
];
const COLUMNS: readonly Column<Delivery>[] = [
  { name: 'Delivery', cell: ({ id }) => `delivery ${id}` },
  { name: 'Attempts', className: 'num', cellClass: 'cond', cell: ({ attempts }) => attempts, cellTitle: () => 'tries' },
  { name: 'Acts', isSpoken: true, cell: ({ id }) => <button type="button">{`replay ${id}`}</button> },
];

function ChoiceTable() {
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Table
      label="Deliveries"
      columns={COLUMNS}
      rows={DELIVERIES}
      keyOf={({ id }) => id}
      choice={{ isChosen: ({ id }) => id === chosen, onChoose: ({ id }) => setChosen(id) }}
    />
  );
}

const chosen = (): string[] => screen.queryAllByRole('button', { pressed: true }).map(({ textContent }) => textContent);
const button = (id: string): HTMLElement => screen.getByRole('button', { name: `delivery ${id}` });

test('shows heads and cells by column; a spoken head is read and not shown', () => {
  render(<Table label="Deliveries" columns={COLUMNS} rows={DELIVERIES} keyOf={({ id }) => id} />);
  const table = screen.getByRole('table', { name: 'Deliveries' });
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Delivery', 'Attempts', 'Acts']);
  expect(screen.getByText('Acts').className).toBe('spoken');
  const [, first] = within(table).getAllByRole('row');
  const cells = within(first as HTMLElement).getAllByRole('cell');
  expect(cells.map(({ textContent }) => textContent)).toEqual(['delivery a', '1', 'replay a']);
  expect([cells[1]?.className, cells[1]?.title]).toEqual(['num cond', 'tries']);
});

test('a caption names it; a cell can be the head of its row', () => {
  const columns = COLUMNS.map((column, index) => ({ ...column, isRowHead: index === 0 }));
  render(<Table caption="By month" columns={columns} rows={DELIVERIES} keyOf={({ id }) => id} />);
  expect(screen.getByRole('table', { name: 'By month' })).toBeDefined();
  expect(screen.getByRole('rowheader', { name: 'delivery b' })).toBeDefined();
});

test('a sortable head shows its direction, and sorts on a click', async () => {
  const calls: string[] = [];
  const columns: readonly Column<Delivery>[] = [
    { name: 'Delivery', cell: ({ id }) => id, sort: { by: 'descending', onSort: () => calls.push('delivery') } },
    { name: 'Attempts', cell: ({ id }) => id, sort: { by: null, onSort: () => calls.push('attempts') } },
  ];
  render(<Table columns={columns} rows={DELIVERIES} keyOf={({ id }) => id} />);
  expect(screen.getByRole('columnheader', { name: 'Delivery' }).getAttribute('aria-sort')).toBe('descending');
  expect(screen.getByRole('columnheader', { name: 'Attempts' }).getAttribute('aria-sort')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Attempts' }));
  expect(calls).toEqual(['attempts']);
});

describe('a choosable row', () => {
  test('is chosen with the pointer, anywhere in the row', async () => {
    render(<ChoiceTable />);
    await userEvent.click(screen.getByText('3'));
    expect(chosen()).toEqual(['delivery b']);
  });

  test('is reached by one tab stop, and chosen by Enter and Space', async () => {
    render(<ChoiceTable />);
    await userEvent.tab();
    expect(document.activeElement).toBe(button('a'));
    await userEvent.keyboard('{Enter}');
    expect(chosen()).toEqual(['delivery a']);
    expect(['a', 'b', 'c'].map((id) => button(id).tabIndex)).toEqual([0, -1, -1]);
  });

  test('is chosen by arrows, J and K, Home and End from the row before', async () => {
    render(<ChoiceTable />);
    await userEvent.click(button('a'));
    await userEvent.keyboard('{ArrowDown}');
    expect([chosen(), document.activeElement]).toEqual([['delivery b'], button('b')]);
    await userEvent.keyboard('j');
    expect(chosen()).toEqual(['delivery c']);
    await userEvent.keyboard('k');
    expect(chosen()).toEqual(['delivery b']);
    await userEvent.keyboard('{Home}');
    expect(chosen()).toEqual(['delivery a']);
    await userEvent.keyboard('{End}');
    expect([chosen(), document.activeElement]).toEqual([['delivery c'], button('c')]);
  });
});
