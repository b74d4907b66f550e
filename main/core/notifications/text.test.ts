// Test: the text of notifications.
import { describe, expect, test } from 'vitest';
import { percent, times } from '../../../shared/text/format.ts';
import { plainMessage } from '../../../shared/text/message.ts';
import type { Transition } from '../../../shared/wire/records.ts';
import type { EntryRow } from '../ledger/entries.ts';
import { type AlertNotification, digestRequest, lineOf, outageRequest, requestFor } from './text.ts';

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
  profile: null,
  replay: false,
  baseRate: 12.1,
  now: Date.parse('2026-11-19T16:00:00.000Z'),
  zone: 'market',
  ...more,
});

describe('notification text', () => {
  test('missing values of the service are not stated', () => {
    expect(requestFor(notification({ assumed: ['from'] })).body).toMatch(
      /^State before not given, entered at .* New York\./,
    );
    const unknown = requestFor(notification({ assumed: ['time', 'from'] })).body;
    expect(unknown).toMatch(/^State before not given, received .*; the service gives no time\./);
    expect(requestFor(notification({ assumed: ['time'] })).body).toMatch(/^From Elevated, received /);
  });

  test('state first, then the reason, then its significance', () => {
    expect(requestFor(notification())).toEqual({
      id: 'n1',
      title: 'SPY is High Risk',
      body: 'From Elevated at 10:30 New York. 36 % chance of a fall within 21 sessions, 3.0 times usual.',
      urgency: 'critical',
      silent: false,
      symbol: 'SPY',
      answers: ['acknowledge', 'snooze'],
    });
  });
  test('the record of such calls belongs to a High Risk alone, also where it is the worst of many', () => {
    const record = { right: 5, calls: 18 };
    expect(requestFor(notification({ record })).body).toMatch(
      / 3\.0 times usual\. 5 of 18 such calls on SPY were right\.$/,
    );
    const single = requestFor(notification({ record: { right: 1, calls: 1 } })).body;
    expect(single).toContain('1 of 1 such calls on SPY was right.');
    const unscored = requestFor(notification({ record: { right: 0, calls: 0 } })).body;
    expect(unscored).toContain('No such call on SPY has been scored yet.');
    const normal = requestFor(notification({ record, transition: { ...transition, from_state: 2, to_state: 0 } }));
    expect(normal.body).not.toContain('such calls');
    const members = ['SPY', 'XLK', 'XLF'].map((symbol) => ({
      id: symbol,
      symbol,
      to_state: 2 as const,
      occurred_s: 0,
    }));
    const { late: _, ...common } = notification({ record });
    expect(digestRequest({ ...common, gravest: transition, others: [], members }).body).toBe(
      'Worst: SPY High Risk at 10:30 New York. 36 % chance of a fall within 21 sessions, 3.0 times usual. 5 of 18 such calls on SPY were right. Also XLK, XLF.',
    );
  });
  test('no number is rounded up: the window says the same', () => {
    const precise = { ...transition, confidence: 36.48 };
    const { body } = requestFor(notification({ transition: precise, baseRate: 12.29 }));
    expect(body).toContain(`36 % chance of a fall within 21 sessions, ${times(36.48 / 12.29)} times usual.`);
    expect(percent(36.48).replace('\u00a0', ' ')).toBe('36.4 %');
  });
  test('the sandbox is labelled first, and is silent', () => {
    expect(requestFor(notification({ environment: 'sandbox' }))).toMatchObject({
      title: '[SANDBOX] SPY is High Risk',
      silent: true,
      urgency: 'normal',
    });
  });
  test('beside another profile, the text names its own profile after the sandbox or replay', () => {
    expect(requestFor(notification({ profile: 'desk' })).title).toBe('[desk] SPY is High Risk');
    const replayed = notification({ profile: 'replay20', environment: 'sandbox', replay: true });
    expect(requestFor(replayed).title).toBe('[SANDBOX · REPLAY · replay20] SPY is High Risk');
  });
  test('a replay is labelled, and as quiet as the sandbox; so is what else it notifies', () => {
    expect(requestFor(notification({ replay: true }))).toMatchObject({
      title: '[REPLAY] SPY is High Risk',
      silent: true,
      urgency: 'normal',
    });
    const common = { id: 'n2', environment: 'production', replay: true, profile: null } as const;
    const members = [{ id: 'n1', symbol: 'SPY', to_state: 2, occurred_s: 0 } as const];
    const digest = { ...common, now: 0, zone: 'market' as const, gravest: transition, others: [], members };
    expect(digestRequest(digest)).toMatchObject({ silent: true, urgency: 'normal' });
    expect(outageRequest(common, plainMessage('No data'))).toMatchObject({ silent: true, urgency: 'normal' });
  });
  test('loss of data in production is critical', () => {
    const common = { id: 'n2', environment: 'production', replay: false, profile: null } as const;
    expect(outageRequest(common, plainMessage('No data'))).toMatchObject({ silent: false, urgency: 'critical' });
  });
  test('a notification that grew states number, start, gravest and newest', () => {
    const started = Date.parse('2026-11-19T15:15:00.000Z') / 1000;
    const members = ['XLK', 'SPY', 'XLF', 'IWM'].map((symbol, index) => ({
      id: `n${index}`,
      symbol,
      to_state: 2 as const,
      occurred_s: started + index,
    }));
    const { late: _, ...common } = notification({ baseRate: null });
    const digest = { ...common, id: 'n0', gravest: transition, progress: 2.14, others: [], members };
    expect(digestRequest({ ...digest, hasGrown: true })).toEqual({
      id: 'n0',
      title: '4 turned High Risk since 10:15, worst SPY',
      body: 'Worst: SPY High Risk at 10:30 New York. It is 2.1 times as far below its high as its breach level. 36 % chance of a fall within 21 sessions. Newest: IWM. Also XLK, XLF.',
      urgency: 'critical',
      silent: false,
      symbol: 'SPY',
      answers: ['acknowledge'],
      names: ['n0', 'n1', 'n2', 'n3'],
    });
    expect(digestRequest({ ...digest, progress: null }).body).toContain(
      '. Ranked by the chance of a fall: the service does not say',
    );
    expect(digestRequest({ ...digest, now: digest.now + 86_400_000 }).title).toContain('since Thu 19 Nov 10:15');
  });
  test('a High Risk of an unknown symbol among several keeps its note, and is critical', () => {
    const row = { event: 'signal.high_risk', symbol: null, transition: null };
    const line = lineOf({ ...row, attributes: { title: 'Broke its low.' } as EntryRow['attributes'] });
    expect(line).toMatch(/^High Risk of an unknown symbol\. .*Its note: Broke its low\.$/);
    const members = ['n0', 'n1'].map((id) => ({ id, symbol: null, to_state: null, occurred_s: 0 }));
    const { late: _, ...common } = notification();
    const digest = { ...common, gravest: null, others: [line, line], members };
    expect(digestRequest({ ...digest, unreadable: 2 })).toMatchObject({
      urgency: 'critical',
      body: expect.stringContaining('Broke its low.'),
    });
    expect(digestRequest(digest).urgency).toBe('normal');
  });
  test('a notification names a day that is not today, and a year that is not this one', () => {
    const body = (now: string): string => requestFor(notification({ now: Date.parse(now) })).body;
    expect(body('2026-11-20T04:59:00.000Z')).toContain('From Elevated at 10:30 New York.');
    expect(body('2026-11-20T05:01:00.000Z')).toContain('From Elevated on Thu 19 Nov at 10:30 New York.');
    expect(body('2027-01-02T05:01:00.000Z')).toContain('From Elevated on Thu 19 Nov 2026 at 10:30 New York.');
  });
  test('times are in the zone of the window, which is named', () => {
    expect(requestFor(notification({ zone: 'utc' })).body).toContain('From Elevated at 15:30 UTC.');
    const late = Date.parse('2026-11-20T00:30:00.000Z');
    expect(requestFor(notification({ zone: 'utc', now: late })).body).toContain('on Thu 19 Nov at 15:30 UTC.');
    expect(requestFor(notification({ now: late })).body).toContain('From Elevated at 10:30 New York.');
  });
  test('a High Risk below its usual chance says so, and why, in the words of the service', () => {
    const why = 'The chance of 9.0 % is below the base rate of 12.1 %: it is held by request.';
    const low = { ...transition, to_state: 2 as const, confidence: 9, note: why };
    expect(requestFor(notification({ transition: low })).body).toContain(
      `9 % chance of a fall within 21 sessions, below the usual 12 %. ${why}`,
    );
    expect(requestFor(notification({ transition: { ...low, note: '' } })).body).toContain('does not say by which rule');
    const elevated = { ...low, to_state: 1 as const, from_state: 2 as const };
    expect(requestFor(notification({ transition: elevated })).body).not.toContain('below');
  });
  test('an unknown value is left out', () => {
    expect(requestFor(notification({ baseRate: null })).body).toBe(
      'From Elevated at 10:30 New York. 36 % chance of a fall within 21 sessions.',
    );
    expect(requestFor(notification({ transition: { ...transition, confidence: null } })).body).toBe(
      'From Elevated at 10:30 New York.',
    );
    expect(requestFor(notification({ baseRate: 12.9 })).body).toContain('2.8 times usual');
  });
});
