// Test: the reasons of an alert: the market and the record come before the notification.
import { renderHook, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, test } from 'vitest';
import type { InboxRow, Trace } from '../../../shared/channels/alerting.ts';
import type { BriefingRow } from '../../../shared/channels/archive.ts';
import type { Alert } from '../../../shared/channels/state.ts';
import { DEFAULT_RULE, type Rule } from '../../../shared/settings/alert-rules.ts';
import { message, plainMessage } from '../../../shared/text/message.ts';
import { alert, iso, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { type CoreHandlers, refuse, renderInWindow } from '../../../test/harness/window.tsx';
import { createWindowRig, type WindowRigOptions } from '../../../test/harness/window-rig.tsx';
import { useRoute } from '../../store/route.ts';
import { transitionEntry } from './episodes.ts';
import type { Line } from './filters.ts';
import type { LineActs } from './use-line-acts.ts';
import { Note, Why } from './why.tsx';
import { indicatorOf, missMessage, whySentence } from './why-text.ts';

const NOTE = 'Trades 4.2 % below its 21-day high, 78 % of the way to a breach at 86.46. Moved most: Clarity down.';

async function textOf(note: string, handlers: WindowRigOptions['handlers'] = {}): Promise<string> {
  const row = { alert: alert({ ...transition('XLB', 1, 2, T0), note }, 7), ended: null, changes: 1 };
  const line: Line = { ...transitionEntry(row), outcome: { kind: 'needs_you' } };
  const rig = await createWindowRig({
    handlers: {
      'alerts.trace': () => ({ ledger_id: 7, event_id: 'e7', event: 'signal.high_risk', steps: [], silent: [] }),
      ...handlers,
    },
  });
  rig.render(<Why line={line} acts={{ acknowledge: () => undefined } as LineActs} onClose={() => undefined} />);
  await rig.idle();
  return screen.getByRole('complementary', { name: 'Why' }).textContent;
}

test('the service’s own sentence comes first, then the record, then the notification', async () => {
  const text = await textOf(NOTE);
  const at = [NOTE, 'Chance of a fall', 'Notification'].map((part) => text.indexOf(part));
  expect(at.every((index) => index >= 0)).toBe(true);
  expect(at).toEqual(at.toSorted((a, b) => a - b));
});

test('the briefing about the transition is one click away', async () => {
  const briefing: BriefingRow = {
    ...{ id: 'b1', title: 'Materials: XLB turns High Risk', type: 'transition', author: 'Equity desk', date: iso(T0) },
    ...{ summary: '', symbols: ['XLB'], reading_minutes: 1, unread: true, starred: false, later: false },
    ...{ text: 'here', excerpt: null },
  };
  const asked: unknown[] = [];
  await textOf(NOTE, {
    'briefings.list': (query) => {
      asked.push(query);
      return { rows: [briefing], next: null, total: 1 };
    },
  });
  expect(asked).toMatchObject([{ types: ['transition'], symbol: 'XLB', from: iso(T0), to: iso(T0 + 600_000) }]);
  await userEvent.click(screen.getByRole('button', { name: 'Briefing: Materials: XLB turns High Risk' }));
  const route = renderHook(() => useRoute((visit) => visit)).result.current;
  expect(route).toMatchObject({ page: 'briefings', item: 'b1' });
});

test('a service without reasons leaves the rest', async () => {
  expect(await textOf('')).toContain('Notification');
});

const open = (handlers: CoreHandlers = {}) =>
  renderInWindow(<Note ledgerId={7} note="before" />, { 'alerts.note': () => ({}), ...handlers });
const field = () => screen.getByRole<HTMLTextAreaElement>('textbox');

test('a note is saved once by its button, trimmed, though the field loses the focus too', async () => {
  const { user, calls } = await open();
  expect(screen.queryByRole('button', { name: 'Save note' })).toBeNull();
  await user.clear(field());
  await user.type(field(), ' earnings ');
  await user.click(screen.getByRole('button', { name: 'Save note' }));
  expect(await screen.findByText('Saved.')).toBeDefined();
  expect(calls).toEqual([{ name: 'alerts.note', input: { ledger_id: 7, note: 'earnings' } }]);
});

test('a refused note keeps its text, and can be saved again', async () => {
  const { user, calls } = await open({ 'alerts.note': () => refuse('The disk is full.') });
  await user.type(field(), '!');
  await user.tab();
  expect(await screen.findByText('The disk is full.')).toBeDefined();
  expect(field().value).toBe('before!');
  await user.click(screen.getByRole('button', { name: 'Save note' }));
  expect(calls.length).toBe(2);
});

const row = (more: Partial<Alert> = {}): InboxRow => ({
  alert: alert(transition('SPY', 1, 2, T0), 1, more),
  ended: null,
  changes: 1,
});
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
const trace: Trace = {
  ledger_id: 1,
  event_id: 'e',
  event: 'signal.high_risk',
  silent: [],
  steps: [
    { at: iso(T0), step: 'received', detail: plainMessage('by stream') },
    { at: iso(T0 + 310), step: 'answered', detail: plainMessage('shown: taken') },
  ],
};

describe('why, in one sentence', () => {
  it.each([
    [{ notification_status: 'notified' }, trace, 'You were notified 0.3 s after it arrived.'],
    [{ notification_status: 'notified' }, null, 'You were notified.'],
    [
      { notification_status: 'waiting', reason: message('muted.quiet_hours') },
      trace,
      'You have not been notified yet: quiet hours.',
    ],
    [
      { notification_status: 'dropped', reason: message('dropped.brief') },
      trace,
      'You were not notified: it did not hold.',
    ],
    [{ decision: 'below_state:mine' }, trace, 'You were not notified: no rule matched.'],
    [
      { decision: 'before_baseline:mine' },
      trace,
      'You were not notified: it was in the log before Barograph was set up.',
    ],
    [
      {
        notification_status: 'notified',
        dispatch: { notification_id: 'n', outcome: 'failed', at: iso(T0), detail: plainMessage('no display') },
      },
      trace,
      'The notification could not be shown: no display',
    ],
  ] satisfies [Partial<Alert>, Trace | null, string][])('%j', (more, known, expected) => {
    expect(plain(whySentence(row(more), known))).toBe(expected);
  });
});

describe('why not, rule by rule', () => {
  const rule = (more: Partial<Rule>): Rule => ({ ...DEFAULT_RULE, ...more });
  it.each([
    ['other_event', rule({ events: ['regime.flip'] }), 'covers Regime flips; this is High Risk'],
    ['other_symbol', rule({ scope: { kind: 'symbols', symbols: ['QQQ'] } }), 'is about QQQ'],
    ['excepted', rule({ except: ['SPY'] }), 'leaves this symbol out'],
    ['other_class', rule({ classes: ['crypto', 'fx'] }), 'is about Crypto, Currencies'],
    ['below_state', rule({}), 'asks for High Risk'],
    ['below_confidence', rule({ min_confidence: 50 }), 'asks for 50 %; this was 36.4 %'],
    ['other_regime', rule({ regimes: ['calm_uptrend'] }), 'asks for Calm Uptrend; this was Stress'],
    [
      'outside_hours',
      rule({ hours: { kind: 'daily', zone: 'UTC', days: [0, 1, 2, 3, 4, 5, 6], from: '20:00', to: '04:00' } }),
      'notifies every day 20:00 to 04:00, UTC only',
    ],
    ['other_profile', rule({ profiles: ['replay20', 'desk'] }), 'applies in replay20, desk only'],
    ['disabled', rule({ enabled: false }), 'is disabled'],
    ['expired', rule({}), 'had ended'],
  ] as const)('%s', (miss, one, expected) => {
    expect(missMessage(miss, one, row(), 'signal.high_risk')).toBe(expected);
  });
});

it('an indicator says whether a step continued, waits, or ended', () => {
  const indicators = (
    [
      ['received', 'by stream'],
      ['repeated', 'by backfill'],
      ['evaluated', 'Not notified. The nearest rule'],
      ['evaluated', message('decision.nearest', { miss: 'disabled', rule: 'mine' })],
      ['evaluated', message('decision.notified', { rules: 'mine' })],
      ['answered', message('trace.answered_with', { outcome: 'failed', detail: '503' })],
      ['answered', message('trace.answered', { outcome: 'shown' })],
      ['evaluated', 'Not told. The nearest rule'],
      ['waits', 'Held back'],
      ['answered', 'refused: 503'],
      ['dropped', 'it did not hold'],
    ] as const
  ).map(([step, detail]) =>
    indicatorOf({ at: iso(T0), step, detail: typeof detail === 'string' ? plainMessage(detail) : detail }),
  );
  expect(indicators).toEqual(['ok', 'none', 'down', 'down', 'ok', 'down', 'ok', 'down', 'degraded', 'down', 'down']);
});
