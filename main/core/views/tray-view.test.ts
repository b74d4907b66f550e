// Test: the status of a profile: its sign, and the profiles that one sign covers.
import { describe, expect, test } from 'vitest';
import { plainMessage } from '../../../shared/text/message.ts';
import { HEALTHY_VIEW, SANDBOX_VIEW } from '../../../test/harness/tray-views.ts';
import { signOf, spokenFor, type TrayView, trayViewOf, waitingIn } from './tray-view.ts';

test('the tray is made from the window’s view, and names the worst first', () => {
  const row = (symbol: string, state: 0 | 1 | 2 | null) =>
    ({ symbol, signal: state === null ? null : { state } }) as never;
  const view = trayViewOf({
    profile: { name: 'desk', environment: 'production', replay: false, label: plainMessage('x') },
    connection: { outage: { since: '2026-03-02T14:02:00.000Z', cause: plainMessage('x') } },
    order: { compareSymbols: (a, b) => a.localeCompare(b) },
    rows: [row('SPY', 2), row('QQQ', 1), row('IWM', 0), row('XXX', null), row('AAPL', 2)],
    needsAttention: [7],
    isUnwritten: false,
  });
  expect(view).toEqual({
    profile: 'desk',
    environment: 'production',
    replay: false,
    outageSince: Date.UTC(2026, 2, 2, 14, 2),
    high: ['AAPL', 'SPY'],
    elevated: ['QQQ'],
    normal: 1,
    unknown: 1,
    needsAttention: [7],
    isUnwritten: false,
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
    expect(signOf({ ...HEALTHY_VIEW, ...view })).toBe(sign);
  });

  test('covers production where there is any, the gravest first', () => {
    const replay: TrayView = { ...HEALTHY_VIEW, profile: 'replay', replay: true, outageSince: 1 };
    const elevated: TrayView = { ...HEALTHY_VIEW, profile: 'other', elevated: ['A'], needsAttention: [9] };
    expect(spokenFor([HEALTHY_VIEW, SANDBOX_VIEW, replay, elevated]).map(({ profile }) => profile)).toEqual([
      'other',
      'desk',
    ]);
    expect(waitingIn([HEALTHY_VIEW, SANDBOX_VIEW, elevated])).toBe(1);
    expect(spokenFor([SANDBOX_VIEW]).map(({ profile }) => profile)).toEqual(['sandbox']);
    expect(waitingIn([SANDBOX_VIEW])).toBe(3);
    expect(spokenFor([])).toEqual([]);
  });
});
