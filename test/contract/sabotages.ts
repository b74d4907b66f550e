// Contract: every violation of a broken service, and the conformance checks that must detect it.
import { AGREEMENT_VIOLATIONS } from './sabotages/agreement.ts';
import type { Violation } from './sabotages/builders.ts';
import { CONTRADICTION_VIOLATIONS } from './sabotages/contradictions.ts';
import { DECEIT_VIOLATIONS } from './sabotages/deceits.ts';
import { ENDPOINT_VIOLATIONS } from './sabotages/endpoints.ts';
import { INPUT_VIOLATIONS } from './sabotages/inputs.ts';
import { PUSH_VIOLATIONS } from './sabotages/push.ts';
import { PUSHED_VIOLATIONS } from './sabotages/pushed.ts';
import { RECORD_VIOLATIONS } from './sabotages/records.ts';
import { RULE_VIOLATIONS } from './sabotages/rules.ts';

export const VIOLATIONS: readonly Violation[] = [
  ...RECORD_VIOLATIONS,
  ...ENDPOINT_VIOLATIONS,
  ...PUSH_VIOLATIONS,
  ...RULE_VIOLATIONS,
  ...AGREEMENT_VIOLATIONS,
  ...DECEIT_VIOLATIONS,
  ...INPUT_VIOLATIONS,
  ...CONTRADICTION_VIOLATIONS,
  ...PUSHED_VIOLATIONS,
];
