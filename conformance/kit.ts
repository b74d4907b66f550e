// Conformance: tries every rule of the interface specification against a service, one after the other.
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
  /** null: only what is open can be green. */
  readonly key: string | null;
  /** Of a dashboard that proxies the service; null: not tried. */
  readonly dashboard: URL | null;
  readonly mayWrite: boolean;
  readonly fetch: FetchLike;
  readonly clock: Clock;
  /** Ids of the checks to run; null: all. */
  readonly only: ReadonlySet<string> | null;
  /** Default: what the specification's own times need. */
  readonly timeouts?: Partial<Timeouts>;
  /** Told as each is done. */
  readonly onFinding: (finding: Finding) => void;
}

export interface Report {
  readonly url: string;
  readonly findings: readonly Finding[];
  readonly observations: Observations;
}

/** All checks, in the order in which they run: what is about all answers comes last. */
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

/** What cannot be asked, or breaks while it is read, is a finding like any other. */
async function tried(run: () => Outcome | Promise<Outcome>): Promise<Outcome> {
  try {
    return await run();
  } catch (error) {
    return red(messageOf(error));
  }
}

export const unknownChecks = (ids: readonly string[]): string[] =>
  ids.filter((id) => !CHECKS.some((one) => one.id === id) && id !== 'dashboard');
