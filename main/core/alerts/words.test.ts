// In which words it is told.
import { describe, expect, test } from 'vitest';
import type { Transition } from '../../../shared/wire/records.ts';
import { requestFor, type Telling } from './words.ts';

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
const telling = (more: Partial<Telling> = {}): Telling => ({
  id: 'n1',
  transition,
  environment: 'production',
  replay: false,
  baseRate: 12.1,
  now: Date.parse('2026-11-19T16:00:00.000Z'),
  timeZone: 'America/New_York',
  ...more,
});

describe('words', () => {
  test('state first, then why, then how much it is worth', () => {
    expect(requestFor(telling())).toEqual({
      id: 'n1',
      title: 'SPY is High Risk',
      body: 'From Elevated at 10:30. Confidence 36 %, 3 times the base rate.',
      urgency: 'critical',
      silent: false,
      symbol: 'SPY',
      answers: ['acknowledge', 'snooze'],
    });
  });
  test('the sandbox says so first, and is silent', () => {
    expect(requestFor(telling({ environment: 'sandbox' }))).toMatchObject({
      title: '[SANDBOX] SPY is High Risk',
      silent: true,
      urgency: 'normal',
    });
  });
  test('a replay says so', () => {
    expect(requestFor(telling({ replay: true })).title).toBe('[REPLAY] SPY is High Risk');
  });
  test('another day is named, another year too', () => {
    const body = (now: string): string => requestFor(telling({ now: Date.parse(now) })).body;
    expect(body('2026-11-20T04:59:00.000Z')).toContain('From Elevated at 10:30.');
    expect(body('2026-11-20T05:01:00.000Z')).toContain('From Elevated on Thu 19 Nov at 10:30.');
    expect(body('2027-01-02T05:01:00.000Z')).toContain('From Elevated on Thu 19 Nov 2026 at 10:30.');
  });
  test('what is not known is not said', () => {
    expect(requestFor(telling({ baseRate: null })).body).toBe('From Elevated at 10:30. Confidence 36 %.');
    expect(requestFor(telling({ transition: { ...transition, confidence: null } })).body).toBe(
      'From Elevated at 10:30.',
    );
    expect(requestFor(telling({ baseRate: 12.9 })).body).toContain('2.8 times the base rate');
  });
});
