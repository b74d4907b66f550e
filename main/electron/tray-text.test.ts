// Test: the state of a profile as the tray's text.
import { expect, test } from 'vitest';
import { HEALTHY_VIEW, SANDBOX_VIEW } from '../../test/harness/tray-views.ts';
import type { TrayView } from '../core/views/tray-view.ts';
import { trayText } from './tray.ts';

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
  ['[SANDBOX] Barograph: 5 High Risk, 3 not acknowledged', SANDBOX_VIEW],
  ['[REPLAY] Barograph: 2 Elevated, 1 without a signal', { replay: true, elevated: ['A', 'B'], unknown: 1 }],
  ['Barograph: all 3 Normal, 1 without a signal', { normal: 3, unknown: 1 }],
  ['Barograph: no signal yet', { normal: 0, unknown: 27 }],
  ['Barograph: all 27 Normal, the ledger cannot be written', { isUnwritten: true }],
  [
    'Barograph: no data since 00:00, the ledger cannot be written',
    { outageSince: Date.UTC(2026, 2, 2), isUnwritten: true },
  ],
])('%s', (message, view) => {
  expect(trayText({ ...HEALTHY_VIEW, ...view }, 'UTC')).toBe(message);
});
