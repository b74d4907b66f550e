// Main, core: notifies, once and together, of what is High Risk when symbols begin to be watched.
// A first start, a new profile, a symbol and a list that are added are the same: symbols without a beginning.

import { message } from '../../../shared/text/message.ts';
import type { Followers } from '../events.ts';
import { activeEntries } from '../ledger/active-entries.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { notificationId } from '../ledger/notification-ids.ts';
import { WATCH_BATCH } from '../ledger/notification-queue.ts';
import type { CoreContext } from '../module.ts';
import type { Watch } from '../profiles/watch.ts';
import type { Receive } from '../receive.ts';
import type { RowTable } from '../rows.ts';
import type { DueLookup } from '../scheduled/scheduled.ts';
import { stateEvent } from '../sources/state-event.ts';
import type { Notifications } from './notifications.ts';
import { ruleContextOf } from './rule-context.ts';
import { evaluateRules } from './rules.ts';

export interface FirstWatchDeps {
  readonly context: CoreContext;
  readonly ledger: Ledger;
  readonly watch: Watch;
  readonly rows: Pick<RowTable, 'all' | 'baseRate'>;
  readonly notifications: Pick<Notifications, 'ruleStore' | 'dispatch'>;
  readonly receive: Receive;
  readonly scheduled: Pick<DueLookup, 'due'>;
}

export interface FirstWatch {
  /** Call before the log is read. */
  start(): void;
  readonly on: Required<Pick<Followers, 'signalsPolled'>>;
}

export function createFirstWatch(deps: FirstWatchDeps): FirstWatch {
  const { context, ledger, watch, rows, notifications, receive, scheduled } = deps;
  const { events, profile, world, calendarOf } = context;
  const { clock } = context.guard;
  const { metadata } = ledger;

  const begun = (): ReadonlySet<string> => new Set(JSON.parse(metadata.get('watched') ?? '[]') as string[]);
  const write = (symbols: Iterable<string>): void => metadata.set('watched', JSON.stringify([...symbols]));
  /** Writes the rules' decision now, and the notification; null: it was notified, or acknowledged. */
  const decide = (row: EntryRow, added: number): number | null => {
    const { ledger_id: id, transition } = row;
    if (transition === null || ledger.notifications.of(id).length > 0) return null;
    if (ledger.annotations.of(id).ackedAt !== null) return null;
    const now = world.now();
    // The hours of a rule count now, because it is High Risk now.
    const options = { profile: profile.name, calendarOf, watch, scheduled };
    const ruleContext = ruleContextOf({ ...row, occurredAt: now }, now, options);
    const { matched, nearest } = evaluateRules(notifications.ruleStore.rules(), ruleContext);
    const [first] = matched;
    ledger.entries.decide(id, first !== undefined ? `matched:${first.id}` : decisionOf(nearest));
    if (first === undefined) return id;
    const reason = message('queued.watched', { symbols: added });
    ledger.notifications.write(
      id,
      {
        id: notificationId(row.event_id),
        kind: 'alert',
        rules: matched.map((rule) => rule.id),
        baseRate: rows.baseRate(transition.symbol, transition.confidence_of),
        outcome: 'batched',
        reason,
        batch: WATCH_BATCH,
      },
      clock.now(),
    );
    const names = matched.map((rule) => `"${rule.name}"`).join(', ');
    const step = message('decision.delayed', { rules: names, outcome: 'batched', reason });
    ledger.trace.append(id, 'evaluated', step, clock.now());
    return id;
  };
  const check = (): void => {
    if (!world.isKnown()) return;
    // A file that cannot be read may have everything notified.
    if (ledger.unwritten() !== null && metadata.get('watched') === null) return;
    const before = begun();
    const watched = rows.all().filter(({ symbol }) => watch.isWatched(symbol));
    const added = watched.filter(({ symbol }) => !before.has(symbol));
    // The others begin with the poll that knows them.
    const beginning = added.filter(({ coverage, stale }) => coverage !== 'unknown' && !stale);
    const kept = [...before].filter(watch.isWatched);
    if (beginning.length === 0 && kept.length === before.size) return;
    const high = beginning.filter(({ signal }) => signal?.state === 2);
    const unrecorded = high.filter((row) => activeEntries([row], ledger.entries).length === 0);
    if (unrecorded.length > 0)
      receive(
        'poll',
        unrecorded.flatMap(({ signal }) => (signal === null ? [] : stateEvent(signal, world.now()))),
      );
    const ledgerIds = ledger.transaction(() => {
      write([...kept, ...beginning.map(({ symbol }) => symbol)]);
      return activeEntries(high, ledger.entries).flatMap((row) => decide(row, added.length) ?? []);
    });
    if (ledgerIds.length === 0) return;
    notifications.dispatch({ waits: true });
    events.emit('alertsChanged', { ledgerIds });
  };
  return {
    start() {
      // The lost ledger knew what was notified; this one would notify it again.
      if (ledger.loss() !== null && metadata.get('watched') === null) write(watch.symbols());
    },
    on: { signalsPolled: ({ outcome }) => outcome.ok && check() },
  };
}

const decisionOf = (nearest: ReturnType<typeof evaluateRules>['nearest']): string =>
  nearest === null ? 'no_rule' : `${nearest.miss}:${nearest.rule}`;
