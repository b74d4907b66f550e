// Main, core: snoozes the symbols of active alerts, in one transaction, and ends snoozes.

import { LONGEST_SNOOZE, type SnoozeUntil } from '../../../shared/channels/alerting.ts';
import { refused } from '../../../shared/channels/channel.ts';
import { onlySymbol, symbolMatchers } from '../../../shared/domain/matchers.ts';
import { type CalendarOf, nextOpen } from '../../../shared/domain/sessions.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { EntryRow } from '../ledger/entries.ts';
import { laterChanges } from '../ledger/later-changes.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Mute } from '../ledger/mutes.ts';
import { againId } from '../ledger/notification-ids.ts';
import { MUTE_BATCH } from '../ledger/notification-queue.ts';
import type { CoreContext } from '../module.ts';

type SnoozeEnd = Pick<Mute, 'until' | 'untilAt'>;

export interface Snoozing {
  /** @throws RefusedError where none of the alerts is active, or the time is past or too far ahead */
  start(rows: readonly EntryRow[], until: SnoozeUntil): void;
  takeBack(rows: readonly EntryRow[]): void;
}

export interface SnoozingDeps {
  readonly context: Pick<CoreContext, 'events' | 'guard' | 'world' | 'calendarOf'>;
  readonly ledger: Ledger;
}

export function createSnoozing({ context, ledger }: SnoozingDeps): Snoozing {
  const { world, calendarOf } = context;
  const { clock } = context.guard;
  const { mutes, notifications, trace } = ledger;

  const snoozesOf = (symbols: ReadonlySet<string>): Mute[] =>
    mutes.active().filter(({ kind, matchers }) => {
      const symbol = onlySymbol(matchers);
      return kind === 'snooze' && symbol !== null && symbols.has(symbol);
    });
  /**
   * Snoozes one symbol. Its active alert is notified again when the snooze ends, unless it is queued anyway.
   */
  const snoozeSymbol = (row: EntryRow, symbol: string, end: SnoozeEnd): void => {
    const now = world.now();
    for (const mute of snoozesOf(new Set([symbol]))) mutes.end(mute.id, timestamp(now), 'snoozed again');
    // Begins at the alert: back-fill may bring a later change that was not yet known when the user snoozed.
    const from = Math.min(now, row.occurredAt);
    const id = mutes.add(
      { kind: 'snooze', matchers: symbolMatchers([symbol]), from, comment: '', ...end },
      clock.now(),
    );
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
          reason: message('muted.snoozed'),
          batch: MUTE_BATCH,
        },
        clock.now(),
      );
    trace.append(row.ledger_id, 'snoozed', endMessage(end), clock.now());
  };

  return {
    start(rows, until) {
      const newest = new Map<string, EntryRow>();
      for (const row of rows)
        if (
          row.symbol !== null &&
          (row.to_state ?? row.foreign?.severity ?? 0) > 0 &&
          laterChanges(ledger, row).length === 0
        )
          newest.set(row.symbol, row);
      if (newest.size === 0) throw refused(message('snooze.none_active'));
      const ends = [...newest].map(([symbol, row]) => ({
        symbol,
        row,
        end: snoozeEndOf(until, row, world.now(), calendarOf),
      }));
      ledger.transaction(() => {
        for (const { symbol, row, end } of ends) snoozeSymbol(row, symbol, end);
      });
    },
    takeBack(rows) {
      ledger.transaction(() => {
        for (const mute of snoozesOf(new Set(rows.flatMap(({ symbol }) => symbol ?? []))))
          mutes.end(mute.id, timestamp(world.now()), 'taken back');
        for (const row of rows)
          for (const { id, kind, outcome } of notifications.of(row.ledger_id))
            if (kind === 'again' && outcome === 'muted')
              notifications.move(id, 'dropped', message('dropped.unsnoozed'), null, clock.now());
        for (const { ledger_id } of rows) trace.append(ledger_id, 'snoozed', message('trace.taken_back'), clock.now());
      });
    },
  };
}

/** @throws RefusedError where the time is past or too far ahead */
function snoozeEndOf(until: SnoozeUntil, row: EntryRow, now: number, calendarOf: CalendarOf): SnoozeEnd {
  switch (until.kind) {
    case 'time': {
      const at = Date.parse(until.at);
      if (at <= now) throw refused(message('snooze.past', { at: until.at, now: timestamp(now) }));
      if (at > now + LONGEST_SNOOZE) throw refused(message('snooze.too_long'));
      return { until: 'time', untilAt: at };
    }
    case 'next_open': {
      return { until: 'time', untilAt: nextOpen(calendarOf(row.symbol, row.transition?.asset_class), now) };
    }
    case 'change':
    case 'recovery':
      return { until: until.kind, untilAt: null };
  }
}

function endMessage({ until, untilAt }: SnoozeEnd): Message {
  if (untilAt !== null) return message('trace.until', { at: timestamp(untilAt) });
  return until === 'change' ? message('trace.until_change') : message('trace.until_recovery');
}
