// Test: the text that explains a notification, or its absence.

import { describe, expect, it } from 'vitest';
import type { InboxRow, Trace } from '../../../shared/channels/alerting.ts';
import type { Alert } from '../../../shared/channels/state.ts';
import { DEFAULT_RULE, type Rule } from '../../../shared/settings/alert-rules.ts';
import { message, plainMessage } from '../../../shared/text/message.ts';
import { alert, iso, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { indicatorOf, missMessage, whySentence } from './why-text.ts';

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
