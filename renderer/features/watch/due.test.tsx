// Test: what is due, in the header of a symbol and under More; what no list says.
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ScheduleView } from '../../../shared/channels/scheduled.ts';
import { DAY_MS, dateOf } from '../../../shared/lib/time.ts';
import { iso, row, snapshot } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { SymbolHeader } from './symbol-header.tsx';

/** Of the clock of a window rig. */
const NOW = Date.parse('2026-03-02T14:30:00.000Z');
const TOMORROW = dateOf(NOW + DAY_MS);
const EVENT: ScheduleView['events'][number] = {
  ...{ kind: 'earnings', symbol: 'SPY', date: TOMORROW, at: null, part: 'before_open' },
  ...{ zone: 'UTC', title: '', source: 'e.csv' },
};
const SOURCE: ScheduleView['sources'][number] = {
  ...{ name: 'e.csv', error: null },
  covers: [{ kind: 'earnings', until: dateOf(NOW + 30 * DAY_MS) }],
};

async function headerText(view: Partial<ScheduleView> | null): Promise<string> {
  const rig = await createWindowRig({
    snapshot: snapshot({ rows: [row('SPY', 0)] }),
    handlers:
      view === null ? {} : { 'scheduled.read': () => ({ events: [], sources: [], read_at: iso(NOW), ...view }) },
  });
  const { container, unmount } = rig.render(<SymbolHeader symbol="SPY" />);
  await rig.idle();
  screen.getByText('SPY');
  const text = container.textContent;
  unmount();
  return text;
}

test('the header says what is due within two sessions, and More what else is known and not known', async () => {
  const text = await headerText({ events: [EVENT], sources: [SOURCE] });
  expect(text).toContain('Earnings tomorrow before the open.');
  expect(text).toContain(
    'DueEarnings tomorrow before the open (e.csv); not known of the next 10 sessions: other ex-dividend day, split, central bank decision, inflation figures',
  );
});

test('what is due later, or for another symbol, is not in the header', async () => {
  const events = [
    { ...EVENT, symbol: 'QQQ' },
    { ...EVENT, date: dateOf(NOW + 9 * DAY_MS) },
  ];
  expect(await headerText({ events, sources: [SOURCE] })).not.toContain('Earnings tomorrow');
});

test('a list that cannot be read is named, and so is that there is none', async () => {
  const broken = { ...SOURCE, error: 'it is gone' };
  expect(await headerText({ sources: [broken] })).toContain('What is due is not known: e.csv cannot be read.');
  expect(await headerText({})).toContain('Not known: this service gives no list.');
  expect(await headerText(null)).not.toContain('Due');
});
