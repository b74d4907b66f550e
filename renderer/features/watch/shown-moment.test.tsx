// Test: one control moves what the window shows through the days; alerts and connection stay those of now.
import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { Timeline } from '../../../shared/channels/queries.ts';
import type { State } from '../../../shared/domain/states.ts';
import { plainMessage } from '../../../shared/text/message.ts';
import { profiles } from '../../../test/fixtures/feature-fixtures.ts';
import { alert, connection, iso, row, snapshot, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig, type WindowRigOptions } from '../../../test/harness/window-rig.tsx';
import { type ChartModel, chartUntil, shapeChart } from '../../charts/model.ts';
import { readShownMoment, showMoment, useShownMoment } from '../../store/shown-moment.ts';
import { Inbox } from '../inbox/index.ts';
import { AsShown, PastMark, ShownMoment, TimeControl } from '../time/index.ts';
import { WatchlistPanel } from './watchlist.tsx';

const DAY = 86_400_000;
/** Closes of the last days; the newest one is half an hour ago. */
const close = (daysAgo: number): number => T0 - 1_800_000 - daysAgo * DAY;
const timeline = (symbol: string, states: readonly State[], more: Partial<Timeline> = {}): Timeline => ({
  symbol,
  points: states.map((state, index) => ({
    at: iso(close(states.length - 1 - index)),
    price: 100 + index,
    state,
    regime: 'stress',
    confidence: 30,
    confidence_of: 'event',
    base_rate: 12,
    breach_level: 90,
    breach_progress: 0.5,
  })),
  transitions: [],
  ...more,
});
const SPY = timeline('SPY', [0, 0, 2, 1, 0]);
const modelOf = (of: Timeline): ChartModel =>
  shapeChart(of, { row: null, transitions: [], gaps: [], outageSince: null, now: T0 });
const handlers = {
  'timelines.read': () => ({ timelines: [SPY] }),
  'states.highRisk': () => {
    throw new Error('no record');
  },
  'briefings.list': () => ({ rows: [], next: null, total: 0 }),
};
beforeEach(() => showMoment(null));

const MODEL = modelOf(SPY);
function Page() {
  const at = useShownMoment();
  return (
    <ShownMoment>
      <PastMark />
      <AsShown>
        <WatchlistPanel onOpen={() => undefined} />
      </AsShown>
      <TimeControl model={MODEL} range={{ from: close(2), to: T0 }} />
      <Inbox onClose={() => undefined} onOpen={() => undefined} />
      <output>{at === null ? 'now' : iso(at)}</output>
    </ShownMoment>
  );
}

async function open(options: WindowRigOptions = {}) {
  const rig = await createWindowRig({ ...options, handlers: { ...handlers, ...options.handlers } });
  rig.render(<Page />);
  await rig.idle();
  const slider = screen.getByRole<HTMLInputElement>('slider', { name: 'Day shown' });
  const move = async (to: number): Promise<void> => {
    fireEvent.change(slider, { target: { value: String(to) } });
    await rig.idle();
  };
  const press = async (name: string): Promise<void> => {
    fireEvent.click(screen.getAllByRole('button', { name })[0] as HTMLElement);
    await rig.idle();
  };
  return {
    rig,
    slider,
    move,
    press,
    rowOf: (symbol: string) => screen.getByRole('row', { name: RegExp(`^${symbol}, `) }),
  };
}

test('the list has the states, prices and distances of the shown day, read once for all days', async () => {
  const { rig, slider, move, rowOf } = await open();
  expect(slider.getAttribute('aria-valuetext')).toBe('Now');
  await move(2);
  expect(slider.getAttribute('aria-valuetext')).toBe('Tue 17 Nov 14:07');
  expect(rowOf('SPY').getAttribute('aria-label')).toMatch(/^SPY, High Risk, .*11\.8\u00a0% above the breach level/);
  expect(within(rowOf('SPY')).getByText('102.00')).toBeDefined();
  for (const to of [3, 1, 2, 0]) await move(to);
  expect(rowOf('SPY').getAttribute('aria-label')).toMatch(/^SPY, Normal, /);
  expect(rig.inputs('timelines.read')).toEqual([{ symbols: ['QQQ', 'SPY'] }]);
});

test('a step to the end keeps the focus of its button', async () => {
  const { rig, move, press } = await open();
  await move(1);
  const back = screen.getByRole('button', { name: 'One day back' });
  back.focus();
  await press('One day back');
  await press('One day back');
  expect([document.activeElement, back.getAttribute('aria-disabled')]).toEqual([back, 'true']);
  expect(readShownMoment()).toBe(close(4));
  expect(rig.inputs('timelines.read')).toHaveLength(1);
});

