// Faults: the user of a simulated life: silences, snoozes, acknowledges, runs self-tests.

import type { Monitor } from '../../main/core/monitor.ts';
import type { Alerting, InboxPage, InboxRow, SnoozeUntil } from '../../shared/channels/alerting.ts';
import { RefusedError } from '../../shared/channels/channel.ts';
import { type Matcher, symbolMatchers } from '../../shared/domain/matchers.ts';
import { KilledError } from './core-simulation-lifeline.ts';
import type { Chance } from './core-simulation-random.ts';

export interface SimulatedUser {
  /** A random action of the user on alerts. */
  acts(core: Monitor): void;
  /** Starts a self-test, or acknowledges the current one; refused where there is none. */
  runSelfTests(core: Monitor): void;
}

const SILENCES: readonly [Matcher[], ...Matcher[][]] = [
  symbolMatchers(['SPY']),
  symbolMatchers(['QQQ']),
  symbolMatchers(['IWM']),
  symbolMatchers(['AAPL']),
  [{ name: 'class', operator: 'is_not', values: ['equity'] }],
  [{ name: 'state', operator: 'is', values: [1] }],
];

export function createUser(
  { chance, upTo, pick }: Chance,
  say: (what: string) => void,
  now: () => number,
): SimulatedUser {
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
          matchers: chance(0.5) ? [] : pick(SILENCES),
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
      // The alert is over, or the disk is full: the window gets that error.
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

const mutesOf = (handlers: Monitor['handlers']) => (handlers['alerting.read']({}) as Alerting).mutes;

/** Ends quiet hours, silences and snoozes. */
export function unmute({ handlers }: Monitor): void {
  try {
    handlers['quiet.save']({ quiet: null });
    // What an acknowledged High Risk holds back waits for its end, which may not come.
    const { grouping } = handlers['alerting.read']({}) as Alerting;
    handlers['grouping.save']({ grouping: { ...grouping, inhibited_by: null } });
  } catch (error) {
    // A newer version wrote the settings; lives with such a file have no quiet hours.
    if (!(error instanceof RefusedError)) throw error;
  }
  // Ending one checks the others too, so the list is read again each time.
  for (let [mute] = mutesOf(handlers); mute !== undefined; [mute] = mutesOf(handlers))
    handlers['mutes.end']({ id: mute.id });
}

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
