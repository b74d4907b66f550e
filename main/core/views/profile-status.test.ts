// Test: the status of a profile in the list of all profiles.
import { expect, test } from 'vitest';
import { message } from '../../../shared/text/message.ts';
import { row, signal } from '../../../test/fixtures/window-fixtures.ts';
import { withTexts } from '../../../test/harness/message-texts.ts';
import { profileStatusOf } from './profile-status.ts';

const old = (symbol: string, decided_at: string) =>
  row(symbol, 2, { stale: true, signal: signal(symbol, 2, { data_health: 'stale', decided_at }) });

test('with old prices alone nothing is fresh, and no state counts as present', () => {
  const rows = [old('SPY', '2026-07-24T20:00:00.000Z'), old('QQQ', '2014-01-03T21:00:00.000Z')];
  expect(withTexts(profileStatusOf({ outage: null }, false, rows))).toEqual({
    offlineReason: null,
    staleReason: 'No price is current: the newest is of Fri 24 Jul 2026.',
    replay: false,
    high: 0,
  });
});

test('one current price of a profile is enough for it not to be stale', () => {
  const rows = [old('SPY', '2026-07-24T20:00:00.000Z'), row('QQQ', 2)];
  expect(profileStatusOf({ outage: null }, false, rows)).toMatchObject({ staleReason: null, high: 1 });
});

test('a profile in an outage counts no symbol as High Risk now: each may have changed since', () => {
  const outage = { since: '2026-07-27T14:00:00.000Z', cause: message('service.starting', { progress: null }) };
  expect(profileStatusOf({ outage }, false, [row('SPY', 2)])).toMatchObject({ high: 0 });
});
