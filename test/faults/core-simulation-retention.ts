// Faults: simulated lives in which retention removes events within minutes.
// The core reads the service's log again from its oldest event.
import type { Monitor } from '../../main/core/monitor.ts';
import type { Settings } from '../../main/core/profiles/settings.ts';
import type { InboxPage } from '../../shared/channels/alerting.ts';
import type { LedgerRetention } from '../../shared/channels/ledger.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import { KilledError } from './core-simulation-lifeline.ts';
import { eventOf, isAboutNoEvent, origin } from './core-simulation-oracle.ts';
import type { Program, World } from './core-simulation-program.ts';
import type { Chance } from './core-simulation-random.ts';

/** Weight, name, function. */
type RetentionAction = readonly [number, string, () => unknown];

/** A policy that removes within a life what one of months removes: by age, by size, by both. */
const policyOf = (seconds: number | null, megabytes: number): LedgerRetention => ({
  days: seconds === null ? null : (seconds * 1_000) / DAY_MS,
  megabytes,
});
const POLICIES: readonly [LedgerRetention, ...LedgerRetention[]] = [
  policyOf(60, 1_024),
  policyOf(15, 1_024),
  policyOf(null, 0.01),
  policyOf(60, 0.01),
];

export const withRetention = (settings: Settings): Settings => ({ ...settings, ledger: { retention: POLICIES[0] } });

/** @param acknowledged receives the ids of events that the user acknowledged: retention may remove them */
export function retentionActions(
  world: World,
  { pick }: Chance,
  program: Program,
  acknowledged: Set<string>,
): readonly RetentionAction[] {
  const { service, say } = world;
  const ask = (job: (core: Monitor) => void): void => {
    try {
      if (program.core !== null) job(program.core);
    } catch (error) {
      // The disk is full: the window gets that error.
      if (!(error instanceof KilledError)) say(`refused: ${String(error)}`);
    }
  };
  const prune = ({ handlers }: Monitor): void => {
    const retention = pick(POLICIES);
    say(`retention ${JSON.stringify(retention)}`);
    handlers['ledger.retention']({ retention });
  };
  /** What nobody acknowledged stays in the ledger. */
  const acknowledge = ({ handlers }: Monitor): void => {
    const { rows } = handlers['alerts.read']({
      filter: 'notified',
      symbol: null,
      before: null,
      limit: 20,
    }) as InboxPage;
    const shown = rows.map(({ alert }) => alert).filter((alert) => alert.notification_status === 'notified');
    if (shown.length === 0) return;
    const ids = shown.map(({ ledger_id }) => ledger_id);
    say(`the user acknowledges ${ids.join(' ')}`);
    handlers['alerts.acknowledge']({ ledger_ids: ids, acknowledged: true });
    for (const { transition } of shown) acknowledged.add(origin(transition.event_id));
  };
  /** The service denies once that it knows the core's last event: the core reads the log from its oldest. */
  const readAgain = (): void => {
    let isDenied = false;
    service.fault = ({ path, url }) => {
      if (isDenied || path !== '/events' || !url.searchParams.has('after')) return null;
      isDenied = true;
      return Response.json({ code: 'invalid_request', message: 'Not in the log.' }, { status: 400 });
    };
    service.cut();
  };
  return [
    [6, 'retention', () => ask(prune)],
    [4, 'all acknowledged', () => ask(acknowledge)],
    [3, 'log read again', readAgain],
  ];
}

/**
 * Events that were shown, acknowledged and removed, so that a notification that named them grew without them: the clock
 * was set back into its minute.
 */
export function removedByRetention({ disk, desktop }: World, acknowledged: ReadonlySet<string>): ReadonlySet<string> {
  const db = disk.opened();
  if (db?.open !== true) return new Set();
  const has = db.prepare<[string], number>('SELECT 1 FROM events WHERE event_id = ?').pluck();
  const forgotten = new Set(desktop.forgotten.map(({ name }) => eventOf(name)));
  return new Set([...acknowledged].filter((id) => forgotten.has(id) && has.get(id) === undefined));
}

/**
 * Finds notifications that were dispatched again after the ledger had their outcome, removed or not.
 * @param lost dispatched from a ledger in memory that ended with its program: the file has an older outcome
 */
export function watchSettled({ disk, desktop }: World, lost: ReadonlySet<string>) {
  const settled = new Set<string>();
  let seen = 0;
  const again: string[] = [];
  return {
    again,
    /** Called after every step. */
    check(): void {
      for (const { id, isNews } of desktop.sequence.slice(seen)) {
        // What grew is open again, until the ledger has the outcome of the larger one.
        if (isNews) settled.delete(id);
        else if (settled.has(id) && !lost.has(id) && !isAboutNoEvent(id)) again.push(`${id} again`);
      }
      seen = desktop.sequence.length;
      const db = disk.opened();
      if (db?.open !== true) return;
      const ids = db.prepare<[], string>("SELECT id FROM notifications WHERE outcome IN ('shown', 'in_app')").pluck();
      for (const id of ids.all()) settled.add(id);
    },
  };
}
