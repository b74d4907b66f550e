// Test: the inbox by keyboard and pointer.
import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import type { ValidationRecord } from '../../../shared/channels/queries.ts';
import type { Alert } from '../../../shared/channels/state.ts';
import { message, plainMessage } from '../../../shared/text/message.ts';
import {
  alert,
  connection,
  iso,
  PRICE_QUESTION,
  priceAlert,
  row,
  signal,
  snapshot,
  T0,
  transition,
} from '../../../test/fixtures/window-fixtures.ts';
import { createWindowRig } from '../../../test/harness/window-rig.tsx';
import { Inbox } from './inbox.tsx';
import { OutageInbox } from './outage-inbox.tsx';
import { useActs } from './use-acts.ts';

const right = { recall: 0.9, precision: 5 / 18, f1: 0.5, n_signals: 18, events: 10, calls: null };
const NONE = { full: null, holdout: null };
const RECORD: ValidationRecord = {
  ...{ computed_at: '2026-11-20T21:00:00.000Z', model_version: 'm', notes: '' },
  symbols: [{ symbol: 'SPY', full: right, holdout: right, holdout_from: '2022-02-01' }],
  details: {
    ...{
      pooled: null,
      baselines: [],
      reliability: NONE,
      high_risk: NONE,
      outcomes: null,
      uncertainty: NONE,
      scorer: {},
    },
    ...{ too_short: [], seen: [], windows: [], data_hash: null },
  },
};
const told = { notification_status: 'notified' } as const;
/** A whole threshold of ten percent, and half of one more. */
const FALLEN = {
  ...({ confidence: 58, confidence_of: 'further_fall', base_rate: 29 } as const),
  ...{ price: 95, breach_level: 100, breach_progress: 1.45 },
} as const;

async function open() {
  const rig = await createWindowRig({
    snapshot: snapshot({
      selected: 'QQQ',
      rows: [row('SPY', 2), row('QQQ', 2), row('IWM', 1)],
      alerts: [
        alert(transition('SPY', 1, 2, T0), 3, told),
        alert(transition('QQQ', 1, 2, T0 - 60_000), 2, told),
        alert(transition('IWM', 0, 1, T0 - 120_000), 1),
      ],
    }),
    handlers: { 'alerts.acknowledge': () => ({}), 'watchlist.select': () => ({}) },
  });
  rig.render(<Inbox onClose={() => undefined} onOpen={() => undefined} />);
  await rig.idle();
  return rig;
}

const itemsOf = (group: RegExp): string[] =>
  within(screen.getByRole('region', { name: group }))
    .getAllByRole('listitem')
    .flatMap(({ dataset }) => dataset.row ?? []);
/** Opens the card of an item. */
const choose = (id: string): Promise<void> =>
  userEvent.click(document.querySelector(`[data-row="${id}"] button`) as HTMLElement);
const focused = (): string | undefined => document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row;

test('the inbox groups what needs the user and what does not', async () => {
  await open();
  expect(itemsOf(/Needs attention/i)).toEqual(['3', '2']);
  await userEvent.click(screen.getByRole('button', { name: '1 Elevated: IWM' }));
  expect(itemsOf(/Elevated/i)).toEqual(['1']);
});

test('a state that rests on a price in question offers the decision; once it is withdrawn, it says why', async () => {
  const rig = await open();
  const asked = { ...row('SPY', 2), signal: signal('SPY', 2, { price_question: PRICE_QUESTION }) };
  const change = (from: 0 | 2, to: 0 | 2, at: number) => transition('SPY', from, to, at);
  const resting = alert({ ...change(0, 2, T0 + 1000), in_question: 'open', note: 'It looks like a split.' }, 8, told);
  await rig.pushChanges({ part: 'rows', rows: [asked] }, { part: 'alerts', alerts: [resting] });
  await act(() => rig.clock.advance(300));
  expect(screen.getByText('Price in question')).toBeDefined();
  await choose('8');
  expect(screen.getByRole('button', { name: 'Decide SPY' })).toBeDefined();
  const taken = { ...change(2, 0, T0 + 2000), in_question: 'withdrawn', note: 'It was a split.' } as const;
  await rig.pushChanges({ part: 'rows', rows: [row('SPY', 0)] }, { part: 'alerts', alerts: [alert(taken, 9)] });
  await act(() => rig.clock.advance(300));
  expect(screen.queryByRole('button', { name: 'Decide SPY' })).toBeNull();
  const over = screen.getByRole('region', { name: /Ended/ });
  expect(within(over).getByText('withdrawn')).toBeDefined();
  await choose('9');
  expect(within(over).getByText('It was a split.')).toBeDefined();
});