test('while the days of the list are read, and where they cannot be, the mark of the past says so', async () => {
  let refuse = (_why: Error): void => undefined;
  const days = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  const { rig, move } = await open({ handlers: { 'timelines.read': () => days } });
  await move(1);
  expect(screen.getByText('Reading the days of the list.')).toBeDefined();
  refuse(new Error('Gone.'));
  await rig.idle();
  expect(screen.getByText('The days of the list could not be read.')).toBeDefined();
});

test('a symbol without a record of that day is unknown, also where its state of now is known', async () => {
  const { move, rowOf } = await open();
  await move(2);
  expect(rowOf('QQQ').textContent).toContain('Unknown');
});

test('during an outage the past is as known as ever', async () => {
  const outage = { since: iso(T0), cause: plainMessage('Gone.') };
  const { move, rowOf } = await open({ snapshot: snapshot({ connection: connection({ outage }) }) });
  await move(2);
  expect(rowOf('SPY').getAttribute('aria-label')).toMatch(/^SPY, High Risk/);
});

test('a past moment is marked and announced; Escape and the button lead back to now; alerts stay', async () => {
  const high = alert(transition('QQQ', 1, 2, T0 - 1000), 5);
  const { rig, slider, move, press } = await open({
    snapshot: snapshot({ rows: [row('SPY', 0), row('QQQ', 2)], alerts: [high] }),
  });
  await move(1);
  const mark = screen.getByRole('region', { name: 'A past moment is shown' });
  expect(mark.textContent).toContain('Shown: Mon 16 Nov 14:07 New York.');
  await rig.advance(400);
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain(
    'Shown: Mon 16 Nov 14:07 New York. Alerts are of now.',
  );
  const inbox = screen.getByRole('region', { name: 'Alert inbox' });
  expect([inbox.textContent?.includes('of now'), inbox.textContent?.includes('QQQ')]).toEqual([true, true]);
  fireEvent.keyDown(document, { key: 'Escape' });
  expect(readShownMoment()).toBeNull();
  await move(1);
  screen.getAllByRole('button', { name: 'Back to now' })[0]?.focus();
  await press('Back to now');
  expect(document.activeElement).toBe(slider);
  expect(screen.queryByRole('region', { name: 'A past moment is shown' })).toBeNull();
});

test('play shows the range of the chart day by day and ends with now; pause and a step hold a day', async () => {
  const { rig, slider, press } = await open();
  await press('Play the days up to now');
  expect(slider.value).toBe('2');
  await rig.advance(1000);
  expect(slider.value).toBe('3');
  await press('Pause');
  await rig.advance(5000);
  expect(slider.value).toBe('3');
  await press('One day back');
  expect(slider.value).toBe('2');
  await press('Speed: 1 day/s'.replace(' day', '\u00a0day'));
  await press('Play the days up to now');
  for (let day = 0; day < 2; day++) await rig.advance(500);
  expect([slider.value, readShownMoment()]).toEqual(['4', null]);
  await rig.advance(5000);
  expect(readShownMoment()).toBeNull();
});

test('in a replay of the service inside the app, pause stops its clock, and the control says so', async () => {
  const { profiles: all, ...rest } = profiles();
  const source = { kind: 'prices' as const, folder: '/p', editorial: null, replay: { from: iso(T0), speed: 60 } };
  const own = { ...rest, profiles: all.map((one) => (one.name === rest.shown ? { ...one, source } : one)) };
  const { rig, press } = await open({ handlers: { 'profiles.pause': () => ({}) } });
  expect(screen.queryByRole('button', { name: 'Pause the replay' })).toBeNull();
  act(() => rig.services.ingest({ kind: 'feature', name: 'profiles', value: own }));
  await press('Pause the replay');
  await rig.pushChanges({ part: 'connection', connection: connection({ clock: { offset: 0, speed: 0 } }) });
  expect(screen.getByText('Paused')).toBeDefined();
  await press('Continue the replay');
  expect(rig.inputs('profiles.pause')).toEqual([{ paused: true }, { paused: false }]);
});

test('the chart of a past moment ends there, with the breach level of then', () => {
  const change = transition('SPY', 0, 2, close(2) - 3_600_000);
  const whole = modelOf({ ...SPY, transitions: [change, transition('SPY', 2, 0, close(1))] });
  const past = chartUntil({ ...whole, breachLevel: 50, alertLevels: [60] }, close(2));
  expect([past.points.length, past.breachLevel, past.alertLevels]).toEqual([3, 90, undefined]);
  expect(past.stateChanges.map(({ at }) => at)).toEqual([close(2) - 3_600_000]);
  expect(Math.max(...[...past.bands, ...past.regimes].map(({ to }) => to))).toBe(close(2));
});
