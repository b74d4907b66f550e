// Test: mutes: which alerts they mute, from when to when, and which change of state ends them.

import { expect, test } from 'vitest';
import { type AlertLabels, symbolMatchers } from '../../../shared/domain/matchers.ts';
import type { QuietHours } from '../../../shared/settings/alert-rules.ts';
import { type Message, textOf } from '../../../shared/text/message.ts';
import type { Mute } from '../ledger/mutes.ts';
import { endedBy, hasRunOut, mutedBy } from './mutes.ts';

const AT = Date.parse('2026-03-02T14:30:00.000Z');
const mute = (more: Partial<Mute> = {}): Mute => ({
  id: 1,
  kind: 'snooze',
  matchers: symbolMatchers(['SPY']),
  until: 'time',
  from: AT,
  untilAt: AT + 1_000,
  comment: '',
  madeAt: AT,
  ...more,
});
const labels = (symbol: string | null): AlertLabels => ({ symbol, lists: [], sections: [], class: null, state: null });
const textBy = (reason: Message | null): string | null => (reason === null ? null : textOf(reason));
const muted = (one: Mute, now = AT, symbol: string | null = 'SPY'): string | null =>
  textBy(mutedBy([one], null, labels(symbol), 'us', now));

test('a mute begins at its first instant and is over at its last', () => {
  expect([AT - 1, AT, AT + 999, AT + 1_000].map((now) => muted(mute(), now))).toEqual([
    null,
    'snoozed',
    'snoozed',
    null,
  ]);
  expect([AT + 999, AT + 1_000].map((now) => hasRunOut(mute(), now))).toEqual([false, true]);
  expect(muted(mute({ untilAt: null }), AT + 1e12)).toBe('snoozed');
});

test('a mute covers its symbols, or everything, events without a symbol included', () => {
  expect(muted(mute(), AT, 'QQQ')).toBeNull();
  expect(muted(mute(), AT, null)).toBeNull();
  expect(muted(mute({ kind: 'silence', matchers: symbolMatchers(null) }), AT, null)).toBe('silenced');
  expect(muted(mute({ kind: 'silence', matchers: symbolMatchers(null), comment: 'maintenance' }))).toBe(
    'silenced: maintenance',
  );
});

test('a snooze precedes a silence and quiet hours, whichever was made first', () => {
  const silence = mute({ kind: 'silence', matchers: symbolMatchers(null), comment: 'lunch' });
  const all = [silence, mute({ id: 2 })];
  expect(textBy(mutedBy(all, null, labels('SPY'), 'us', AT))).toBe('snoozed');
  expect(textBy(mutedBy(all, null, labels('QQQ'), 'us', AT))).toBe('silenced: lunch');
});

test('quiet hours mute where no mute does', () => {
  const quiet: QuietHours = { when: 'outside', hours: { kind: 'session', calendar: 'own' } };
  const [open, closed] = [Date.parse('2026-03-02T15:00:00Z'), Date.parse('2026-03-02T22:00:00Z')];
  expect([open, closed].map((now) => textBy(mutedBy([], quiet, labels('SPY'), 'us', now)))).toEqual([
    null,
    'quiet hours',
  ]);
  expect(textBy(mutedBy([mute({ untilAt: null })], quiet, labels('SPY'), 'us', closed))).toBe('snoozed');
});

test.each<[string, Partial<Mute>, 0 | 1 | 2, string | null]>([
  ['the next change', { until: 'change' }, 1, 'SPY changed'],
  ['recovery', { until: 'recovery' }, 0, 'SPY recovered'],
  ['recovery, by less than that', { until: 'recovery' }, 1, null],
  ['a time: a snooze is over when there is nothing left to snooze', {}, 0, 'SPY recovered'],
  ['a time: a silence stays', { kind: 'silence' }, 0, null],
  ['a time, by a change', {}, 1, null],
  ['the change of one, where it is of two', { until: 'change', matchers: symbolMatchers(['SPY', 'QQQ']) }, 1, null],
  [
    'the change of one, where it is of all',
    { until: 'change', kind: 'silence', matchers: symbolMatchers(null) },
    1,
    null,
  ],
  ['the change of another one', { until: 'change', matchers: symbolMatchers(['QQQ']) }, 1, null],
])('until %s', (_, more, to, why) => {
  expect(endedBy([mute(more)], 'SPY', to, AT)).toEqual(why === null ? [] : [{ id: 1, why }]);
});

test('an event from before it begins does not end it', () => {
  expect(endedBy([mute({ until: 'change' })], 'SPY', 1, AT - 1)).toEqual([]);
});
