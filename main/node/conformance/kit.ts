// Main, command line: the conformance kit: every rule of the specification tried against a service, one after the other.
import type { FetchLike } from '../../../client/request.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { type Check, type Finding, type Outcome, red, type Subject } from './check.ts';
import { dashboardCheck } from './dashboard-check.ts';
import { type Dialect, observe } from './dialect.ts';
import { ENDPOINT_CHECKS } from './endpoint-checks.ts';
import { ERROR_CHECKS } from './error-checks.ts';
import { createProbe } from './probe.ts';
import { PUSH_CHECKS } from './push-checks.ts';
import { RECORD_CHECKS } from './record-checks.ts';
import { PATIENCE, type Patience, type Rehearsal, rehearse } from './rehearsal.ts';

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
  readonly patience?: Partial<Patience>;
  /** Told as each is done. */
  readonly onFinding: (finding: Finding) => void;
}

export interface Report {
  readonly url: string;
  readonly findings: readonly Finding[];
  readonly dialect: Dialect;
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
  const wanted = (id: string): boolean => checks.some((one) => one.id === id);
  let once: Promise<Rehearsal> | null = null;
  const given = { ...PATIENCE, ...options.patience };
  const patience = {
    ...given,
    retry: wanted('webhook-retry') ? given.retry : 0,
    silent: wanted('webhook-ten-seconds') ? given.silent : 0,
  };
  const subject: Subject = { probe, rehearsal: () => (once ??= rehearse({ probe, fetch, patience })) };
  const findings: Finding[] = [];
  for (const { id, section, rule, run } of checks) {
    const outcome = await tried(() => run(subject));
    const finding = { id, section, rule, ...outcome };
    findings.push(finding);
    onFinding(finding);
  }
  const details = new Map(
    findings.flatMap(({ id, verdict, detail }) => (verdict === 'green' ? [[id, detail] as const] : [])),
  );
  const dialect = only === null ? await observe(subject, details).catch(() => ({})) : {};
  return { url: base.href, findings, dialect };
}

/** What cannot be asked, or breaks while it is read, is a finding like any other. */
async function tried(run: () => Outcome | Promise<Outcome>): Promise<Outcome> {
  try {
    return await run();
  } catch (thrown) {
    return red(messageOf(thrown));
  }
}

export const unknownChecks = (ids: readonly string[]): string[] =>
  ids.filter((id) => !CHECKS.some((one) => one.id === id) && id !== 'dashboard');
