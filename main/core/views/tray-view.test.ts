// Test: the status of a profile: its sign, its text, and the profiles that one sign covers.
import { describe, expect, test } from 'vitest';
import { signOf, spokenFor, type TrayView, trayText, trayViewOf, waitingIn } from './tray-view.ts';

const healthy: TrayView = {
  profile: 'desk',
  environment: 'production',
  replay: false,
  outageSince: null,
  high: [],
  elevated: [],
  normal: 27,
  unknown: 0,
  needsAttention: [],
};
const ZONE = { timeZone: 'UTC' };

test('is made from the window’s view', () => {
  const row = (symbol: string, state: 0 | 1 | 2 | null) =>
    ({ symbol, signal: state === null ? null : { state } }) as never;
  const view = trayViewOf({
    profile: { name: 'desk', environment: 'production', replay: false, label: 'x' },
    connection: { outage: { since: '2026-03-02T14:02:00.000Z', cause: 'x' } },
    rows: [row('SPY', 2), row('QQQ', 1), row('IWM', 0), row('XXX', null), row('AAPL', 2)],
    needsAttention: [7],
  });
  expect(view).toEqual({
    profile: 'desk',
    environment: 'production',
    replay: false,
    outageSince: Date.UTC(2026, 2, 2, 14, 2),
    high: ['SPY', 'AAPL'],
    elevated: ['QQQ'],
    normal: 1,
    unknown: 1,
    needsAttention: [7],
  });
});

describe('text', () => {
  test.each<[string, Partial<TrayView>]>([
    ['Barograph: all 27 Normal', {}],
    [
      'Barograph: 1 High Risk (SPY), 4 Elevated, 1 not acknowledged',
      { high: ['SPY'], elevated: ['A', 'B', 'C', 'D'], needsAttention: [1] },
    ],
    ['Barograph: no data since 14:02, SPY was High Risk', { high: ['SPY'], outageSince: Date.UTC(2026, 2, 2, 14, 2) }],
    [
      'Barograph: no data since 14:02, A, B, C and 1 more were High Risk',
      { high: ['A', 'B', 'C', 'D'], outageSince: Date.UTC(2026, 2, 2, 14, 2) },
    ],
    ['Barograph: no data since 00:00', { outageSince: Date.UTC(2026, 2, 2) }],
    [
      '[SANDBOX] Barograph: 5 High Risk, 3 not acknowledged',
      { environment: 'sandbox', high: ['A', 'B', 'C', 'D', 'E'], needsAttention: [1, 2, 3] },
    ],
    ['[REPLAY] Barograph: 2 Elevated, 1 without a signal', { replay: true, elevated: ['A', 'B'], unknown: 1 }],
    ['Barograph: all 3 Normal, 1 without a signal', { normal: 3, unknown: 1 }],
    ['Barograph: no signal yet', { normal: 0, unknown: 27 }],
  ])('%s', (message, view) => {
    expect(trayText({ ...healthy, ...view }, ZONE)).toBe(message);
  });
});

describe('the sign', () => {
  test.each<[string, Partial<TrayView>]>([
    ['normal', {}],
    ['elevated', { elevated: ['A'] }],
    ['high-risk', { elevated: ['A'], high: ['B'] }],
    ['offline', { high: ['B'], outageSince: 0 }],
    ['offline', { normal: 0 }],
  ])('%s', (sign, view) => {
    expect(signOf({ ...healthy, ...view })).toBe(sign);
  });

  test('covers production where there is any, the gravest first', () => {
    const sandbox: TrayView = {
      ...healthy,
      profile: 'sandbox',
      environment: 'sandbox',
      high: ['A'],
      needsAttention: [1, 2],
    };
    const replay: TrayView = { ...healthy, profile: 'replay', replay: true, outageSince: 1 };
    const elevated: TrayView = { ...healthy, profile: 'other', elevated: ['A'], needsAttention: [9] };
    expect(spokenFor([healthy, sandbox, replay, elevated]).map(({ profile }) => profile)).toEqual(['other', 'desk']);
    expect(waitingIn([healthy, sandbox, elevated])).toBe(1);
    expect(spokenFor([sandbox]).map(({ profile }) => profile)).toEqual(['sandbox']);
    expect(waitingIn([sandbox])).toBe(2);
    expect(spokenFor([])).toEqual([]);
  });
});
