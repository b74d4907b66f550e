// Test: was it worth it: the verdict in words, the symbols, the chosen one in money, the user's own alerts.
import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { OwnAlerts, WorthRecord } from '../../../shared/channels/worth.ts';
import type { Difference, Worth } from '../../../shared/domain/worth.ts';
import { message } from '../../../shared/text/message.ts';
import { iso, snapshot, T0 } from '../../../test/fixtures/window-fixtures.ts';
import { refuseWith } from '../../../test/harness/window.tsx';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { preferences } from '../../store/preferences.ts';
import { resetViewState } from '../../store/view-state.ts';
import { WorthView } from './worth-view.tsx';

beforeEach(() => {
  resetViewState();
  preferences.setWorth({ way: 'leave', cost: 0.05 });
});

const difference = (value: number, low: number, high: number, beats: number): Difference => ({
  value,
  interval: { low, high },
  random: { low: -0.03, median: -0.011, high: 0.01 },
  beats,
});
const worthOf = (gain: Difference, cut: Difference): Worth => ({
  from: 17_000,
  to: 20_653,
  alerts: 11,
  out: 0.09,
  turns: 22,
  paid: 0.023,
  holding: { money: 3.736, yearly: 0.141, fall: 0.316 },
  acting: { money: 3.388, yearly: 0.13, fall: 0.256 },
  random: { money: { low: 2.6, high: 4.185 }, yearly: { low: 0.1, high: 0.154 }, fall: { low: 0.265, high: 0.34 } },
  gain,
  cut,
});
const lost = worthOf(difference(-0.011, -0.057, 0.037, 0.4), difference(0.06, 0.02, 0.09, 0.98));
const record: WorthRecord = {
  isGiven: true,
  list: lost,
  rows: [
    { symbol: 'SPY', worth: lost },
    { symbol: 'QQQ', worth: worthOf(difference(-0.074, -0.12, -0.02, 0.01), difference(-0.04, -0.1, 0.02, 0.2)) },
    { symbol: 'NEW', worth: 'short' },
  ],
};
const course = {
  days: [17_000, 18_000, 20_653],
  holding: [1, 2, 3.736],
  acting: [1, 1.9, 3.388],
  holdingBelow: [0, 0.316, 0.1],
  actingBelow: [0, 0.256, 0.1],
  random: {
    money: [1, 1.8, 3].map((low) => ({ low, high: low + 1 })),
    below: [0, 0.1, 0.1].map((low) => ({ low, high: low + 0.2 })),
  },
};
const alert = (id: number, followed: OwnAlerts['alerts'][number]['followed'], acked: number | null) => ({
  ledger_id: id,
  symbol: 'SPY',
  at: iso(T0 - id * 86_400_000),
  followed,
  acked_after_ms: acked,
  usual: 24,
});
const alerts = [
  alert(4, 'fall', 120_000),
  alert(3, 'no_fall', 360_000),
  alert(2, 'fallen', null),
  alert(1, 'open', null),
];

async function open(
  of: WorthRecord | (() => WorthRecord | Promise<WorthRecord>) = record,
  own: OwnAlerts['alerts'] = alerts,
) {
  const watchlists = [{ id: 'l', name: 'Desk list', sections: [{ name: 'All', symbols: ['SPY', 'QQQ', 'NEW'] }] }];
  const rig = await createWindowRig({
    snapshot: snapshot({ watchlists }),
    handlers: {
      'worth.read': () => (typeof of === 'function' ? of() : of),
      'worth.course': ({ symbols }) => ({
        worth: lost,
        course,
        out: symbols.length === 1 ? [{ from: 17_900, to: 18_100 }] : [],
      }),
      'worth.alerts': () => ({ from: iso(T0 - 365 * 86_400_000), alerts: own }),
    },
  });
  rig.render(<WorthView />);
  await rig.idle();
  return rig;
}
const cells = (name: RegExp): (string | null)[] =>
  within(screen.getByRole('row', { name }))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent?.replaceAll('\u00a0', ' ') ?? null);

test('the verdict says what was won and what was not, each with its interval and random alerts', async () => {
  await open();
  const verdict = screen.getByRole('region', { name: 'Was it worth it?' });
  expect(verdict.textContent.replaceAll('\u00a0', ' ')).toBe(
    [
      'Smaller falls, not more money',
      'Leaving the list at High Risk against holding, Jul 2016 to Jul 2026, after costs',
      '−1.1 points a year',
      '−5.7 to +3.7: may be nothing. Random alerts: −1.1',
      '−25.6 % worst fall, holding −31.6 %',
      '6.0 points saved, +2.0 to +9.0. Random alerts: −1.1',
    ].join(''),
  );
});

test('each symbol has its differences with intervals in words; one that loses says so; one without closes says why', async () => {
  await open();
  expect(cells(/^SPY/)).toEqual(['11', '9 %', '−1.1 (−5.7 to +3.7: may be nothing)', '+6.0 (+2.0 to +9.0)']);
  expect(cells(/^QQQ/)[2]).toBe('−7.4 (−12.0 to −2.0)');
  expect(cells(/^NEW/)).toEqual(['–', '–', 'less than a year of closes', '']);
  expect(screen.getByText(/^Worst fall cut on 1 of 2, on 1 beyond chance/).textContent).toContain(
    'beyond chance on 0, worse beyond chance on 1 (QQQ). Chance alone gives about 0 of each.',
  );
});

