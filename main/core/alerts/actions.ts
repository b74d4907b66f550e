// Main, core: the user's actions on alerts: the same for window, tray, notification and command.
import type { SilenceInput, SnoozeUntil } from '../../../shared/channels/alerting.ts';
import { refused } from '../../../shared/channels/channel.ts';
import type { WindowRoute } from '../../../shared/domain/window-routes.ts';
import { type Message, message, plainMessage } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Desk } from '../desk/desk.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { NotificationAnswer } from '../notifications/answers.ts';
import { createSnoozing, type SnoozingDeps } from './snoozing.ts';

/**
 * Each action is one transaction with a step in the trace of its events; it emits events after the commit.
 */
export interface AlertActions {
  /** @param how for the trace; absent: in this app */
  acknowledge(ledgerIds: readonly number[], acknowledged: boolean, how?: Message): void;
  /** Marks alerts as seen that the summary of an absence showed. */
  seen(ledgerIds: readonly number[]): void;
  /** @throws RefusedError where none of the alerts is active, or the time is past or too far ahead */
  snooze(ledgerIds: readonly number[], until: SnoozeUntil): void;
  /**
   * Ends the snoozes of these alerts' symbols without notifying the alerts that only waited for their end.
   */
  unsnooze(ledgerIds: readonly number[]): void;
  note(ledgerId: number, note: string): void;
  /** @returns the id of the silence @throws RefusedError where it would end before it begins */
  silence(input: SilenceInput): number;
  /** @throws RefusedError where `id` is no active silence, or the new one would end before it begins */
  editSilence(id: number, input: SilenceInput): void;
  /** @throws RefusedError for an unknown mute */
  endMute(id: number): void;
  /**
   * Carries out the answer to a notification, for the events that it named when it was last accepted.
   * @returns the route of a window: after open, and where the answer was impossible, so that the failure is
   * visible; null: none; undefined: no event of this core has such a notification
   */
  answer(notificationId: string, answer: NotificationAnswer): WindowRoute | null | undefined;
}

/** Duration of the snooze of a notification's button, ms of the world's clock. */
const BUTTON_SNOOZE = 3_600_000;
const LONGEST_SILENCE = 366 * 24 * 3_600_000;

export interface AlertActionsDeps extends SnoozingDeps {
  readonly desk: Pick<Desk, 'share'>;
}

export function createAlertActions(deps: AlertActionsDeps): AlertActions {
  const { ledger, desk } = deps;
  const { events, world, guard } = deps.context;
  const { clock } = guard;
  const { mutes, annotations, notifications, trace } = ledger;
  const snoozing = createSnoozing(deps);
  const changed = (ledgerIds: readonly number[]): void => events.emit('alertsChanged', { ledgerIds });
  const mutesChanged = (ledgerIds: readonly number[]): void => {
    events.signal('mutesChanged');
    changed(ledgerIds);
  };

  const setAcknowledged = (ledgerIds: readonly number[], at: number | null, how: Message | null): void => {
    const rows = knownEntries(ledger, ledgerIds);
    ledger.transaction(() => {
      for (const row of rows) {
        annotations.acknowledge(row.ledger_id, at);
        trace.append(row.ledger_id, 'acknowledged', how, clock.now());
        desk.share(row, at === null ? 'released' : 'taken', { ...pressedBy(how), ...(at === null ? {} : { at }) });
      }
    });
    changed(ledgerIds);
  };
  const acknowledge: AlertActions['acknowledge'] = (ledgerIds, acknowledged, how) =>
    acknowledged
      ? setAcknowledged(ledgerIds, clock.now(), how ?? null)
      : setAcknowledged(ledgerIds, null, message('trace.taken_back'));
  const snooze: AlertActions['snooze'] = (ledgerIds, until) => {
    snoozing.start(knownEntries(ledger, ledgerIds), until);
    mutesChanged(ledgerIds);
  };

  return {
    acknowledge,
    seen: (ledgerIds) => setAcknowledged(ledgerIds, clock.now(), message('trace.seen')),
    snooze,
    unsnooze(ledgerIds) {
      snoozing.takeBack(knownEntries(ledger, ledgerIds));
      mutesChanged(ledgerIds);
    },
    note(ledgerId, note) {
      const rows = knownEntries(ledger, [ledgerId]);
      ledger.transaction(() => {
        annotations.write(ledgerId, note);
        trace.append(ledgerId, 'noted', plainMessage(note), clock.now());
        for (const row of rows) desk.share(row, 'noted', { note });
      });
      events.emit('noteWritten', { ledgerId, note });
      changed([ledgerId]);
    },
    silence(input) {
      const silence = silenceOf(input, world.now());
      const id = ledger.transaction(() => mutes.add({ kind: 'silence', until: 'time', ...silence }, clock.now()));
      events.signal('mutesChanged');
      return id;
    },
    editSilence(id, input) {
      const before = mutes.active().find((mute) => mute.id === id && mute.kind === 'silence');
      if (before === undefined) throw refused(message('mute.ended'));
      const now = world.now();
      const edited = silenceOf(input, now);
      // "From now on" keeps a beginning in the past.
      const from = input.from === null ? Math.min(before.from, now) : edited.from;
      ledger.transaction(() => mutes.change(id, { ...edited, from }));
      events.signal('mutesChanged');
    },
    endMute(id) {
      if (!mutes.active().some((mute) => mute.id === id)) throw refused(message('mute.ended'));
      ledger.transaction(() => mutes.end(id, timestamp(world.now()), 'ended by the user'));
      events.signal('mutesChanged');
    },
    answer(notificationId, answer) {
      events.emit('notificationClicked', { notificationId });
      const about = notifications.answeredEventsOf(notificationId);
      if (about.length === 0) return undefined;
      ledger.transaction(() => {
        for (const ledgerId of about) trace.append(ledgerId, 'clicked', plainMessage(notificationId), clock.now());
      });
      changed(about);
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

/** @throws RefusedError where it would end before it begins, or is too long */
function silenceOf({ matchers, from, until, comment }: SilenceInput, now: number) {
  const begin = from === null ? now : Date.parse(from);
  const end = Date.parse(until);
  if (end <= begin || end <= now) throw refused(message('silence.past', { until, now: timestamp(now) }));
  if (end > now + LONGEST_SILENCE) throw refused(message('silence.too_long'));
  return { matchers, from: begin, untilAt: end, comment };
}

/** Who pressed a button under a message; of any other way it is the user of this monitor. */
const pressedBy = (how: Message | null): { readonly by?: string } =>
  how?.code === 'trace.pressed' && typeof how.values.who === 'string' ? { by: how.values.who } : {};

/** @throws RefusedError where one of them is not in the ledger */
function knownEntries(ledger: Ledger, ledgerIds: readonly number[]): EntryRow[] {
  const ids = [...new Set(ledgerIds)];
  const rows = ledger.entries.byLedgerIds(ids);
  const found = new Set(rows.map((row) => row.ledger_id));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0) throw refused(message('alert.unknown', { ids: missing.slice(0, 5).join(', ') }));
  return rows;
}
