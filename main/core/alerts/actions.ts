// Main, core: the user's actions on alerts: the same for window, tray and notification buttons.
import type { SilenceInput, SnoozeUntil } from '../../../shared/channels/alerting.ts';
import { RefusedError } from '../../../shared/channels/channel.ts';
import type { WindowRoute } from '../../../shared/domain/window-routes.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { NotificationAnswer } from '../notifications/answers.ts';
import { createSnoozing, type SnoozingDeps } from './snoozing.ts';

/** Each is one transaction and a step in the trace of its events; events are emitted after the commit. */
export interface AlertActions {
  acknowledge(ledgerIds: readonly number[], acknowledged: boolean): void;
  /** @throws RefusedError where none of the alerts is active, or the time is past or too far ahead */
  snooze(ledgerIds: readonly number[], until: SnoozeUntil): void;
  /**
   * Ends the snoozes of these alerts' symbols without notifying the alerts that only waited for their end.
   */
  unsnooze(ledgerIds: readonly number[]): void;
  note(ledgerId: number, note: string): void;
  /** @throws RefusedError where it would end before it begins */
  silence(input: SilenceInput): void;
  /** @throws RefusedError for an unknown mute */
  endMute(id: number): void;
  /** Handles a click on a notification; ignores one without a known event. */
  click(notificationId: string): void;
  /**
   * Carries out the answer to a notification.
   * @returns the route of a window: after open, and where the answer was impossible, so that the failure is
   * visible; null: none; undefined: this core sent no such notification
   */
  answer(notificationId: string, answer: NotificationAnswer): WindowRoute | null | undefined;
}

/** How long a notification's button snoozes, ms of the world's clock. */
const BUTTON_SNOOZE = 3_600_000;
const LONGEST_SILENCE = 366 * 24 * 3_600_000;
const refuse = (message: string): RefusedError => new RefusedError({ code: 'refused', message });

export function createAlertActions(deps: SnoozingDeps): AlertActions {
  const { ledger } = deps;
  const { events, world, guard } = deps.context;
  const { clock } = guard;
  const { mutes, annotations, notifications, trace } = ledger;
  const snoozing = createSnoozing(deps);
  const changed = (ledgerIds: readonly number[]): void => events.emit('alertsChanged', { ledgerIds });
  const mutesChanged = (ledgerIds: readonly number[]): void => {
    events.signal('mutesChanged');
    changed(ledgerIds);
  };

  const acknowledge: AlertActions['acknowledge'] = (ledgerIds, acknowledged) => {
    const rows = knownEntries(ledger, ledgerIds);
    ledger.transaction(() => {
      for (const { ledger_id } of rows) {
        annotations.acknowledge(ledger_id, acknowledged ? clock.now() : null);
        trace.note(ledger_id, 'acknowledged', acknowledged ? '' : 'taken back', clock.now());
      }
    });
    changed(ledgerIds);
  };
  const snooze: AlertActions['snooze'] = (ledgerIds, until) => {
    snoozing.start(knownEntries(ledger, ledgerIds), until);
    mutesChanged(ledgerIds);
  };
  const click: AlertActions['click'] = (notificationId) => {
    events.emit('notificationClicked', { notificationId });
    const about = notifications.eventsOf(notificationId);
    if (about.length === 0) return;
    ledger.transaction(() => {
      for (const ledgerId of about) trace.note(ledgerId, 'clicked', notificationId, clock.now());
    });
    changed(about);
  };

  return {
    acknowledge,
    snooze,
    unsnooze(ledgerIds) {
      snoozing.takeBack(knownEntries(ledger, ledgerIds));
      mutesChanged(ledgerIds);
    },
    note(ledgerId, note) {
      knownEntries(ledger, [ledgerId]);
      ledger.transaction(() => {
        annotations.write(ledgerId, note);
        trace.note(ledgerId, 'noted', note, clock.now());
      });
      events.emit('noteWritten', { ledgerId, note });
      changed([ledgerId]);
    },
    silence({ symbols, from, until, comment }) {
      const now = world.now();
      const begin = from === null ? now : Date.parse(from);
      const end = Date.parse(until);
      if (end <= begin || end <= now)
        throw refuse(`The silence would end at ${until}, before it begins. It is ${timestamp(now)} there.`);
      if (end > now + LONGEST_SILENCE)
        throw refuse('A silence lasts a year at most. To be told nothing for longer, disable the rule.');
      ledger.transaction(() =>
        mutes.add({ kind: 'silence', symbols, until: 'time', from: begin, untilAt: end, comment }, clock.now()),
      );
      events.signal('mutesChanged');
    },
    endMute(id) {
      if (!mutes.active().some((mute) => mute.id === id)) throw refuse('This snooze or silence has ended already.');
      ledger.transaction(() => mutes.end(id, timestamp(world.now()), 'ended by the user'));
      events.signal('mutesChanged');
    },
    click,
    answer(notificationId, answer) {
      const about = notifications.eventsOf(notificationId);
      if (about.length === 0) return undefined;
      click(notificationId);
      const ledgerIds = about.filter((ledgerId) => ledgerId > 0);
      const [only] = ledgerIds;
      const item = ledgerIds.length === 1 && only !== undefined ? String(only) : null;
      if (answer === 'open' || only === undefined) return { page: 'alerts', item };
      try {
        if (answer === 'acknowledge') acknowledge(ledgerIds, true);
        else snooze(ledgerIds, { kind: 'time', at: timestamp(world.now() + BUTTON_SNOOZE) });
        return null;
      } catch {
        return { page: 'alerts', item };
      }
    },
  };
}

/** @throws RefusedError where one of them is not in the ledger */
function knownEntries(ledger: Ledger, ledgerIds: readonly number[]): EntryRow[] {
  const ids = [...new Set(ledgerIds)];
  const rows = ledger.entries.byLedgerIds(ids);
  const found = new Set(rows.map((row) => row.ledger_id));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0) throw refuse(`There is no alert ${missing.slice(0, 5).join(', ')} in this ledger.`);
  return rows;
}
