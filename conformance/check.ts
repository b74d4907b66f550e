// Conformance: the type of a check: one rule of the specification against a service.
import type { Probe } from './probe.ts';
import type { PushRun } from './push-run.ts';

/** extension: a feature beyond the specification; never a failure. */
export type CheckStatus = 'green' | 'red' | 'skipped' | 'extension';

export interface Outcome {
  readonly status: CheckStatus;
  /**
   * Red: the actual behaviour. Skipped: the reason. Green: details, if any. Extension: the feature, and
   * whether its rule holds.
   */
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
export const extension = (detail: string): Outcome => ({ status: 'extension', detail });
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

/** Begins a message about something that the specification does not state. */
export const BROKEN_EXTENSION = 'does not hold: ';

/** A check of an extension, which a service may lack; it never fails. */
export const extensionCheck = (section: string, id: string, rule: string, run: Check['run']): Check =>
  check(section, id, rule, async (subject) => {
    const { status, detail } = await run(subject);
    if (status === 'red') return extension(`${BROKEN_EXTENSION}${detail}`);
    return status === 'green' ? extension(detail === '' ? 'holds' : `holds: ${detail}`) : { status, detail };
  });
