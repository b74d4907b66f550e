// Test: how many symbols of the list were High Risk per day.
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { HIGH_RISK_DAYS } from '../../../shared/channels/queries.ts';
import { iso, row, snapshot, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { showMoment } from '../../store/shown-moment.ts';
import { MarketLine } from './market-line.tsx';

beforeEach(() => showMoment(null));

const LIST = { id: 'l', name: 'L', sections: [{ name: 'All', symbols: ['SPY', 'QQQ', 'BTC'] }] };
const days = Array.from({ length: HIGH_RISK_DAYS }, (_, index) =>
  iso(T0 - (HIGH_RISK_DAYS - 1 - index) * 86_400_000).slice(0, 10),
);

async function open(last: readonly (number | null)[]) {
  const counts = [...Array<null>(HIGH_RISK_DAYS - last.length).fill(null), ...last];
  const rig = await createWindowRig({
    snapshot: snapshot({
      rows: [row('SPY', 2), row('QQQ', 0), row('BTC', 0, { coverage: 'regime_only', signal: null })],
    }),
    handlers: { 'states.highRisk': () => ({ days, counts }) },
  });
  rig.render(<MarketLine list={LIST} />);
  await rig.idle();
  return rig;
}
const label = (): string | null => screen.getByRole('img').getAttribute('aria-label');
const titles = (): string[] => [...document.querySelectorAll('title')].map(({ textContent }) => textContent);

test('the market line has the most, its day and the present number; its days begin with the record', async () => {
  const rig = await open([0, 2, null, 0]);
  expect(label()).toBe('High Risk of 2, 4 days; most: 2 on 17 Nov; now 1');
  expect(titles()).toEqual([
    '16 Nov: 0 of 2 High Risk',
    '17 Nov: 2 of 2 High Risk',
    '18 Nov: no record',
    '19 Nov: 1 of 2 High Risk',
  ]);
  expect(rig.inputs('states.highRisk')).toEqual([{ symbols: ['SPY', 'QQQ'] }]);
});

test('the market line follows the rows at once, and knows no present number without data', async () => {
  const rig = await open([0]);
  await rig.pushChanges({ part: 'rows', rows: [row('QQQ', 2)] });
  expect(label()).toBe('High Risk of 2, 1 day; most: 2 on 19 Nov; now 2');
  await rig.setUp(false);
  expect(label()).toContain('; now unknown');
});

test('the last day of the market line at a past moment is the number of that moment', async () => {
  showMoment(T0 - 86_400_000);
  await open([0, 2, 2, 0]);
  expect(titles().at(-1)).toBe('18 Nov: 1 of 2 High Risk');
  expect(label()).toContain('; now 1');
});
