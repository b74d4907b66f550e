// Test harness: profiles as tray and dock show them: one without alerts, and a sandbox with three.
import type { TrayView } from '../../main/core/views/tray-view.ts';

export const HEALTHY_VIEW: TrayView = {
  profile: 'desk',
  environment: 'production',
  replay: false,
  outageSince: null,
  high: [],
  elevated: [],
  normal: 27,
  unknown: 0,
  needsAttention: [],
  isUnwritten: false,
};
export const SANDBOX_VIEW: TrayView = {
  ...HEALTHY_VIEW,
  profile: 'sandbox',
  environment: 'sandbox',
  high: ['A', 'B', 'C', 'D', 'E'],
  needsAttention: [1, 2, 3],
};
