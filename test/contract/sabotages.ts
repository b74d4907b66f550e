// Contract: every violation of a broken service, and the conformance checks that must detect it.
import { AGREEMENT_VIOLATIONS } from './sabotages/agreement.ts';
import type { Violation } from './sabotages/builders.ts';
import { DECEIT_VIOLATIONS } from './sabotages/deceits.ts';
import { ENDPOINT_VIOLATIONS } from './sabotages/endpoints.ts';
import { PUSH_VIOLATIONS } from './sabotages/push.ts';
import { RECORD_VIOLATIONS } from './sabotages/records.ts';
import { RULE_VIOLATIONS } from './sabotages/rules.ts';

export const VIOLATIONS: readonly Violation[] = [
  ...RECORD_VIOLATIONS,
  ...ENDPOINT_VIOLATIONS,
  ...PUSH_VIOLATIONS,
  ...RULE_VIOLATIONS,
  ...AGREEMENT_VIOLATIONS,
  ...DECEIT_VIOLATIONS,
];
