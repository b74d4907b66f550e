// Main, core: the typed events of one core, emitted after the commit to following modules.

import type { ServiceProblem } from '../../client/problem.ts';
import type { Alerting } from '../../shared/channels/alerting.ts';
import type { ArchiveView } from '../../shared/channels/archive.ts';
import type { Gap, Row } from '../../shared/channels/state.ts';
import type { Cancel } from '../../shared/lib/clock.ts';
import type { Result } from '../../shared/lib/result.ts';
import type { SoundName } from '../../shared/settings/alert-rules.ts';
import type { Message } from '../../shared/text/message.ts';
import type { ArrivalSource } from './compat/received-event.ts';
import type { Phase } from './connection/machine.ts';
import type { Guard } from './guard.ts';
import type { IngestResult } from './ledger/arrival.ts';

export interface CoreEvents {
  /** Events of a source were recorded, dispatched and shown. */
  readonly recorded: IngestResult & { readonly source: ArrivalSource };
  /** The ledger's data on these alerts changed: dispatched, acknowledged, snoozed, noted. */
  readonly alertsChanged: { readonly ledgerIds: readonly number[] };
  /** Rules, mutes, downtime or queued notifications, as windows see them. */
  readonly alertingChanged: Alerting;
  /** Mutes began, ended, or apply to other alerts than before. */
  readonly mutesChanged: undefined;
  /** Rules, quiet hours or the outage alarm changed, or a rule's problem did. */
  readonly rulesChanged: undefined;
  /** The desktop may show notifications again. */
  readonly desktopReturned: undefined;
  /** Other notifications are offered to windows, or they were shown. */
  readonly offersChanged: undefined;
  /** The user clicked a notification. */
  readonly notificationClicked: { readonly notificationId: string };
  /** A window should play this sound. */
  readonly soundDue: { readonly id: string; readonly name: SoundName };
  /** The user wrote a note on an alert. */
  readonly noteWritten: { readonly ledgerId: number; readonly note: string };
  /** The user wrote, changed or removed a note on a symbol. */
  readonly symbolNotesChanged: undefined;
  readonly connectionChanged: undefined;
  /** The service gave its identity, for the first time or after a loss, and may be asked now. */
  readonly serviceTrusted: undefined;
  /** The event stream entered this phase. */
  readonly streamPhaseChanged: Phase;
  /** The stream is no longer open. */
  readonly streamBroken: undefined;
  /** The service refused the key for its log; a new connection decides whether the user must act. */
  readonly keyRefused: undefined;
  /** Received events could not be written. Nothing was notified, so this counts as an outage. */
  readonly ledgerFailed: { readonly message: Message };
  /** The ledger's file cannot be written: the ledger continues in memory. */
  readonly ledgerUnwritten: undefined;
  /** The changes in memory are in the ledger's file now. `isRenumbered`: under other ledger ids. */
  readonly ledgerWritten: { readonly isRenumbered: boolean };
  /** Retention has removed events. */
  readonly ledgerPruned: undefined;
  /** The log was read to its end. `gaps`: the newest gaps before it. */
  readonly caughtUp: { readonly gaps: readonly Gap[] };
  readonly gapsChanged: undefined;
  /** The service's signals were polled; the rows hold the answer. */
  readonly signalsPolled: {
    readonly outcome: Result<{ readonly took: number }, ServiceProblem>;
    readonly rows: readonly Row[];
    /** World ms since when the decisions of all signals are overdue; null: they are not. */
    readonly overdueSince: number | null;
  };
  /** Time passed while the service asks not to be polled: some rows may be stale now. */
  readonly signalsAged: { readonly rows: readonly Row[]; readonly overdueSince: number | null };
  /** The watched symbols or the selected one changed. */
  readonly watchlistsChanged: { readonly hasOtherSymbols: boolean };
  /** The settings may have changed, by any core or program. */
  readonly settingsChanged: undefined;
  /** The first window opened, or the last one closed. */
  readonly windowsChanged: { readonly isOpen: boolean };
  /** Content of the archive was written, or the state of a job on it changed. */
  readonly archiveWritten: undefined;
  /** A new, empty archive replaced a damaged one. */
  readonly archiveReplaced: undefined;
  /** The archive as windows see it, after one or several writes. */
  readonly archiveChanged: ArchiveView;
  /** The profile's key was set, replaced or removed. */
  readonly keyChanged: undefined;
  /** Name, label or replay of the profile changed. */
  readonly profileChanged: undefined;
}

export type Followers = { readonly [Name in keyof CoreEvents]?: (event: CoreEvents[Name]) => void };

export interface EventBus {
  /** Calls every follower in the order of subscription; logs errors and continues. */
  emit<Name extends keyof CoreEvents>(name: Name, event: CoreEvents[Name]): void;
  /** Emits an event without a value. */
  signal(
    name: { [Name in keyof CoreEvents]: CoreEvents[Name] extends undefined ? Name : never }[keyof CoreEvents],
  ): void;
  subscribe(followers: Followers): Cancel;
}

export function createEventBus(guard: Pick<Guard, 'run'>): EventBus {
  const all = new Set<Followers>();
  const emit: EventBus['emit'] = (name, event) => {
    for (const followers of all) guard.run(() => followers[name]?.(event));
  };
  return {
    emit,
    signal: (name) => emit(name, undefined),
    subscribe(followers) {
      all.add(followers);
      return () => void all.delete(followers);
    },
  };
}
