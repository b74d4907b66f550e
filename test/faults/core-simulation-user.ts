// Faults: the user of a simulated life: silences, snoozes, acknowledges, runs self-tests.
import type { Monitor } from '../../main/core/monitor.ts';
import type { Alerting, InboxPage, InboxRow, SnoozeUntil } from '../../shared/channels/alerting.ts';

/** The program was killed during its work. */
export class KilledError extends Error {}

export interface Chance {
  chance(share: number): boolean;
  upTo(limit: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  say(what: string): void;
  now(): number;
}

export interface SimulatedUser {
  /** What a user does with alerts, at random. */
  acts(core: Monitor): void;
  /** Begins a self-test, or acknowledges the current one; refused where there is nothing to do. */
  runSelfTests(core: Monitor): void;
}

export function createUser({ chance, upTo, pick, say, now }: Chance): SimulatedUser {
  const acts = ({ handlers }: Monitor): void => {
    const { rows } = handlers['alerts.read']({
      filter: 'notified',
      symbol: null,
      before: null,
      limit: 20,
    }) as InboxPage;
    const ids = rows.filter(() => chance(0.3)).map(({ alert }) => alert.ledger_id);
    const until = (): string => new Date(now() + 30_000 + upTo(300_000)).toISOString();
    const deed = ids.length === 0 ? 'silence' : pick(['silence', 'acknowledge', 'snooze']);
    try {
      if (deed === 'silence') {
        say('the user silences');
        handlers['silences.add']({
          symbols: chance(0.5) ? null : [pick(['SPY', 'QQQ', 'IWM', 'AAPL'])],
          from: null,
          until: until(),
          comment: '',
        });
      } else if (deed === 'acknowledge') {
        say(`the user acknowledges ${ids.join(' ')}`);
        handlers['alerts.acknowledge']({ ledger_ids: ids, acknowledged: true });
      } else {
        say(`the user snoozes ${ids.join(' ')}`);
        handlers['alerts.snooze']({
          ledger_ids: ids,
          until: pick<SnoozeUntil>([{ kind: 'time', at: until() }, { kind: 'change' }, { kind: 'recovery' }]),
        });
        if (chance(0.3)) {
          say('and takes that back');
          handlers['alerts.unsnooze']({ ledger_ids: ids });
        }
      }
    } catch (error) {
      // Refused: nothing is active any more. Or the disk is full: the window gets that error.
      if (error instanceof KilledError) throw error;
      say(`refused: ${String(error)}`);
    }
  };
  const runSelfTests = ({ handlers }: Monitor): void => {
    try {
      handlers[chance(0.5) ? 'selfTest.run' : 'selfTest.acknowledge']({});
    } catch (error) {
      if (error instanceof KilledError) throw error;
      say(`refused: ${String(error)}`);
    }
  };
  return { acts, runSelfTests };
}

export const mutesOf = (handlers: Monitor['handlers']) => (handlers['alerting.read']({}) as Alerting).mutes;

export function wholeInbox({ handlers }: Monitor): InboxRow[] {
  const rows: InboxRow[] = [];
  let before: InboxPage['next'] = null;
  do {
    const page = handlers['alerts.read']({ filter: 'all', symbol: null, before, limit: 200 }) as InboxPage;
    rows.push(...page.rows);
    before = page.next;
  } while (before !== null);
  return rows;
}
