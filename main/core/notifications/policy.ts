// Main, core: decides what delays a notification now: mutes, quiet hours, a sandbox's pause.

import type { AlertLabels } from '../../../shared/domain/matchers.ts';
import type { CalendarOf, SessionCalendar } from '../../../shared/domain/sessions.ts';
import type { State } from '../../../shared/domain/states.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Groups } from './groups.ts';
import { heldBackBy, type InhibitionDeps, type Inhibitor, inhibitorOf, unknownShare } from './inhibition.ts';
import { mutedBy } from './mutes.ts';
import { labelsOf, type PlacedSymbols } from './rule-context.ts';
import type { RuleStore } from './rule-store.ts';

export interface DispatchPolicy {
  /** Reason to send no further notification now; null: none. */
  pause(): Message | null;
  /** Shortest time between two notifications, ms; null: no limit. */
  pauseLength(): number | null;
  /** Cheap check whether any alert may be muted at all. */
  mayMute(): boolean;
  /** Labels that the matchers of mutes test. */
  labelsOf(row: EntryRow): AlertLabels;
  /** Reason of the current mute of an entry's alert; null: not muted. */
  mutedBy(row: EntryRow): Message | null;
  /** The High Risk that holds back an alert of this symbol that entered `state`; null: none. */
  inhibitor(symbol: string | null, state: State | null): Inhibitor | null;
  /** Why the share of a list that should hold back others is not known; null: it is, or there is none. */
  unknownShare(): Message | null;
  /** Reason of the snooze or silence of an entry's alert, quiet hours aside; null: there is none. */
  snoozedBy(row: EntryRow): Message | null;
  /** The calendar of an entry's market. */
  calendarOf(row: EntryRow): SessionCalendar;
  /** The grouping of alerts into notifications. */
  groups(): Groups;
  /** Ids of the channels that these rules name. */
  channelsOf(rules: readonly string[]): string[];
}

export interface DispatchPolicyDeps {
  readonly environment: 'sandbox' | 'production';
  readonly calendarOf: CalendarOf;
  readonly ledger: Pick<Ledger, 'mutes' | 'notifications' | 'entries' | 'annotations'>;
  readonly ruleStore: Pick<RuleStore, 'get' | 'quiet' | 'hasProduction' | 'grouping'>;
  readonly watch: PlacedSymbols;
  readonly clock: Pick<Clock, 'now'>;
  readonly world: { now(): number };
  readonly lists: InhibitionDeps['lists'];
  readonly rows: InhibitionDeps['rows'];
}

/**
 * Shortest time between two notifications of a sandbox beside a production profile, ms, so that it does not
 * hide real alerts.
 */
const SANDBOX_PAUSE = 5 * 60_000;

export function createDispatchPolicy({
  environment,
  calendarOf: marketOf,
  ledger,
  ruleStore,
  watch,
  clock,
  world,
  lists,
  rows,
}: DispatchPolicyDeps): DispatchPolicy {
  const isLimited = (): boolean => environment === 'sandbox' && ruleStore.hasProduction();
  const labels = ({ symbol, transition, crossing, foreign, breadth }: EntryRow): AlertLabels =>
    labelsOf({
      symbol,
      toState: transition?.to_state ?? foreign?.severity ?? null,
      attributes: transition ?? { confidence: null, regime: null, asset_class: crossing?.asset_class ?? null },
      breadth: breadth?.condition ?? null,
      watch,
    });
  const calendarOf = ({ transition, crossing, symbol }: EntryRow): SessionCalendar =>
    marketOf(symbol, transition?.asset_class ?? crossing?.asset_class);
  const inhibition = { ledger, ruleStore, world, lists, rows };
  const inhibitor: DispatchPolicy['inhibitor'] = (symbol, state) => inhibitorOf(inhibition, symbol, state);
  return {
    inhibitor,
    unknownShare: () => unknownShare(inhibition),
    labelsOf: labels,
    pause() {
      if (!isLimited()) return null;
      const last = ledger.notifications.newestOnDesktop();
      const since = last === null ? Number.POSITIVE_INFINITY : clock.now() - last;
      // A clock that was set back makes the elapsed time unknown.
      return since >= 0 && since < SANDBOX_PAUSE ? message('paused.sandbox') : null;
    },
    pauseLength: () => (isLimited() ? SANDBOX_PAUSE : null),
    mayMute: () =>
      ledger.mutes.active().length > 0 || ruleStore.quiet() !== null || ruleStore.grouping().inhibited_by !== null,
    mutedBy: (row) =>
      mutedBy(ledger.mutes.active(), ruleStore.quiet(), labels(row), calendarOf(row), world.now()) ??
      heldBackBy(inhibitor(row.symbol, row.transition?.to_state ?? null)),
    snoozedBy: (row) => mutedBy(ledger.mutes.active(), null, labels(row), calendarOf(row), world.now()),
    calendarOf,
    groups: () => ({ grouping: ruleStore.grouping(), listsOf: watch.listsOf }),
    channelsOf: (rules) => [...new Set(rules.flatMap((id) => ruleStore.get(id)?.channels ?? []))],
  };
}