test('a card says with how many others its alert was notified', async () => {
  const rig = await open();
  const named = (symbol: string, id: number, notification: string) =>
    alert(transition(symbol, 1, 2, T0 - id * 1000), id, {
      ...told,
      dispatch: { notification_id: notification, outcome: 'shown', at: new Date(T0).toISOString(), detail: null },
    });
  await rig.pushChanges({
    part: 'alerts',
    alerts: [named('DIA', 11, 'one'), named('TLT', 12, 'many'), named('GLD', 15, 'many'), named('XLF', 16, 'many')],
  });
  await act(() => rig.clock.advance(300));
  await choose('12');
  expect(screen.getByText('From Elevated. Shown on the desktop. Notified with 2 others.')).toBeDefined();
  await choose('11');
  expect(screen.getByText('From Elevated. Shown on the desktop.')).toBeDefined();
});

test('of seventy-two alerts thirty are rows; the others are one line, which says that none is mine and opens', async () => {
  const symbol = (index: number): string => `S${index}`;
  const all = Array.from({ length: 72 }, (_, index) => index + 1);
  const holdings = { unit: 'quantity', rows: [{ symbol: symbol(9), amount: 10 }] } as const;
  const rig = await createWindowRig({
    snapshot: snapshot({
      watchlists: [
        {
          id: 'desk',
          name: 'Desk',
          sections: [{ name: 'S', symbols: all.map(symbol) }],
          holdings: { ...holdings, rows: [...holdings.rows] },
        },
      ],
      rows: all.map((index) =>
        row(symbol(index), 2, {
          signal: signal(symbol(index), 2, { breach_progress: index, breach_level: 600, price: 570, change_pct: -5 }),
        }),
      ),
      alerts: all.map((index) => alert(transition(symbol(index), 1, 2, T0), index, told)),
    }),
  });
  rig.render(<Inbox onClose={() => undefined} onOpen={() => undefined} />);
  await rig.idle();
  // My own is first, then the furthest past its breach.
  expect(itemsOf(/Needs attention/).slice(0, 3)).toEqual(['9', '72', '71']);
  expect(itemsOf(/Needs attention/)).toHaveLength(30);
  expect(
    screen.getByRole('button', { name: /^S9 High Risk To breach past 5\.0.% At stake 5,700 · 100\.0.% / }),
  ).toBeDefined();
  expect(document.querySelector('.alert-card')?.textContent).toMatch(
    /I hold 5,700 of it, 100\.0.% of my book\. Today \u2212300\./,
  );
  await userEvent.click(screen.getByRole('button', { name: '42 more, not mine' }));
  expect(screen.getByRole('button', { name: /^S1 High Risk / })).toBeDefined();
});

