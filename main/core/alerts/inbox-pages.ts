// Main, core: the pages of the inbox, and the trace of one event: why it was notified or not.

import type {
  FoundAlerts,
  InboxPage,
  InboxQuery,
  InboxRow,
  LocalAlertPage,
  Trace,
} from '../../../shared/channels/alerting.ts';
import { TRACE_STEPS } from '../../../shared/channels/alerting.ts';
import { refused } from '../../../shared/channels/channel.ts';
import type { Rule } from '../../../shared/settings/alert-rules.ts';
import { isKnownMiss } from '../../../shared/text/en/messages/notifications.ts';
import { type Message, message, plainMessage } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { StateSchema } from '../../../shared/wire/records.ts';
import { EARLIEST, LATEST } from '../compat/fields.ts';
import type { EntryRow } from '../ledger/entries.ts';
import { nextChange } from '../ledger/later-changes.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { changesUpTo } from '../notifications/flapping.ts';
import { pastContextOf, type RuleContextOptions } from '../notifications/rule-context.ts';
import { missOf } from '../notifications/rules.ts';
import { alertOf, localAlertOf } from './alert.ts';
import type { Attention } from './attention.ts';
import { alertsNamed } from './named-alerts.ts';

export interface InboxPages {
  page(query: InboxQuery): InboxPage;
  /** Price alerts before the ledger id `before`; null: from the newest on. */
  prices(query: { readonly before: number | null; readonly limit: number }): LocalAlertPage;
  /** @param name id of an event, or a symbol @throws RefusedError where it names none */
  find(name: string): FoundAlerts;
  /** @throws RefusedError for an unknown event */
  trace(ledgerId: number): Trace;
}

/** Most rows read for one page: a rare filter must not read the whole ledger at once. */
const MAX_SCANNED = 5_000;
const CHUNK = 200;
const LAST = Number.MAX_SAFE_INTEGER;

export interface InboxPagesOptions extends RuleContextOptions {
  readonly ledger: Ledger;
  readonly attention: Pick<Attention, 'read'>;
  readonly rules: () => readonly Rule[];
}

export function createInboxPages(options: InboxPagesOptions): InboxPages {
  const { ledger, rules, watch, attention } = options;
  /** Each rule that does not match this event, with the condition that failed. */
  const silentFor = (entry: EntryRow): Trace['silent'] => {
    const context = pastContextOf(entry, options);
    if (context === null) return [];
    return rules().flatMap((rule) => {
      const miss = missOf(rule, context);
      return miss === null ? [] : [{ rule: rule.id, miss }];
    });
  };
  const rowOf = (entry: EntryRow, needing: ReadonlySet<number>): InboxRow | null => {
    const alert = alertOf(entry, { ledger, isWatched: watch.isWatched, attention: needing });
    if (alert === null) return null;
    const next = nextChange(ledger, entry);
    const state = StateSchema.safeParse(next?.to_state);
    return {
      alert,
      ended: next === undefined || !state.success ? null : { at: timestamp(secondOf(next)), to_state: state.data },
      changes: Math.max(1, changesUpTo(ledger, alert.transition.symbol, entry.occurred_s * 1000)),
    };
  };

  return {
    page({ filter, symbol, before, limit }) {
      const rows: InboxRow[] = [];
      const needing = attention.read();
      let from =
        before === null
          ? { at: LAST, id: LAST }
          : { at: Math.floor(Date.parse(before.at) / 1000), id: before.ledger_id };
      let scanned = 0;
      for (;;) {
        const chunk = ledger.entries.signalsBefore(from.at, from.id, CHUNK);
        for (const entry of chunk) {
          scanned += 1;
          from = { at: entry.occurred_s, id: entry.ledger_id };
          if (symbol !== null && entry.symbol !== symbol) continue;
          const row = rowOf(entry, needing);
          if (row === null || !fits(row, filter)) continue;
          rows.push(row);
          if (rows.length === limit) return { rows, next: positionOf(from) };
        }
        if (chunk.length < CHUNK) return { rows, next: null };
        if (scanned >= MAX_SCANNED) return { rows, next: positionOf(from) };
      }
    },
    prices({ before, limit }) {
      const entries = ledger.entries.localBefore(before ?? LAST, limit);
      const needing = attention.read();
      return {
        rows: entries.flatMap((entry) => localAlertOf(entry, { ledger, attention: needing }) ?? []),
        next: entries.length < limit ? null : (entries.at(-1)?.ledger_id ?? null),
      };
    },
    find(name) {
      const entries = alertsNamed(name, options);
      const needing = attention.read();
      return {
        rows: entries.flatMap((entry) => rowOf(entry, needing) ?? []),
        local_alerts: entries.flatMap((entry) => localAlertOf(entry, { ledger, attention: needing }) ?? []),
      };
    },
    trace(ledgerId) {
      const [entry] = ledger.entries.byLedgerIds([ledgerId]);
      if (entry === undefined) throw refused(message('alert.no_event', { id: ledgerId }));
      const received = {
        at: timestamp(entry.received_ms),
        step: 'received' as const,
        detail: message('trace.source', { source: entry.sources.split(',')[0] ?? '' }),
      };
      const recorded = ledger.trace
        .of(ledgerId)
        .map(({ at, step, detail }) => ({ at: timestamp(at), step: stepOf(step), detail }));
      const isEvaluated = recorded.some(({ step }) => step === 'evaluated');
      const evaluated =
        isEvaluated || entry.decision === null
          ? []
          : [{ at: received.at, step: 'evaluated' as const, detail: missMessageFor(entry.decision) }];
      const next = nextChange(ledger, entry);
      const left =
        next === undefined
          ? []
          : [
              {
                at: timestamp(next.received_ms),
                step: 'recovered' as const,
                detail: message('trace.next', { event: next.event, at: timestamp(secondOf(next)) }),
              },
            ];
      return {
        ledger_id: ledgerId,
        event_id: entry.event_id,
        event: entry.event,
        steps: [received, ...evaluated, ...recorded, ...left],
        silent: silentFor(entry),
      };
    },
  };
}

/** World time, ms, to the second. */
const secondOf = ({ occurredAt }: EntryRow): number => Math.floor(occurredAt / 1000) * 1000;
const positionOf = ({ at, id }: { readonly at: number; readonly id: number }): NonNullable<InboxPage['next']> => ({
  at: timestamp(Math.min(Math.max(at * 1000, EARLIEST), LATEST)),
  ledger_id: id,
});

const stepOf = (step: string): (typeof TRACE_STEPS)[number] => TRACE_STEPS.find((one) => one === step) ?? 'evaluated';

function fits(row: InboxRow, filter: InboxQuery['filter']): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'notified':
      return row.alert.notification_status === 'notified';
    case 'unacked':
      return row.alert.notification_status === 'notified' && row.alert.acked_at === null;
    case 'suppressed':
      return row.alert.notification_status === 'waiting' || row.alert.notification_status === 'dropped';
    case 'ended':
      return row.alert.transition.to_state > 0 && row.ended !== null;
  }
}

/** The message of "below_state:high-risk". Codes of an older ledger are shown unchanged. */
function missMessageFor(decision: string): Message {
  const [miss = '', rule] = decision.split(':');
  if (!isKnownMiss(miss)) return plainMessage(decision);
  return rule === undefined ? message('decision.missed', { miss }) : message('decision.nearest', { miss, rule });
}
