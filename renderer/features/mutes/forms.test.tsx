// Test: the forms of silences and quiet hours.
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { symbolMatchers } from '../../../shared/domain/matchers.ts';
import { alerting } from '../../../test/fixtures/feature-fixtures.ts';
import { row } from '../../../test/fixtures/window-fixtures.ts';
import { type CoreHandlers, refuse, renderInWindow } from '../../../test/harness/window.tsx';
import { useApp } from '../../store/store.ts';
import { SilenceForm } from './muted-view.tsx';
import { QuietHoursForm } from './quiet-hours-form.tsx';
import { EMPTY_SILENCE, writeSilence } from './silence-draft.ts';

const press = (name: string) => screen.getByRole('button', { name });
const field = (name: string | RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name });
const alerts = () => screen.queryAllByRole('alert').map((each) => each.textContent);

const openSilence = (handlers: CoreHandlers = {}) =>
  renderInWindow(<SilenceForm />, { 'silences.add': () => ({ id: 7 }), ...handlers });

beforeEach(() => writeSilence({ ...EMPTY_SILENCE, zone: null }));

test('a silence of some symbols is added, and the form is empty again', async () => {
  const { user, calls } = await openSilence();
  await user.type(field(/^Symbols/), 'spy qqq');
  await user.type(field(/^Until/), '2026-03-04 15:30');
  await user.type(field(/^Comment/), ' earnings ');
  await user.click(press('Silence'));
  expect(await screen.findByText('Silenced.')).toBeDefined();
  expect(calls).toEqual([
    {
      name: 'silences.add',
      input: {
        matchers: symbolMatchers(['SPY', 'QQQ']),
        from: null,
        until: '2026-03-04T20:30:00.000Z',
        comment: 'earnings',
      },
    },
  ]);
  expect([field(/^Symbols/), field(/^Until/), field(/^Comment/)].map(({ value }) => value)).toEqual(['', '', '']);
});

test.each([
  [/^Symbols/, 'SPY $$$', '$$$ is not a symbol. Write them like SPY or BRK.B.'],
  [/^From/, 'soon', 'A date and time, like 2026-03-04 15:30, or nothing for now.'],
  [/^Until/, 'later', 'A date and time, like 2026-03-04 15:30.'],
  [/^Until/, '2026-03-01 10:00', 'This time is in the past. Choose a later end.'],
  [/^From/, '2026-03-05 10:00', 'The end is before the beginning.'],
])('a silence: %s %j is refused', async (name, text, message) => {
  const { user, calls } = await openSilence();
  await user.type(field(/^Until/), '2026-03-04 15:30');
  await user.clear(field(name));
  await user.type(field(name), text);
  await user.click(press('Silence'));
  await waitFor(() => expect(alerts()).toEqual([message]));
  expect(calls).toEqual([]);
});

test('a silence: presets fill in the end, and the form says what it covers', async () => {
  const { user, calls } = await openSilence();
  expect(
    screen.getByText(/^Covers 2 watched symbols, none High Risk now\. Events without a symbol too\.$/),
  ).toBeDefined();
  await user.type(field(/^Symbols/), 'spy zzz');
  expect(screen.getByText(/^Covers 1 watched symbol, 1 not watched, none High Risk now\.$/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: /^for 1 hour/ }));
  await user.click(press('Silence'));
  expect(await screen.findByText('Silenced.')).toBeDefined();
  expect(calls).toMatchObject([
    { input: { matchers: symbolMatchers(['SPY', 'ZZZ']), until: '2026-03-02T15:30:00.000Z' } },
  ]);
});

