// Test: keyboard, focus and virtual rows of a list.
import { act, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import { rowProps, useList } from './use-list.ts';

interface Item {
  readonly key: string;
  readonly isHeading?: boolean;
}
const keyOf = ({ key }: Item): string => key;
const isHeading = ({ isHeading: is }: Item): boolean => is === true;
const rows = (count: number): Item[] => Array.from({ length: count }, (_, index) => ({ key: `row ${index + 1}` }));

interface TestListProps {
  readonly items: readonly Item[];
  readonly first?: string | null;
  readonly calls?: string[];
  readonly isFollowing?: boolean;
}

/** The choice follows the keyboard, as in the watchlist. */
function TestList({ items, first = null, calls = [], isFollowing = false }: TestListProps) {
  const [current, setCurrent] = useState(first);
  const enter = (row: string): void => void calls.push(`enter ${row}`);
  const list = useList({
    items,
    keyOf,
    isHeading,
    current,
    onMove: setCurrent,
    keys: {
      Enter: enter,
      ' ': (row) => calls.push(`space ${row}`),
      'Alt+ArrowUp': (row) => calls.push(`up ${row}`),
    },
    size: { row: 20, page: 10 },
    isFollowing,
  });
  return (
    <>
      <button type="button" onClick={() => setCurrent('row 300')}>
        elsewhere
      </button>
      <output>{list.lastDrawn}</output>
      <div className="scroll" role="listbox" aria-label="Rows" ref={list.scroll} {...list.handlers}>
        {list.rows.map(({ key, item, isTabStop }) =>
          isHeading(item) ? (
            <h3 key={key}>{key}</h3>
          ) : (
            // biome-ignore lint/a11y/useFocusableInteractive: rowProps make it focusable.
            <div key={key} role="option" aria-selected={key === current} {...rowProps(key, isTabStop)}>
              {key} <input aria-label={`note of ${key}`} tabIndex={-1} />
            </div>
          ),
        )}
      </div>
      <button type="button">after</button>
    </>
  );
}

const focus = (element: HTMLElement): void => act(() => element.focus());
const focused = (): string => document.activeElement?.textContent?.trim() ?? '';
const selected = (): string => screen.getByRole('option', { selected: true }).textContent.trim();

describe('the keyboard', () => {
  test('has one tab stop in the list: at the current row, else at the first', async () => {
    const page = render(<TestList items={rows(5)} first="row 3" />);
    await userEvent.tab();
    await userEvent.tab();
    expect(focused()).toBe('row 3');
    expect(screen.getAllByRole('option').filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
    page.unmount();
    render(<TestList items={rows(5)} />);
    await userEvent.tab();
    await userEvent.tab();
    expect(focused()).toBe('row 1');
  });

  test('moves by arrows, J, K, Page, Home and End, and the choice follows', async () => {
    render(<TestList items={rows(50)} first="row 3" />);
    focus(screen.getByText('row 3'));
    const go: readonly (readonly [string, string])[] = [
      ['{ArrowDown}', 'row 4'],
      ['{ArrowUp}{ArrowUp}', 'row 2'],
      ['{ArrowUp}{ArrowUp}{ArrowUp}', 'row 1'],
      ['jj', 'row 3'],
      ['k', 'row 2'],
      ['{PageDown}', 'row 12'],
      ['{PageUp}', 'row 2'],
      ['{End}', 'row 50'],
      ['{Home}', 'row 1'],
    ];
    for (const [keys, row] of go) {
      await userEvent.keyboard(keys);
      expect([focused(), selected()]).toEqual([row, row]);
    }
  });

  test('skips headings', async () => {
    const items = [{ key: 'A', isHeading: true }, { key: 'row 1' }, { key: 'B', isHeading: true }, { key: 'row 2' }];
    render(<TestList items={items} />);
    focus(screen.getByText('row 1'));
    await userEvent.keyboard('{ArrowDown}');
    expect(focused()).toBe('row 2');
  });

  test('runs further keys on the row; keys in a field of a row are text', async () => {
    const calls: string[] = [];
    render(<TestList items={rows(3)} calls={calls} />);
    focus(screen.getByText('row 2'));
    calls.length = 0;
    await userEvent.keyboard('{Enter} {Alt>}{ArrowUp}{/Alt}');
    expect(calls).toEqual(['enter row 2', 'space row 2', 'up row 2']);
    calls.length = 0;
    focus(screen.getByLabelText('note of row 2'));
    await userEvent.keyboard('{Enter}{ArrowDown}');
    expect(calls).toEqual([]);
    expect(document.activeElement).toBe(screen.getByLabelText('note of row 2'));
  });
});

describe('of many rows', () => {
  test('those in view are drawn, and the row of the tab stop', () => {
    render(<TestList items={rows(500)} first="row 400" />);
    const drawn = screen.getAllByRole('option').map(({ textContent }) => textContent.trim());
    expect(drawn.length).toBeLessThan(60);
    expect(drawn[0]).toBe('row 1');
    expect(drawn.at(-1)).toBe('row 400');
  });

  test('the keyboard reaches the last, and the drawn range is known', async () => {
    render(<TestList items={rows(500)} />);
    focus(screen.getByText('row 1'));
    await userEvent.keyboard('{End}');
    expect(focused()).toBe('row 500');
    expect(screen.getByRole('status').textContent).toBe('499');
  });

  test('a following list scrolls to the row that became current elsewhere', async () => {
    render(<TestList items={rows(500)} isFollowing />);
    await userEvent.click(screen.getByText('elsewhere'));
    expect(screen.getByRole('listbox').scrollTop).toBe(300 * 20 - 400);
    expect(focused()).toBe('elsewhere');
  });
});

describe('the focus', () => {
  test('stays with its row when rows change places', () => {
    const page = render(<TestList items={rows(3)} first="row 1" />);
    focus(screen.getByText('row 1'));
    page.rerender(<TestList items={rows(3).reverse()} first="row 1" />);
    expect(focused()).toBe('row 1');
  });

  test('comes back to a row that is drawn again, unless the user clicked elsewhere', () => {
    const page = render(<TestList items={rows(3)} first="row 1" />);
    focus(screen.getByText('row 1'));
    page.rerender(<TestList items={rows(3).slice(1)} first="row 1" />);
    page.rerender(<TestList items={rows(3)} first="row 1" />);
    expect(focused()).toBe('row 1');
    page.rerender(<TestList items={rows(3).slice(1)} first="row 1" />);
    fireEvent.pointerDown(document.body);
    page.rerender(<TestList items={rows(3)} first="row 1" />);
    expect(document.activeElement).toBe(document.body);
  });

  test('leaves the list by Tab', async () => {
    render(<TestList items={rows(3)} />);
    focus(screen.getByLabelText('note of row 3'));
    await userEvent.tab();
    expect(focused()).toBe('after');
  });
});