test('a chosen symbol is shown in money, with its results beside those of random alerts', async () => {
  const rig = await open();
  expect(screen.getByRole('heading', { name: 'Desk list' })).toBeDefined();
  expect(rig.inputs('worth.course')).toEqual([{ symbols: ['SPY', 'QQQ'], way: 'leave', cost: 0.0005 }]);
  await userEvent.click(screen.getByRole('button', { name: 'SPY' }));
  await rig.idle();
  expect(screen.getByText(/for 100,000 held 10 years/).textContent.replaceAll('\u00a0', ' ')).toBe(
    '−34,800 for 100,000 held 10 years, and a worst fall of −25.6 % instead of −31.6 %.',
  );
  expect(screen.getByText(/^Return −1.1 points a year/).textContent).toBe(
    'Return −1.1 points a year, −5.7 to +3.7: may be nothing. The cut of the fall beats 98 of 100 random alerts of equal length.',
  );
  expect(cells(/^Leaving at High Risk/)).toEqual(['338,800', '+13.0 %', '−25.6 %', '9 %', '22', '2,300']);
  expect(cells(/^Random alerts/)[2]).toBe('−34.0 % to −26.5 %');
  const chart = screen.getByRole('figure', { name: /^100,000 in SPY/ });
  expect(chart.querySelectorAll('.out')).toHaveLength(2);
  const steps = within(chart).getByRole('slider');
  steps.focus();
  await userEvent.keyboard('{Home}{ArrowRight}');
  expect(steps.getAttribute('aria-valuetext')).toContain(
    ': holding 200,000, acting 190,000, random 180,000 to 280,000',
  );
});

test('the way and the cost of a turn are kept; the last figures stay until the new ones are there', async () => {
  const rig = await open();
  const cost = screen.getByRole('textbox', { name: /^Cost a turn/ });
  await userEvent.clear(cost);
  await userEvent.type(cost, '-1');
  expect(screen.getByText('A percentage from 0 to 10.')).toBeDefined();
  await userEvent.clear(cost);
  await userEvent.type(cost, '0,2{Enter}');
  await userEvent.click(screen.getByRole('button', { name: 'Hedge' }));
  expect(screen.getByRole('region', { name: 'Was it worth it?' })).toBeDefined();
  await rig.idle();
  expect(rig.inputs('worth.read').at(-1)).toEqual({ symbols: ['SPY', 'QQQ', 'NEW'], way: 'hedge', cost: 0.002 });
  expect(preferences.read().worth).toEqual({ way: 'hedge', cost: 0.2 });
});

test('own alerts: what followed with its interval beside any day, and when they were acknowledged', async () => {
  await open();
  const own = screen.getByRole('region', { name: 'My 4 alerts, last 12 months' });
  expect(
    within(own)
      .getByText(/^A fall came/)
      .textContent.replaceAll('\u00a0', ' '),
  ).toBe(
    'A fall came after 1 of 2, 50 % (12 to 88); after any day 24 %. 1 not decided yet, 1 told after the fall, withdrawn or not known. 2 acknowledged, half of them within 2 min; 2 never.',
  );
  await userEvent.click(within(own).getByText('Each alert'));
  expect(
    within(own)
      .getAllByRole('row')
      .map(({ textContent }) => textContent.replaceAll('\u00a0', ' ')),
  ).toContain('Sun 15 NovSPYthe fall cameafter 2 min');
});

test('a service without past closes is said to be without them; the own alerts are there', async () => {
  await open({ isGiven: false, list: null, rows: [] });
  expect(screen.getByText(/^Not known: this service does not give the closes/)).toBeDefined();
  expect(screen.queryByRole('heading', { name: 'Desk list' })).toBeNull();
  expect(screen.getByRole('region', { name: 'My 4 alerts, last 12 months' })).toBeDefined();
});

test('a list without a year of closes of any symbol says so', async () => {
  await open({ isGiven: true, list: null, rows: [{ symbol: 'SPY', worth: 'no_closes' }] }, []);
  expect(screen.getByText(/^Not known: of no symbol of this list/)).toBeDefined();
  expect(screen.getByText('No High Risk of this list reached you in the last 12 months.')).toBeDefined();
});

test('figures that the service still computes are said to come, also while they are asked for again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  let send: (answer: WorthRecord) => void = () => undefined;
  const answers = [
    () => refuseWith(message('service.computing', { what: 'The figures', progress: null })),
    () => new Promise<WorthRecord>((resolve) => (send = resolve)),
  ];
  const rig = await open(() => answers.shift()?.() ?? record);
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  await pass(0);
  await rig.advance(300);
  expect(screen.getByText(/^The figures: the service is computing it/)).toBeDefined();
  await pass(5_000);
  expect(answers).toEqual([]);
  await rig.advance(300);
  expect(screen.getByText(/^The figures: the service is computing it/)).toBeDefined();
  send(record);
  await pass(0);
  expect(screen.getByRole('region', { name: 'Was it worth it?' })).toBeDefined();
});