test('a silence by section and state: it says what it covers, and shows the alerts of now', async () => {
  const { user, calls, pushChanges } = await openSilence();
  await act(() => pushChanges({ part: 'rows', rows: [row('SPY', 2), row('QQQ', 1)] }));
  const choose = (name: string, value: string) =>
    user.selectOptions(screen.getAllByRole('combobox', { name }).at(-1) as HTMLElement, value);
  await choose('Label', 'Section');
  await user.click(press('Silence'));
  await waitFor(() => expect(alerts()).toContain('Choose at least one, or remove this condition.'));
  await user.click(screen.getByRole('checkbox', { name: 'Core' }));
  await user.click(press('Add a condition'));
  await choose('Label', 'State');
  await choose('Comparison', 'is not');
  await user.click(screen.getByRole('checkbox', { name: 'High Risk' }));
  const preview = screen.getByRole('list', { name: 'Alerts that it covers now' });
  expect(preview.textContent).toMatch(/^QQQElevated/);
  expect(screen.getByText('Covers 2 watched symbols, none High Risk now.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: /^for 1 hour/ }));
  await user.click(press('Silence'));
  await waitFor(() =>
    expect(calls).toMatchObject([
      {
        input: {
          matchers: [
            { name: 'section', operator: 'is', values: ['desk/Core'] },
            { name: 'state', operator: 'is_not', values: [2] },
          ],
        },
      },
    ]),
  );
});

test('a silence without a condition covers every alert, and says so', async () => {
  const { user, calls } = await openSilence();
  await user.click(press('Remove the condition Symbol'));
  expect(screen.getByText('No condition: every alert is covered.')).toBeDefined();
  expect(screen.getByText(/Events without a symbol too\.$/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: /^for 1 hour/ }));
  await user.click(press('Silence'));
  await waitFor(() => expect(calls).toMatchObject([{ input: { matchers: [] } }]));
});

test('a silence: the reason of a refusal is shown, and the text outlives a visit to another page', async () => {
  const { user, unmount } = await openSilence({ 'silences.add': () => refuse('There are too many.') });
  await user.type(field(/^Until/), '2026-03-04 15:30');
  await user.click(press('Silence'));
  expect(await screen.findByText('There are too many.')).toBeDefined();
  unmount();
  await openSilence();
  expect(field(/^Until/).value).toBe('2026-03-04 15:30');
});

function Quiet() {
  const state = useApp(({ features }) => features.alerting);
  return state === null ? null : <QuietHoursForm quiet={state.quiet} isQuiet={state.is_quiet} />;
}
const openQuiet = (handlers: CoreHandlers = {}) =>
  renderInWindow(<Quiet />, { 'alerting.read': () => alerting(), 'quiet.save': () => ({}), ...handlers });

test('quiet hours by a market are saved, follow another window, and are taken back', { tags: ['long'] }, async () => {
  const { user, calls, push } = await openQuiet();
  await user.click(press('Quiet outside of these hours'));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Market' }), 'US shares');
  await user.click(press('Save quiet hours'));
  expect(await screen.findByText('Saved.')).toBeDefined();
  const quiet = { when: 'outside', hours: { kind: 'session', calendar: 'us' } } as const;
  expect(calls).toEqual([{ name: 'quiet.save', input: { quiet } }]);
  await push('alerting.changed', alerting({ quiet }));
  expect(screen.getByText('Saved.')).toBeDefined();
  // Another window saves them.
  await push('alerting.changed', alerting({ quiet: { ...quiet, when: 'inside' } }));
  expect(press('Quiet in these hours').getAttribute('aria-pressed')).toBe('true');
  await user.click(press('None'));
  await user.click(press('Save quiet hours'));
  await waitFor(() => expect(calls[1]).toEqual({ name: 'quiet.save', input: { quiet: null } }));
});

test('quiet hours that are refused say why, and stay as they are typed', async () => {
  const { user } = await openQuiet({ 'quiet.save': () => refuse('The disk is full.') });
  await user.click(press('Quiet in these hours'));
  await user.click(press('Save quiet hours'));
  expect(await screen.findByText('The disk is full.')).toBeDefined();
  expect(screen.queryByText('Saved.')).toBeNull();
  expect(press('Quiet in these hours').getAttribute('aria-pressed')).toBe('true');
});

test("quiet hours by days and times show each field's error; None needs no times", async () => {
  const { user, calls } = await openQuiet();
  await user.click(press('Quiet in these hours'));
  await user.click(press('At times of day'));
  await user.clear(field('From'));
  await user.type(field('From'), '25:00');
  await user.click(press('Save quiet hours'));
  await waitFor(() => expect(alerts()).toEqual(['A time of day, like 09:30.']));
  expect(calls).toEqual([]);
  await user.click(press('None'));
  await user.click(press('Save quiet hours'));
  await waitFor(() => expect(calls.length).toBe(1));
});
