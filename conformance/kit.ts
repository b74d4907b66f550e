// Conformance: runs every check of the interface specification against a service, one by one.
import type { FetchLike } from '../client/request.ts';
import type { Clock } from '../shared/lib/clock.ts';
import { messageOf } from '../shared/lib/result.ts';
import { type Check, type Finding, type Outcome, red, type Subject } from './check.ts';
import { dashboardCheck } from './dashboard-check.ts';
import { ENDPOINT_CHECKS } from './endpoint-checks.ts';
import { ERROR_CHECKS } from './error-checks.ts';
import { type Observations, observe } from './observations.ts';
import { createProbe } from './probe.ts';
import { PUSH_CHECKS } from './push-checks.ts';
import { DEFAULT_TIMEOUTS, type PushRun, runPush, type Timeouts } from './push-run.ts';
import { RECORD_CHECKS } from './record-checks.ts';

export interface KitOptions {
  readonly base: URL;
  /** null: only open endpoints can be green. */
  readonly key: string | null;
  /** Address of a dashboard that proxies the service; null: skipped. */
  readonly dashboard: URL | null;
  readonly mayWrite: boolean;
  readonly fetch: FetchLike;
  readonly clock: Clock;
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

/** All checks in their order: those about all answers come last. */
export const CHECKS: readonly Check[] = [...RECORD_CHECKS, ...ENDPOINT_CHECKS, ...PUSH_CHECKS, ...ERROR_CHECKS];

/** @throws UnreachableError when the service does not answer at all */
export async function runKit({ only, onFinding, dashboard, ...options }: KitOptions): Promise<Report> {
  const { base, fetch, clock, key, mayWrite } = options;
  const probe = createProbe({ base, key, fetch, clock, mayWrite });
  await probe.ask('/health', { key: null });
  const checks = [...CHECKS, dashboardCheck(dashboard, { fetch, clock })].filter(
    ({ id }) => only === null || only.has(id),
  );
  const isSelected = (id: string): boolean => checks.some((one) => one.id === id);
  let once: Promise<PushRun> | null = null;
  const given = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const timeouts = {
    ...given,
    retry: isSelected('webhook-retry') ? given.retry : 0,
    silent: isSelected('webhook-ten-seconds') ? given.silent : 0,
  };
  const subject: Subject = { probe, pushRun: () => (once ??= runPush({ probe, fetch, timeouts })) };
  const findings: Finding[] = [];
  for (const { id, section, rule, run } of checks) {
    const outcome = await tried(() => run(subject));
    const finding = { id, section, rule, ...outcome };
    findings.push(finding);
    onFinding(finding);
  }
  const details = new Map(
    findings.flatMap(({ id, status, detail }) => (status === 'green' ? [[id, detail] as const] : [])),
  );
  const observations = only === null ? await observe(subject, details).catch(() => ({})) : {};
  return { url: base.href, findings, observations };
}

/** A request that fails, or an unreadable answer, is a finding like any other. */
async function tried(run: () => Outcome | Promise<Outcome>): Promise<Outcome> {
  try {
    return await run();
  } catch (error) {
    return red(messageOf(error));
  }
}

export const unknownChecks = (ids: readonly string[]): string[] =>
  ids.filter((id) => !CHECKS.some((one) => one.id === id) && id !== 'dashboard');
