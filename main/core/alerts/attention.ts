// Main, core: the one rule of which alerts need attention: for windows, tray, dock and title.

import type { Row } from '../../../shared/channels/state.ts';
import { onlySymbol } from '../../../shared/domain/matchers.ts';
import { RULED_OUT } from '../../../shared/settings/misses.ts';
import { activeEntries, type SymbolState, stateOf } from '../ledger/active-entries.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { NotificationRow } from '../ledger/notification-outcomes.ts';
import type { CoreModule } from '../module.ts';
import { type RecordedAlert, recordedAlertOf } from './alert.ts';

/**
 * An active, notified alert needs attention until the user acknowledges it. So does High Risk without a
 * decision of a rule: it began before Barograph started, or every rule is disabled.
 */
export function needsAttention(
  alert: Pick<RecordedAlert, 'transition' | 'decision' | 'acked_at' | 'notification_status'>,
): boolean {
  if (alert.acked_at !== null || alert.transition.to_state === 0) return false;
  if (alert.notification_status === 'notified') return true;
  const [miss = ''] = alert.decision?.split(':') ?? [];
  return alert.notification_status === 'none' && alert.transition.to_state === 2 && !RULED_OUT.includes(miss);
}

/**
 * True where the state ended within a snooze, which counts as handling the alert. Where the snooze ended
 * first and quiet hours or a silence held the repeat back, their reason has replaced that of the snooze.
 * @param own notifications of the alert
 */
export function isSnoozedOver(own: readonly Pick<NotificationRow, 'kind' | 'outcome' | 'reason'>[]): boolean {
  const { outcome, reason = null } = own.findLast(({ kind }) => kind === 'again') ?? {};
  if (outcome === 'muted') return reason?.code === 'muted.snoozed';
  if (reason?.code !== 'muted.over') return false;
  const { reason: last } = reason.values;
  return typeof last !== 'string' && last.code === 'muted.snoozed';
}

export interface Attention {
  /**
   * Ledger ids, in the order of the rows; the same set while nothing changed. A symbol may have its active
   * alert, its newest notified High Risk, even after its end, and the newest notified price alert of each
   * rule. Every notified alert of another program above Normal is one, and of the share of a list, until it is acknowledged
   * or snoozed.
   */
  read(): ReadonlySet<number>;
  /** Ledger ids of these symbols from the last `read`. */
  of(symbols: ReadonlySet<string>): number[];
  readonly on: Required<CoreModule>['on'];
}

export interface AttentionDeps {
  readonly ledger: Pick<
    Ledger,
    'entries' | 'notifications' | 'annotations' | 'mutes' | 'metadata' | 'transaction' | 'deskActs'
  >;
  readonly rows: { all(): readonly Row[] };
  readonly isWatched: (symbol: string) => boolean;
}

/** The cached result of one symbol in a state. */
interface Known extends SymbolState {
  /** When the state was entered, as the ledger has it, s; null: the ledger has no such entry. */
  readonly enteredAt: number | null;
  readonly needing: readonly number[];
}

/**
 * Reads only symbols whose state changed: every poll brings new rows, and every burst of events causes a
 * push.
 */
