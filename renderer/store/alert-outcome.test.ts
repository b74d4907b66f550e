// Test: the outcome of an alert and its actions.

import { describe, expect, it } from 'vitest';
import type { Alert } from '../../shared/channels/state.ts';
import { symbolMatchers } from '../../shared/domain/matchers.ts';
import { message } from '../../shared/text/message.ts';
import { alert, iso, T0, transition } from '../../test/fixtures/window-fixtures.ts';
import { canAcknowledge, canSnooze, groupOf, type Mute, outcomeOf } from './alert-outcome.ts';

const high = (more: Partial<Alert> = {}): Alert => alert(transition('SPY', 1, 2, T0), 1, more);
const snooze: Mute = {
  id: 1,
  kind: 'snooze',
  matchers: symbolMatchers(['SPY']),
  until: 'change',
  from: iso(T0),
  until_at: null,
  comment: '',
  made_at: iso(T0),
  pending_count: 0,
};

describe('the outcome of an alert', () => {
  it.each([
    ['told and standing', high({ notification_status: 'notified' }), true, [], 'needs_you', 'needs_you'],
    [
      'High Risk that was there before the first sight',
      high({ decision: 'before_baseline:high-risk' }),
      true,
      [],
      'needs_you',
      'needs_you',
    ],
    [
      'High Risk while the rule is disabled',
      high({ decision: 'disabled:high-risk' }),
      true,
      [],
      'needs_you',
      'needs_you',
    ],
    [
      'below the confidence that the rule asks for',
      high({ decision: 'below_confidence:sure', needs_attention: false }),
      true,
      [],
      'unmatched',
      'unmatched',
    ],
    [
      'acknowledged, whatever else',
      high({ notification_status: 'notified', acked_at: iso(T0) }),
      true,
      [snooze],
      'acknowledged',
      'taken_care',
    ],
    [
      'snoozed',
      high({ notification_status: 'notified', needs_attention: false }),
      true,
      [snooze],
      'snoozed',
      'taken_care',
    ],
    [
      'snoozed, and over',
      high({ notification_status: 'notified', needs_attention: false }),
      false,
      [snooze],
      'came_and_went',
      'came_and_went',
    ],
    [
      'another symbol snoozed',
      high({ notification_status: 'notified' }),
      true,
      [{ ...snooze, matchers: symbolMatchers(['QQQ']) }],
      'needs_you',
      'needs_you',
    ],
    [
      'silenced',
      high({ notification_status: 'waiting', reason: message('muted.silenced'), needs_attention: false }),
      true,
      [{ ...snooze, kind: 'silence' }],
      'suppressed',
      'suppressed',
    ],
    [
      'dropped',
      high({ notification_status: 'dropped', reason: message('dropped.brief'), needs_attention: false }),
      false,
      [],
      'suppressed',
      'suppressed',
    ],
    ['back in Normal', alert(transition('SPY', 2, 0, T0), 1), true, [], 'back', 'came_and_went'],
    ['watched by nobody', high({ watched: false, needs_attention: false }), true, [], 'unwatched', 'unmatched'],
    ['Elevated that no rule asks for', alert(transition('SPY', 0, 1, T0), 1), true, [], 'unmatched', 'unmatched'],
  ] satisfies [string, Alert, boolean, Mute[], string, string][])('%s', (_, one, isActive, mutes, kind, group) => {
    const outcome = outcomeOf(one, isActive, mutes);
    expect([outcome.kind, groupOf(outcome)]).toEqual([kind, group]);
  });
  it('names the rule that came nearest', () => {
    expect(outcomeOf(high({ decision: 'below_confidence:sure', needs_attention: false }), true, [])).toEqual({
      kind: 'unmatched',
      miss: 'below_confidence',
      rule: 'sure',
    });
  });
  it('offers actions only where they apply', () => {
    const can = (one: Alert, isActive: boolean) => [
      canAcknowledge(outcomeOf(one, isActive, [])),
      canSnooze(one, isActive),
    ];
    expect(can(high({ notification_status: 'notified' }), true)).toEqual([true, true]);
    expect(can(high({ notification_status: 'notified', needs_attention: false }), false)).toEqual([true, false]);
    expect(can(high({ needs_attention: false }), false)).toEqual([false, false]);
    expect(can(high({ watched: false, needs_attention: false }), true)).toEqual([false, false]);
    expect(can(high({ notification_status: 'notified', acked_at: iso(T0) }), true)).toEqual([false, true]);
  });
});
