// Test of the SDKs: what every conformance run reports, whatever its language.
import { expect } from 'vitest';
import type { Rig } from './rig.ts';

export const EXPECTED = {
  snapshot: 3,
  history: expect.toSatisfy((rows: number) => rows > 80),
  events: { count: 25, withoutHoles: true },
  cut: { once: true, beginnings: ['resumed', 'resumed'], problems: ['network'] },
  silent: { once: true, beginnings: ['resumed', 'resumed'], problems: ['network'] },
  webhooks: { good: 'model.version', forged: 'wrong_signature', late: 'too_old' },
  unproven: 'unproven',
  unauthorized: { kind: 'unauthorized', status: 401, code: 'unauthorized', waits: false },
  notCovered: { kind: 'not_covered', status: 404, code: 'symbol_not_covered', waits: false },
  heldBack: { kind: 'rate_limited', status: null, code: '', waits: true },
  rateLimited: { kind: 'rate_limited', status: 429, code: 'rate_limited', waits: true },
};

/** Each fault was met by one resumption, behind the last event that had come; the program in between got no key. */
export function expectResumption({ resumed, relayed }: Rig): void {
  const { cut, silent } = resumed;
  // It was asked for a proof, got none from the service for its own address, and saw no key.
  expect(relayed).toEqual([null]);
  expect([cut.length, silent.length]).toEqual([2, 2]);
  expect([...cut, ...silent]).not.toContain(null);
  expect(cut[1]).not.toBe(cut[0]);
  expect(silent[1]).toBe(silent[0]);
}
