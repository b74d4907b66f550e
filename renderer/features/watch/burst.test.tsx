// Test: how often the page Watch is drawn in a burst.
import { act, screen } from '@testing-library/react';
import { Profiler } from 'react';
import { expect, test } from 'vitest';
import { row, snapshot } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { WatchPage } from './watch-page.tsx';

const SYMBOLS = Array.from({ length: 500 }, (_, index) => `S${index + 1}`);

test('500 rows that change one after the other within a frame are drawn in that frame and in no other', async () => {
  const jobs: (() => void)[] = [];
  const frame = (): Promise<void> => act(async () => jobs.splice(0).forEach((job) => void job()));
  const before = snapshot({
    rows: SYMBOLS.map((symbol) => row(symbol, 0)),
    watchlists: [{ id: 'core', name: 'Core', sections: [{ name: 'All', symbols: SYMBOLS }] }],
    selected: null,
  });
  const rig = await createWindowRig({ snapshot: before, request: (job) => jobs.push(job) });
  await frame();
  let drawn = 0;
  const count = (): void => {
    drawn += 1;
  };
  rig.render(
    <Profiler id="page" onRender={count}>
      <WatchPage />
    </Profiler>,
  );
  await rig.idle();
  await frame();
  // What follows the list is there.
  await screen.findByRole('heading', { name: 'Alert inbox' });
  expect(screen.getByRole('row', { name: /^S1, Normal/ })).toBeDefined();
  drawn = 0;
  for (const [index, symbol] of SYMBOLS.entries()) {
    rig.push('state.changed', {
      number: before.number + index + 1,
      changes: [{ part: 'rows', rows: [row(symbol, 2)] }],
    });
    await rig.idle();
  }
  expect([drawn, jobs.length]).toEqual([0, 1]);
  await frame();
  expect(screen.getByRole('row', { name: /^S1, High Risk/ })).toBeDefined();
  // The second draws the highlights of the first changes. React does both before the page is painted.
  expect([drawn, jobs.length]).toEqual([2, 0]);
});