test('acknowledged and snoozed alerts are one line', async () => {
  const rig = await open();
  await rig.pushChanges({
    part: 'alerts',
    alerts: [alert(transition('SPY', 1, 2, T0), 3, { ...told, acked_at: iso(T0) })],
  });
  await act(() => rig.clock.advance(300));
  const line = screen.getByRole('button', { name: '1 acknowledged: SPY' });
  expect(line.getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(line);
  expect(itemsOf(/^Handled$/)).toEqual(['3']);
  await choose('3');
  expect(screen.getByText(/^Acknowledged /)).toBeDefined();
});

test('a calm inbox says what will be told next, and what came of ended alerts', async () => {
  const day = 86_400_000;
  const near = signal('SPY', 0, { price: 207.57, breach_level: 203.63 });
  const far = signal('QQQ', 0, { price: 500, breach_level: 400 });
  const claim = { confidence_of: 'event' } as const;
  const rig = await createWindowRig({
    snapshot: snapshot({
      rows: [row('SPY', 0, { signal: near }), row('QQQ', 0, { signal: far })],
      alerts: [
        alert({ ...transition('QQQ', 2, 0, T0 - 2 * day), confidence_of: 'further_fall' }, 4),
        alert({ ...transition('QQQ', 1, 2, T0 - 9 * day), ...claim }, 3, { ...told, needs_attention: false }),
      ],
    }),
  });
  rig.render(<Inbox onClose={() => undefined} onOpen={() => undefined} />);
  await rig.idle();
  expect(screen.getByText(/You will hear of SPY below 203\.63, or any of 2 at High Risk\./)).toBeDefined();
  expect(screen.getByRole('button', { name: 'QQQ High Risk 10 to 17 Nov the fall came' })).toBeDefined();
  expect(screen.getByText('1 in 30 days')).toBeDefined();
});

test('price alerts come after the High Risks, as in notifications; alone they are first', async () => {
  const rig = await open();
  const lists = (): string[] =>
    screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent.trim());
  await rig.pushChanges({ part: 'local_alerts', local_alerts: [priceAlert('GLD', 21)] });
  await act(() => rig.clock.advance(300));
  expect(lists()).toEqual(['Needs attention 2To breachAt stakeSince', 'Price alerts 1', '1 Elevated: IWM']);
  await rig.pushChanges({
    part: 'alerts',
    alerts: [
      alert(transition('SPY', 1, 2, T0), 3, { ...told, acked_at: iso(T0) }),
      alert(transition('QQQ', 1, 2, T0 - 60_000), 2, { ...told, acked_at: iso(T0) }),
    ],
  });
  await act(() => rig.clock.advance(300));
  expect(lists().slice(0, 2)).toEqual(['Price alerts 1', '2 acknowledged: SPY, QQQ']);
});

test('a High Risk has the chance of the fall, how usual that is, and the record of such calls', async () => {
  const rig = await createWindowRig({
    snapshot: snapshot({
      rows: [row('SPY', 2, { signal: signal('SPY', 2, FALLEN) })],
      alerts: [alert(transition('SPY', 1, 2, T0), 3, { ...told, base_rate: 12 })],
    }),
    handlers: { 'validation.read': () => RECORD },
  });
  rig.render(<Inbox onClose={() => undefined} onOpen={() => undefined} />);
  await rig.idle();
  expect(await screen.findByText(/5 of 18 such calls on SPY were right\./)).toBeDefined();
  const text = /of a further fall of 5\.0.% or more, to 90\.25, within 21 sessions, 2\.0 \u00d7 usual\./;
  expect(screen.getByText('58 % chance').parentElement?.textContent).toMatch(text);
  await rig.pushChanges({ part: 'rows', rows: [row('SPY', 0)] });
  await act(() => rig.clock.advance(300));
  // Over by now: the chance is that of its notification.
  expect(screen.getByText('36 % chance').parentElement?.textContent).toContain(
    'of a fall within 21 sessions, 3.0 \u00d7 usual.',
  );
});

test('of one state, the highest confidence is first where the service does not say how far prices fell', async () => {
  const rig = await open();
  const sure = (symbol: string, id: number, confidence: number | null) =>
    alert({ ...transition(symbol, 1, 2, T0 + id), confidence }, id, told);
  await rig.pushChanges({
    part: 'alerts',
    alerts: [sure('XLF', 14, null), sure('XLK', 13, 46.1), sure('TLT', 12, 40)],
  });
  await act(() => rig.clock.advance(300));
  expect(itemsOf(/Needs attention/i)).toEqual(['13', '12', '3', '2', '14']);
});

test('an item gives the service’s whole reason', async () => {
  const rig = await open();
  const note = 'Closed 4.7 % below its 21-day high, 91 % of the way to a breach at 297.49.';
  const item = alert({ ...transition('TLT', 1, 2, T0), note }, 12, told);
  await rig.pushChanges({ part: 'alerts', alerts: [item] });
  await act(() => rig.clock.advance(300));
  await choose('12');
  expect(screen.getByText(note)).toBeDefined();
});

