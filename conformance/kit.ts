// Conformance: runs every check of the interface specification against a service, one by one.
import type { Cancel } from '../shared/lib/clock.ts';
import { messageOf } from '../shared/lib/result.ts';
import { AGREEMENT_CHECKS } from './agreement-checks.ts';
import { type Check, type Finding, type Outcome, red, type Subject } from './check.ts';
import { CONTRADICTION_CHECKS } from './contradiction-checks.ts';
import { CURSOR_CHECKS } from './cursor-checks.ts';
import { dashboardCheck } from './dashboard-check.ts';
import { ENDPOINT_CHECKS } from './endpoint-checks.ts';
import { ERROR_CHECKS } from './error-checks.ts';
import { EXTENSION_CHECKS } from './extension-checks.ts';
import { FILTER_CHECKS } from './filter-checks.ts';
import { type Observations, observe } from './observations.ts';
import { createProbe } from './probe.ts';
import { PUSH_AGREEMENT_CHECKS } from './push-agreement-checks.ts';
import { PUSH_CHECKS } from './push-checks.ts';
import { DEFAULT_TIMEOUTS, type PushRun, runPush, type Timeouts } from './push-run.ts';
import { RECORD_CHECKS } from './record-checks.ts';
import { type ProbeOptions, UnansweredError } from './recorder.ts';
import { STABILITY_CHECKS } from './stability-checks.ts';
import { TIME_FORM_CHECKS } from './time-form-checks.ts';

export interface KitOptions {
  readonly service: ProbeOptions;
  /** Address of a dashboard that proxies the service; null: skipped. */
  readonly dashboard: URL | null;
  /** Ids of the checks to run; null: all. */
  readonly only: ReadonlySet<string> | null;
  /** Default: the specification's own times. */
  readonly timeouts?: Partial<Timeouts>;
  /** Called after each check. */
  readonly onFinding: (finding: Finding) => void;
}

export interface Report {
  readonly url: string;
  readonly findings: readonly Finding[];
  readonly observations: Observations;
}

/** All checks, in order; checks of all answers come last. */
export const CHECKS: readonly Check[] = [
  ...RECORD_CHECKS,
  ...ENDPOINT_CHECKS,
  ...FILTER_CHECKS,
  ...CURSOR_CHECKS,
  ...STABILITY_CHECKS,
  ...AGREEMENT_CHECKS,
  ...TIME_FORM_CHECKS,
  ...CONTRADICTION_CHECKS,
  ...PUSH_CHECKS,
  ...PUSH_AGREEMENT_CHECKS,
  ...EXTENSION_CHECKS,
  ...ERROR_CHECKS,
];

/** @throws UnreachableError when the service does not answer at all */
export async function runKit({ service, only, onFinding, dashboard, ...options }: KitOptions): Promise<Report> {
  const { base, fetch, clock } = service;
  const given = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const probe = createProbe({ ...service, answerLimit: given.answer });
  await probe.ask('/health', { key: null }).catch((error: unknown) => {
    // It listens: the checks say what it does not answer.
    if (!(error instanceof UnansweredError)) throw error;
  });
  const checks = [...CHECKS, dashboardCheck(dashboard, { fetch, clock })].filter(
    ({ id }) => only === null || only.has(id),
  );
  const isSelected = (id: string): boolean => checks.some((one) => one.id === id);
  let once: Promise<PushRun> | null = null;
  const timeouts = {
    ...given,
    retry: isSelected('webhook-retry') ? given.retry : 0,
    silent: isSelected('webhook-ten-seconds') ? given.silent : 0,
  };
  const subject: Subject = { probe, pushRun: () => (once ??= runPush({ probe, timeouts })) };
  const findings: Finding[] = [];
  for (const { id, section, rule, run } of checks) {
    const outcome = await tried(subject, timeouts.check, run);
    const finding = { id, section, rule, ...outcome };
    findings.push(finding);
    onFinding(finding);
  }
  const details = new Map(
    findings.flatMap(({ id, status, detail }) => (status === 'green' ? [[id, detail] as const] : [])),
  );
  const observations = only === null ? await observe(subject, details).catch(() => ({})) : {};
  probe.close();
  return { url: base.href, findings, observations };
}

/**
 * A failed request, an unreadable answer or a timeout of the check is a finding like any other. Waits that
 * the service asks for extend the timeout.
 */
async function tried({ probe, ...subject }: Subject, limit: number, run: Check['run']): Promise<Outcome> {
  let cancel: Cancel = () => undefined;
  const late = new Promise<Outcome>((resolve) => {
    const wait = (ms: number, waited: number): void => {
      cancel = probe.clock.after(ms, () => {
        const since = probe.waited() - waited;
        if (since > 0) wait(since, waited + since);
        else resolve(red(`no outcome within ${limit / 1_000} s`));
      });
    };
    wait(limit, probe.waited());
  });
  try {
    return await Promise.race([run({ probe, ...subject }), late]);
  } catch (error) {
    return red(messageOf(error));
  } finally {
    cancel();
  }
}

export const unknownChecks = (ids: readonly string[]): string[] =>
  ids.filter((id) => !CHECKS.some((one) => one.id === id) && id !== 'dashboard');
