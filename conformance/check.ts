// Conformance: the type of a check: one rule of the specification against a service.
import type { Probe } from './probe.ts';
import type { PushRun } from './push-run.ts';

export type CheckStatus = 'green' | 'red' | 'skipped';

export interface Outcome {
  readonly status: CheckStatus;
  /** Red: what the service did instead. Skipped: why it could not be checked. Green: details, if any. */
  readonly detail: string;
}

export interface Subject {
  readonly probe: Probe;
  /** Signals, webhooks and the stream, run once for all checks. */
  pushRun(): Promise<PushRun>;
}

export interface Check {
  /** Never changes: scripts select by it. */
  readonly id: string;
  /** Section of the specification. */
  readonly section: string;
  /** The rule, as a sentence. */
  readonly rule: string;
  run(subject: Subject): Outcome | Promise<Outcome>;
}

export interface Finding extends Outcome {
  readonly id: string;
  readonly section: string;
  readonly rule: string;
}

export const green = (detail = ''): Outcome => ({ status: 'green', detail });
export const red = (detail: string): Outcome => ({ status: 'red', detail });
export const skipped = (reason: string): Outcome => ({ status: 'skipped', detail: reason });

/** Red with the first message, else green. */
export const firstOf = (wrong: readonly (string | null)[], detail = ''): Outcome => {
  const found = wrong.find((one) => one !== null);
  return found === undefined ? green(detail) : red(found);
};

export const check = (section: string, id: string, rule: string, run: Check['run']): Check => ({
  id,
  section,
  rule,
  run,
});