const unsent = {
  notification_id: 'n',
  outcome: 'failed',
  at: iso(T0),
  detail: plainMessage('The disk is full.'),
} as const;
test.each<[string, Partial<Alert>, string]>([
  ['a word that is not known', { transition: { ...transition('TLT', 1, 2, T0), state_word: 'HALTED' } }, '“HALTED”'],
  ['that it was not notified', { dispatch: unsent }, 'Not notified'],
  ['that its state is over', { over_since: iso(T0 + 1000) }, 'over since 19 Nov'],
])('a row says %s in place of its figures', async (_, more, text) => {
  const rig = await open();
  await rig.pushChanges({ part: 'alerts', alerts: [alert(transition('TLT', 1, 2, T0), 12, { ...told, ...more })] });
  await act(() => rig.clock.advance(300));
  expect(screen.getByText(text, { selector: '.alert-flag' })).toBeDefined();
});

test('an alert that a mute suppressed is listed in a group of its own', async () => {
  const rig = await open();
  const suppressed = { notification_status: 'waiting', reason: message('muted.silenced'), needs_attention: false };
  await rig.pushChanges({
    part: 'alerts',
    alerts: [alert(transition('IWM', 0, 1, T0), 12, { ...suppressed, decision: 'rule' } as Partial<Alert>)],
  });
  await act(() => rig.clock.advance(300));
  expect(itemsOf(/^Suppressed, with reason$/)).toEqual(['12']);
});

describe('the keyboard', () => {
  test('stops at the buttons of one item, and goes to others by arrows, Home and End', async () => {
    await open();
    // After the two buttons of the head.
    for (let stops = 0; stops < 3; stops += 1) await userEvent.tab();
    expect(focused()).toBe('3');
    await userEvent.keyboard('{ArrowDown}');
    expect(focused()).toBe('2');
    await userEvent.keyboard('{End}');
    expect(focused()).toBe('2');
    await userEvent.keyboard('{Home}');
    expect(focused()).toBe('3');
    const stops = screen.getAllByRole('listitem').filter((item) =>
      within(item)
        .queryAllByRole('button')
        .some(({ tabIndex }) => tabIndex === 0),
    );
    expect(stops.map(({ dataset }) => dataset.row)).toEqual(['3']);
  });

  test('A acknowledges the item with the focus, else the one of the chosen symbol', async () => {
    const rig = await open();
    await userEvent.keyboard('a');
    await rig.idle();
    act(() => document.querySelector<HTMLElement>('[data-row="3"] button')?.focus());
    await userEvent.keyboard('a');
    await rig.idle();
    expect(rig.inputs('alerts.acknowledge')).toEqual([
      { ledger_ids: [2], acknowledged: true },
      { ledger_ids: [3], acknowledged: true },
    ]);
  });
});

test('once the item with the focus is acknowledged, the one below it has the focus', async () => {
  const rig = await open();
  act(() => document.querySelector<HTMLElement>('[data-row="3"] button')?.focus());
  await rig.pushChanges({
    part: 'alerts',
    alerts: [alert(transition('SPY', 1, 2, T0), 3, { ...told, acked_at: iso(T0) })],
  });
  await act(() => rig.clock.advance(300));
  expect(focused()).toBe('2');
});

test('the card is under one row: of the item with the focus, else of the chosen symbol, else of the worst', async () => {
  await open();
  const opened = (): (string | undefined)[] =>
    screen.getAllByRole('button', { expanded: true }).map((row) => row.closest('li')?.dataset.row);
  expect(opened()).toEqual(['2']);
  act(() => document.querySelector<HTMLElement>('[data-row="3"] button')?.focus());
  expect(opened()).toEqual(['3']);
});

test('a click chooses the symbol', async () => {
  const rig = await open();
  const [first] = screen.getAllByRole('listitem');
  await userEvent.click(within(first as HTMLElement).getAllByRole('button')[0] as HTMLElement);
  await rig.idle();
  expect(rig.inputs('watchlist.select')).toEqual([{ symbol: 'SPY' }]);
});

