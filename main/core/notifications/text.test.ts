// Test: the text of notifications.
import { describe, expect, test } from 'vitest';
import type { Transition } from '../../../shared/wire/records.ts';
import { type AlertNotification, requestFor } from './text.ts';

const transition: Transition = {
  event_id: 'e1',
  symbol: 'SPY',
  asset_class: 'etf',
  from_state: 1,
  to_state: 2,
  state_name: 'high_risk',
  regime: 'stress',
  confidence: 36.4,
  note: '',
  occurred_at: '2026-11-19T15:30:00.000Z',
  model_version: 'm',
};
const notification = (more: Partial<AlertNotification> = {}): AlertNotification => ({
  id: 'n1',
  transition,
  environment: 'production',
  replay: false,
  baseRate: 12.1,
  now: Date.parse('2026-11-19T16:00:00.000Z'),
  timeZone: 'America/New_York',
  ...more,
});

describe('notification text', () => {
  test('state first, then the reason, then its significance', () => {
    expect(requestFor(notification())).toEqual({
      id: 'n1',
      title: 'SPY is High Risk',
      body: 'From Elevated at 10:30. Confidence 36 %, 3 times the base rate.',
      urgency: 'critical',
      silent: false,
      symbol: 'SPY',
      answers: ['acknowledge', 'snooze'],
    });
  });
  test('the sandbox is labelled first, and is silent', () => {
    expect(requestFor(notification({ environment: 'sandbox' }))).toMatchObject({
      title: '[SANDBOX] SPY is High Risk',
      silent: true,
      urgency: 'normal',
    });
  });
  test('a replay is labelled', () => {
    expect(requestFor(notification({ replay: true })).title).toBe('[REPLAY] SPY is High Risk');
  });
  test('another day is named, another year too', () => {
    const body = (now: string): string => requestFor(notification({ now: Date.parse(now) })).body;
    expect(body('2026-11-20T04:59:00.000Z')).toContain('From Elevated at 10:30.');
    expect(body('2026-11-20T05:01:00.000Z')).toContain('From Elevated on Thu 19 Nov at 10:30.');
    expect(body('2027-01-02T05:01:00.000Z')).toContain('From Elevated on Thu 19 Nov 2026 at 10:30.');
  });
  test('an unknown value is left out', () => {
    expect(requestFor(notification({ baseRate: null })).body).toBe('From Elevated at 10:30. Confidence 36 %.');
    expect(requestFor(notification({ transition: { ...transition, confidence: null } })).body).toBe(
      'From Elevated at 10:30.',
    );
    expect(requestFor(notification({ baseRate: 12.9 })).body).toContain('2.8 times the base rate');
  });
});
