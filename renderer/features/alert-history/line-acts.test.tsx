// Test: the actions that apply to chosen lines.
import { expect, it } from 'vitest';
import type { InboxRow } from '../../../shared/channels/alerting.ts';
import type { Alert } from '../../../shared/channels/state.ts';
import type { State } from '../../../shared/domain/states.ts';
import { alert, iso, T0, transition } from '../../../test/fixtures/window-fixtures.ts';
import { outcomeOf } from '../../store/alert-outcome.ts';
import { episodesOf } from './episodes.ts';
import type { Line } from './filters.ts';
import { acknowledgeable, needing, snoozable } from './use-line-acts.ts';

const row = (id: number, from: State, to: State, more: Partial<Alert> = {}): InboxRow => ({
  alert: alert(transition('SPY', from, to, T0 + id * 60_000, `e${id}`), id, more),
  ended: null,
  changes: 1,
});
const lines = (rows: InboxRow[]): Line[] =>
  episodesOf(rows.reverse()).map((entry) => ({
    ...entry,
    outcome: outcomeOf(entry.subject.alert, entry.to === null, []),
  }));
const ids = (alerts: readonly Alert[]): number[] => alerts.map(({ ledger_id }) => ledger_id);

it('an open episode is acknowledged with all its notifications, and snoozed by its current state', () => {
  const open = lines([
    row(1, 0, 2, { notification_status: 'notified' }),
    row(2, 2, 1),
    row(3, 1, 2, { notification_status: 'notified' }),
  ]);
  expect([ids(acknowledgeable(open)), ids(snoozable(open))]).toEqual([[1, 3], [3]]);
});
it('all that is shown and needs attention counts, not what can be acknowledged besides', () => {
  const shown = lines([
    row(1, 0, 2, { notification_status: 'notified', needs_attention: false }),
    row(2, 2, 1),
    row(3, 1, 2, { notification_status: 'notified', needs_attention: true }),
  ]);
  expect([ids(acknowledgeable(shown)), ids(needing(shown))]).toEqual([[1, 3], [3]]);
});
it('an acknowledged alert is not acknowledged again; one that is over is not snoozed', () => {
  const over = lines([
    row(1, 0, 2, { notification_status: 'notified', acked_at: iso(T0) }),
    row(2, 2, 1),
    row(3, 1, 0),
  ]);
  expect([ids(acknowledgeable(over)), ids(snoozable(over))]).toEqual([[], []]);
});