export function createAttention({ ledger, rows, isWatched }: AttentionDeps): Attention {
  const known = new Map<string, Known>();
  /** Ledger ids of alerts that changed since the last reading. */
  const changed = new Set<number>();
  let current: ReadonlySet<number> = new Set();
  /** The alerts of other programs and of shares of lists; null: read them again. */
  let local: readonly Pick<EntryRow, 'ledger_id' | 'symbol'>[] | null = null;

  const isAcknowledged = (ledgerId: number): boolean => ledger.annotations.of(ledgerId).ackedAt !== null;
  /** Whether an alert rested on a price that turned out to be none: its withdrawal says why. */
  const isWithdrawn = (symbol: string, id: number): boolean => {
    const [entry] = ledger.entries.byLedgerIds([id]);
    if (entry?.transition?.in_question !== 'open') return false;
    const [next] = ledger.entries
      .signalsWithin(symbol, entry.occurred_s, Number.MAX_SAFE_INTEGER, 3)
      .filter(({ ledger_id }) => ledger_id > id);
    return next?.transition?.in_question === 'withdrawn';
  };
  /** The newest notified High Risk, unless it was acknowledged, withdrawn, or snoozed until its end. */
  const unhandledHigh = (symbol: string): number | null => {
    const id = ledger.notifications.newestHigh(symbol);
    if (id === null || id <= Number(ledger.metadata.get('open_after') ?? 0) || isAcknowledged(id)) return null;
    return isSnoozedOver(ledger.notifications.of(id)) || isWithdrawn(symbol, id) ? null : id;
  };
  /** The newest notified price alert of each rule, unless it was acknowledged. */
  const unhandledCrossings = (symbol: string): number[] =>
    ledger.entries
      .byLedgerIds(ledger.notifications.newestCrossings(symbol))
      .flatMap(({ crossing, ledger_id: id }) => (crossing === undefined || isAcknowledged(id) ? [] : [id]));
  const derive = (row: Row): Known => {
    const [active] = activeEntries([row], ledger.entries);
    const recorded = active === undefined ? null : recordedAlertOf(active, ledger);
    const needing = new Set<number>(unhandledCrossings(row.symbol));
    const past = unhandledHigh(row.symbol);
    if (past !== null && past !== active?.ledger_id) needing.add(past);
    if (recorded !== null && needsAttention(recorded)) needing.add(recorded.ledger_id);
    return { ...stateOf(row), enteredAt: active?.occurred_s ?? null, needing: [...needing] };
  };
  const isSnoozed = (symbol: string): boolean =>
    ledger.mutes.active().some(({ kind, matchers }) => kind === 'snooze' && onlySymbol(matchers) === symbol);
  const collect = (): number[] => {
    if (changed.size > 0) local = null;
    if (changed.size > 0) for (const symbol of ledger.entries.symbolsOf([...changed])) known.delete(symbol);
    changed.clear();
    local ??= ledger.entries
      .byLedgerIds(ledger.notifications.openLocal())
      .filter((entry) => entry.breadth !== undefined || (entry.foreign?.severity ?? 0) > 0);
    const ofOthers = local.filter(({ symbol }) => symbol === null || !isSnoozed(symbol));
    const ofSymbols = rows.all().flatMap((row) => {
      const before = known.get(row.symbol);
      const now = before !== undefined && isSameState(before, stateOf(row)) ? before : derive(row);
      if (now !== before) known.set(row.symbol, now);
      return now.needing.length > 0 && isWatched(row.symbol) && !isSnoozed(row.symbol) ? now.needing : [];
    });
    return [...ofSymbols, ...ofOthers.map(({ ledger_id }) => ledger_id)];
  };
  const forget = (): void => {
    known.clear();
    local = null;
  };

  return {
    read() {
      const next = ledger.transaction(collect);
      if (next.length !== current.size || next.some((id) => !current.has(id))) current = new Set(next);
      return current;
    },
    of: (symbols) => [...symbols].flatMap((symbol) => known.get(symbol)?.needing ?? []),
    on: {
      // The ledger was replaced, so the ids may have changed.
      ledgerUnwritten: forget,
      ledgerWritten: forget,
      recorded({ added }) {
        for (const { event } of added) {
          if (event.symbol !== null) known.delete(event.symbol);
          if (event.symbol === null || event.foreign !== undefined) local = null;
        }
      },
      alertsChanged({ ledgerIds }) {
        for (const id of ledgerIds) changed.add(id);
      },
    },
  };
}

/** A service may count the beginning of a state back from now: a later one, up to the entry, finds the same entry. */
const isSameState = ({ state, since, enteredAt }: Known, now: SymbolState): boolean =>
  state === now.state &&
  (since === now.since || (now.since >= since && (enteredAt === null || now.since <= enteredAt)));
