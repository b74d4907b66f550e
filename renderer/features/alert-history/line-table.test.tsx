// Test: the table of the alert history by keyboard and pointer.
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, test } from 'vitest';
import { alert, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { EpisodeHistory } from './episode-history.tsx';
import { transitionEntry } from './episodes.ts';
import { type Line, outcomeSections } from './filters.ts';
import { LineTable } from './line-table.tsx';
import { view } from './view-store.ts';

const line = (symbol: string, id: number, kind: 'needs_you' | 'back'): Line => ({
  ...transitionEntry({ alert: alert(transition(symbol, 1, 2, T0 - id * 60_000), id), ended: null, changes: 1 }),
  outcome: { kind },
});
const SECTIONS = outcomeSections([line('SPY', 1, 'needs_you'), line('QQQ', 2, 'needs_you'), line('IWM', 3, 'back')]);

function History({ opened }: { opened: number[] }) {
  const [current, setCurrent] = useState<number | null>(null);
  return (
    <LineTable
      sections={SECTIONS}
      mode="transitions"
      current={current}
      onCurrent={setCurrent}
      open={null}
      onOpen={(id) => opened.push(id)}
    >
      <p>below</p>
    </LineTable>
  );
}

async function open() {
  const opened: number[] = [];
  const rig = await createWindowRig();
  rig.render(<History opened={opened} />);
  await rig.idle();
  return opened;
}

const focused = (): string | undefined => (document.activeElement as HTMLElement).dataset.row;
const chosen = (): (string | undefined)[] =>
  screen.queryAllByRole('row', { selected: true }).map(({ dataset }) => dataset.row);

beforeEach(view.chooseNone);

test('the table of alerts lists its lines below the headings of their sections', async () => {
  await open();
  const [, ...rows] = within(screen.getByRole('grid')).getAllByRole('row');
  expect(rows.map(({ dataset }) => dataset.row ?? 'heading')).toEqual(['heading', '1', '2', 'heading', '3']);
  expect(screen.getByText('below')).toBeDefined();
});

test('an episode that began before the log of the service says so, with the day of its close', async () => {
  const old = { ...line('SPY', 1, 'back'), from: T0 - 15 * 86_400_000, to: null, isBeforeLog: true };
  const rig = await createWindowRig();
  rig.render(
    <LineTable
      sections={outcomeSections([old])}
      mode="episodes"
      current={null}
      onCurrent={() => undefined}
      open={null}
      onOpen={() => undefined}
    >
      <p />
    </LineTable>,
  );
  const row = screen.getByRole('row', { name: /^SPY, .*began before the log of the service/ });
  expect(row.textContent).toMatch(/close of \d+ Nov/);
  await rig.idle();
});

describe('the keyboard', () => {
  test('moves by arrows from the first line, and by J and K from anywhere', async () => {
    await open();
    await userEvent.tab();
    expect(focused()).toBe('1');
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    expect(focused()).toBe('3');
    (document.activeElement as HTMLElement).blur();
    await userEvent.keyboard('k');
    expect(focused()).toBe('2');
  });

  test('chooses by Space, and a range by Shift and Space', async () => {
    await open();
    await userEvent.tab();
    await userEvent.keyboard(' ');
    expect(chosen()).toEqual(['1']);
    await userEvent.keyboard(' ');
    expect(chosen()).toEqual([]);
    await userEvent.keyboard(' {End}{Shift>} {/Shift}');
    expect(chosen()).toEqual(['1', '3']);
  });

  test('explains by Enter', async () => {
    const opened = await open();
    await userEvent.tab();
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(opened).toEqual([2]);
  });
});

describe('the pointer', () => {
  test('explains by a click, chooses by the box and with Ctrl', async () => {
    const opened = await open();
    await userEvent.click(screen.getByText('QQQ'));
    expect(opened).toEqual([2]);
    await userEvent.click(screen.getAllByRole('checkbox')[0] as HTMLElement);
    const user = userEvent.setup();
    await user.keyboard('{Control>}');
    await user.click(screen.getByText('IWM'));
    expect(chosen()).toEqual(['1', '3']);
    expect(opened).toEqual([2]);
  });
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

test('two weeks that were not recorded are most of the strip, however many states of the last hours follow', () => {
  const start = 14 * DAY;
  const hours = Array.from({ length: 16 }, (_, index) => ({
    state: index % 2 === 0 ? (2 as const) : (1 as const),
    from: start + index * HOUR,
    to: start + (index + 1) * HOUR,
  }));
  const segments = [{ state: null, from: 0, to: start }, ...hours];
  const { container } = render(<EpisodeHistory segments={segments} ended={false} now={start + 16 * HOUR} />);
  expect(screen.getByRole('img').getAttribute('aria-label')).toMatch(/^Not listed here for 14\sd, then High Risk 1\sh/);
  const line = container.querySelector('line');
  const unrecorded = Number(line?.getAttribute('x2')) - Number(line?.getAttribute('x1'));
  const others = [...container.querySelectorAll('rect[y="0"]')].map((one) => Number(one.getAttribute('width')));
  expect(others).toHaveLength(8);
  // Of 74 px, 16 gaps take 16.
  expect(unrecorded).toBeGreaterThan(29);
  expect(Math.min(...others)).toBeGreaterThan(1);
});
