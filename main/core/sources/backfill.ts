// Main, core: back-fill: reads the service's event log, and other lists where it proves nothing.
import { type ProblemKind, problem, type ServiceProblem } from '../../../client/problem.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { type Message, textOf } from '../../../shared/text/message.ts';
import type { ArrivalSource } from '../compat/received-event.ts';
import { ledgerErrorMessage } from '../ledger/ledger.ts';
import { createAlertReading } from './alert-reading.ts';
import { type BackfillResult, type LogDeps, type LogRead, readLog } from './log-reading.ts';
import { createTransitionReading } from './transition-reading.ts';

/** @param report receives how far the reading of the log is */
export type Backfill = (
  source: ArrivalSource,
  report?: (read: LogRead) => void,
) => Promise<Result<BackfillResult, ServiceProblem>>;

/** Problems that affect every other request too. */
const FINAL: ReadonlySet<ProblemKind> = new Set(['network', 'cancelled', 'not_sent', 'not_stored']);
/** Temporary problems: the log may answer the next time. */
const PASSING: ReadonlySet<ProblemKind> = new Set(['timeout', 'unavailable', 'server', 'rate_limited']);

export interface BackfillDeps extends LogDeps {
  /** True when another endpoint accepted the key: a refusal is then about the log alone. */
  readonly isKeyAccepted: () => boolean;
  /** Asks a service after a loss for its identity and its time, which decides about dates. */
  readonly checkService: () => Promise<Result<{ readonly fatal: Message | null }, ServiceProblem>>;
}

const sumOf = (log: BackfillResult, listed: BackfillResult): BackfillResult => ({
  added: log.added + listed.added,
  oldest:
    log.oldest === null || listed.oldest === null ? (log.oldest ?? listed.oldest) : Math.min(log.oldest, listed.oldest),
  provable: false,
});

/** @param alerts new events of /alerts; null: the service has no such list */
function withAlerts(
  transitions: Result<BackfillResult, ServiceProblem>,
  alerts: number | null,
): Result<BackfillResult, ServiceProblem> {
  if (transitions.ok) return ok({ ...transitions.value, added: transitions.value.added + (alerts ?? 0) });
  const isMissing = transitions.error.kind === 'not_found';
  return isMissing && alerts !== null ? ok({ added: alerts, oldest: null, provable: false }) : transitions;
}

export function createBackfill(given: Omit<BackfillDeps, 'warned'>): Backfill {
  const deps: BackfillDeps = { ...given, warned: new Set() };
  const readTransitions = createTransitionReading(deps);
  const readAlerts = createAlertReading(deps);
  /** Consecutive failed readings of the log. */
  let failures = 0;
  /** The log is not part of the specification: without it, the service may still list transitions. */
  const hasOtherList = ({ kind }: ServiceProblem): boolean => {
    if (FINAL.has(kind)) return false;
    if (kind === 'unauthorized') return deps.isKeyAccepted();
    return !PASSING.has(kind) || failures > 1;
  };
  return async (source, report) => {
    try {
      const checked = await deps.checkService();
      if (!checked.ok) return checked;
      if (checked.value.fatal !== null) return err(problem('not_sent', textOf(checked.value.fatal)));
      const read = await readLog(deps, source, report);
      failures = read.ok ? 0 : failures + 1;
      if (read.ok ? read.value.provable : !hasOtherList(read.error)) return read;
      const transitions = await readTransitions(source);
      // A log that was read before will have what is missing. Until then alerts older than the log would be new events.
      const hasLog = !read.ok && deps.ledger.cursor().seq !== null;
      const listed = withAlerts(transitions, hasLog ? null : await readAlerts(source));
      if (read.ok && listed.ok) return ok(sumOf(read.value, listed.value));
      // When both fail, the log's problem is more informative, unless there is no log.
      return listed.ok || read.ok || read.error.kind === 'not_found' ? listed : read;
    } catch (error) {
      return err(problem('not_stored', textOf(ledgerErrorMessage(error))));
    }
  };
}
