// Main, core: what the user does with alerts: acknowledge, snooze, silence, note. Each act is one transaction, and a step in the way of its event.

import type { SilenceInput, SnoozeUntil } from '../../../shared/channels/alerting.ts';
import { RefusedError } from '../../../shared/channels/channel.ts';
import { nextOpen, sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { EntryRow } from '../ledger/entries.ts';
import { laterChanges } from '../ledger/later-changes.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Mute } from '../ledger/mutes.ts';
import { MUTE_BIN } from '../ledger/notifications.ts';
import { transitionOf } from '../ledger/transition.ts';
import { againId } from '../notifications/text.ts';

export interface UserActions {
  acknowledge(ledgerIds: readonly number[], acknowledged: boolean): void;
  /** @throws RefusedError where none of the alerts is active, or the time lies behind or too far ahead */
  snooze(ledgerIds: readonly number[], until: SnoozeUntil): void;
  /** Ends the snoozes of these alerts' symbols without notifying again what only waited for their end. */
  unsnooze(ledgerIds: readonly number[]): void;
  note(ledgerId: number, note: string): void;
  /** @throws RefusedError where it would end before it begins */
  silence(input: SilenceInput): void;
  /** @throws RefusedError where there is no such mute */
  endMute(id: number): void;
  /** A notification was clicked; one that names nothing known is ignored. Returns the events that it is about. */
  clicked(notificationId: string): readonly number[];
}

export interface UserActionsOptions {
  readonly ledger: Ledger;
  readonly environment: 'sandbox' | 'production';
  readonly clock: Clock;
  readonly world: { now(): number };
}

const LONGEST_SNOOZE = 30 * 24 * 3_600_000;
const LONGEST_SILENCE = 366 * 24 * 3_600_000;
const refuse = (message: string): RefusedError => new RefusedError({ code: 'refused', message });

export function createUserActions({ ledger, environment, clock, world }: UserActionsOptions): UserActions {
  const { mutes, annotations, notifications, trace } = ledger;

  const known = (ledgerIds: readonly number[]): EntryRow[] => {
    const ids = [...new Set(ledgerIds)];
    const rows = ledger.entries.byLedgerIds(ids);
    const found = new Set(rows.map((row) => row.ledger_id));
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length > 0) throw refuse(`There is no alert ${missing.slice(0, 5).join(', ')} in this ledger.`);
    return rows;
  };
  const endOf = (until: SnoozeUntil, row: EntryRow): Pick<Mute, 'until' | 'untilAt'> => {
    const now = world.now();
    switch (until.kind) {
      case 'time': {
        const at = Date.parse(until.at);
        if (at <= now) throw refuse(`${until.at} is past: it is ${timestamp(now)} there.`);
        if (at > now + LONGEST_SNOOZE) throw refuse('A snooze lasts 30 days at most. For longer, make a silence.');
        return { until: 'time', untilAt: at };
      }
      case 'next_open':
        return {
          until: 'time',
          untilAt: nextOpen(sessionCalendarOf(transitionOf(row)?.asset_class ?? 'etf', environment), now),
        };
      case 'change':
      case 'recovery':
        return { until: until.kind, untilAt: null };
    }
  };
  const untilLabel = ({ until, untilAt }: Pick<Mute, 'until' | 'untilAt'>): string =>
    untilAt !== null
      ? `until ${timestamp(untilAt)}`
      : until === 'change'
        ? 'until its next change'
        : 'until it recovers';

  const snoozesOf = (symbols: ReadonlySet<string>): Mute[] =>
    mutes
      .active()
      .filter(
        ({ kind, symbols: own }) =>
          kind === 'snooze' && own?.length === 1 && own[0] !== undefined && symbols.has(own[0]),
      );

  /** One symbol; the active alert is notified again when the snooze ends, unless it is queued anyway. */
  const snoozeOne = (row: EntryRow, symbol: string, end: Pick<Mute, 'until' | 'untilAt'>): void => {
    const now = world.now();
    for (const mute of snoozesOf(new Set([symbol]))) mutes.end(mute.id, timestamp(now), 'snoozed anew');
    const id = mutes.add({ kind: 'snooze', symbols: [symbol], from: now, comment: '', ...end }, clock.now());
    const previous = notifications.of(row.ledger_id);
    const waits = previous.some(({ outcome }) => outcome === 'muted' || outcome === 'batched' || outcome === 'pending');
    const rules = previous[0]?.rules ?? [];
    if (!waits && rules.length > 0)
      notifications.write(
        row.ledger_id,
        {
          id: againId(row.event_id, id),
          kind: 'again',
          rules,
          baseRate: null,
          outcome: 'muted',
          reason: 'snoozed',
          batch: MUTE_BIN,
        },
        clock.now(),
      );
    trace.note(row.ledger_id, 'snoozed', untilLabel(end), clock.now());
  };

  return {
    acknowledge(ledgerIds, acknowledged) {
      const rows = known(ledgerIds);
      ledger.transaction(() => {
        for (const { ledger_id } of rows) {
          annotations.acknowledge(ledger_id, acknowledged ? clock.now() : null);
          trace.note(ledger_id, 'acknowledged', acknowledged ? '' : 'taken back', clock.now());
        }
      });
    },
    snooze(ledgerIds, until) {
      const newest = new Map<string, EntryRow>();
      for (const row of known(ledgerIds))
        if (row.symbol !== null && (row.to_state ?? 0) > 0 && laterChanges(ledger, row).length === 0)
          newest.set(row.symbol, row);
      if (newest.size === 0) throw refuse('None of these alerts stands any more: there is nothing to snooze.');
      const ends = [...newest].map(([symbol, row]) => ({ symbol, row, end: endOf(until, row) }));
      ledger.transaction(() => {
        for (const { symbol, row, end } of ends) snoozeOne(row, symbol, end);
      });
    },
    unsnooze(ledgerIds) {
      const rows = known(ledgerIds);
      ledger.transaction(() => {
        for (const mute of snoozesOf(new Set(rows.flatMap(({ symbol }) => symbol ?? []))))
          mutes.end(mute.id, timestamp(world.now()), 'taken back');
        for (const row of rows)
          for (const { id, kind, outcome } of notifications.of(row.ledger_id))
            if (kind === 'again' && outcome === 'muted')
              notifications.move(id, 'dropped', 'the snooze was taken back', null, clock.now());
        for (const { ledger_id } of rows) trace.note(ledger_id, 'snoozed', 'taken back', clock.now());
      });
    },
    note(ledgerId, note) {
      known([ledgerId]);
      ledger.transaction(() => {
        annotations.write(ledgerId, note);
        trace.note(ledgerId, 'noted', note, clock.now());
      });
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
    },
    endMute(id) {
      if (!mutes.active().some((mute) => mute.id === id)) throw refuse('This snooze or silence has ended already.');
      ledger.transaction(() => mutes.end(id, timestamp(world.now()), 'ended by the user'));
    },
    clicked(notificationId) {
      const about = notifications.eventsOf(notificationId);
      if (about.length > 0)
        ledger.transaction(() => {
          for (const ledgerId of about) trace.note(ledgerId, 'clicked', notificationId, clock.now());
        });
      return about;
    },
  };
}