test('what is over stays under what needs attention, and says since when', async () => {
  const rig = await createWindowRig({
    snapshot: snapshot({
      rows: [row('SPY', 0)],
      alerts: [
        alert(transition('SPY', 2, 0, T0), 2),
        alert(transition('SPY', 1, 2, T0 - 300_000), 1, { ...told, over_since: new Date(T0).toISOString() }),
      ],
    }),
  });
  rig.render(<Inbox onClose={() => undefined} onOpen={() => undefined} />);
  await rig.idle();
  expect(itemsOf(/Needs attention/i)).toEqual(['1']);
  expect(screen.getByText(/^Over since .*, lasted 5 min/)).toBeTruthy();
});

test('all alerts that need attention are acknowledged together, by the button and by Shift A', async () => {
  const rig = await open();
  await userEvent.click(screen.getByRole('button', { name: /Acknowledge all 2/ }));
  await rig.idle();
  await userEvent.keyboard('{Shift>}A{/Shift}');
  await rig.idle();
  const both = { ledger_ids: [3, 2], acknowledged: true };
  expect(rig.inputs('alerts.acknowledge')).toEqual([both, both]);
});

test('the menu of an item ends with the silence of its symbol, also by the key S', async () => {
  await open();
  await userEvent.click(screen.getByRole('button', { name: /^Snooze QQQ/ }));
  expect(await screen.findByRole('menuitem', { name: /^Silence QQQ…/ })).toBeDefined();
  await userEvent.keyboard('s');
  expect(await screen.findByRole('dialog', { name: 'Silence QQQ' })).toBeDefined();
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Symbols/ }).value).toBe('QQQ');
});

async function textWith(rows: ReturnType<typeof row>[]): Promise<string | null | undefined> {
  const outage = { since: iso(T0), cause: plainMessage('It does not answer.') };
  const rig = await createWindowRig({ snapshot: snapshot({ rows, connection: connection({ outage }) }) });
  rig.render(<OutageInbox needsYou={[]} />);
  await rig.idle();
  return screen.getByText(/could change state unnoticed/).closest('p')?.textContent;
}

test('the inbox of an outage names what was High Risk and Elevated', async () => {
  expect(await textWith([row('SPY', 2), row('QQQ', 1), row('IWM', 0)])).toBe(
    '3 symbols could change state unnoticed.SPY was High Risk, 1 was Elevated.',
  );
});

test('the inbox of an outage says that all were Normal', async () => {
  expect(await textWith([row('SPY', 0), row('QQQ', 0)])).toBe(
    '2 symbols could change state unnoticed.None was High Risk or Elevated.',
  );
});

test('the inbox of an outage counts nothing where no state was ever received', async () => {
  const never = row('SPY', 0, { coverage: 'unknown', signal: null, regime: null, received_at: null });
  expect(await textWith([never])).toBe('Any symbol could change state unnoticed.');
  expect(screen.getByText('Nothing received yet.')).toBeDefined();
  expect(screen.queryByText('Nothing needed attention.')).toBeNull();
});

const ALERTS = Array.from({ length: 2_500 }, (_, index) => alert(transition('SPY', 1, 2, T0), index + 1));

function Acknowledge() {
  const { acknowledge } = useActs();
  return (
    <button type="button" onClick={() => acknowledge(ALERTS)}>
      All
    </button>
  );
}

test('2,500 alerts are acknowledged, in calls of 1,000', async () => {
  const rig = await createWindowRig({ handlers: { 'alerts.acknowledge': () => ({}) } });
  rig.render(<Acknowledge />);
  await userEvent.click(screen.getByRole('button', { name: 'All' }));
  await rig.idle();
  const inputs = rig.inputs('alerts.acknowledge') as { ledger_ids: number[] }[];
  const calls = inputs.map(({ ledger_ids }) => ledger_ids);
  expect(calls.map((ids) => ids.length)).toEqual([1_000, 1_000, 500]);
  expect(new Set(calls.flat()).size).toBe(2_500);
});
