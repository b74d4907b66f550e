// Main, core: the one rule of which alerts need attention: for windows, tray, dock and title.

import type { Row } from '../../../shared/channels/state.ts';
import { RULED_OUT } from '../../../shared/settings/alert-rules.ts';
import type { EntryRow, EntryStore } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CoreModule } from '../module.ts';
import { type AlertFacts, alertFactsOf } from './alert.ts';

/** Most transitions read per symbol since its state began. */
const MAX_READ = 20;

/**
 * An active, notified alert needs attention until the user acknowledges it. So does High Risk without a
 * decision of a rule: it began before Barograph started, or every rule is disabled.
 */
export function needsAttention(
  alert: Pick<AlertFacts, 'transition' | 'decision' | 'acked_at' | 'notification_status'>,
): boolean {
  if (alert.acked_at !== null || alert.transition.to_state === 0) return false;
  if (alert.notification_status === 'notified') return true;
  const [miss = ''] = alert.decision?.split(':') ?? [];
  return alert.notification_status === 'none' && alert.transition.to_state === 2 && !RULED_OUT.includes(miss);
}

export interface Attention {
  /** Ledger ids, in the order of the rows; the same set while nothing changed. */
  read(): ReadonlySet<number>;
  readonly on: Required<CoreModule>['on'];
}

export interface AttentionDeps {
  readonly ledger: Pick<Ledger, 'entries' | 'notifications' | 'annotations' | 'mutes' | 'transaction'>;
  readonly rows: { all(): readonly Row[] };
  readonly isWatched: (symbol: string) => boolean;
}

/** The cached result of one symbol; `row`: its source. */
interface Known {
  readonly row: Row;
  readonly ledgerId: number | null;
  readonly needsAttention: boolean;
}

/** Reads only changed symbols: every burst of events causes a push. */
export function createAttention({ ledger, rows, isWatched }: AttentionDeps): Attention {
  const known = new Map<string, Known>();
  let current: ReadonlySet<number> = new Set();

  const derive = (row: Row): Known => {
    const [entry] = activeEntries([row], ledger.entries);
    const facts = entry === undefined ? null : alertFactsOf(entry, ledger);
    return { row, ledgerId: entry?.ledger_id ?? null, needsAttention: facts !== null && needsAttention(facts) };
  };
  const isSnoozed = (symbol: string): boolean =>
    ledger.mutes.active().some(({ kind, symbols }) => kind === 'snooze' && symbols?.includes(symbol) === true);
  const collect = (): number[] =>
    rows.all().flatMap((row) => {
      const before = known.get(row.symbol);
      const now = before?.row === row ? before : derive(row);
      if (now !== before) known.set(row.symbol, now);
      const isOpen = now.needsAttention && isWatched(row.symbol) && !isSnoozed(row.symbol);
      return isOpen && now.ledgerId !== null ? [now.ledgerId] : [];
    });

  return {
    read() {
      const next = ledger.transaction(collect);
      if (next.length !== current.size || next.some((id) => !current.has(id))) current = new Set(next);
      return current;
    },
    on: {
      recorded({ added }) {
        for (const { event } of added) if (event.symbol !== null) known.delete(event.symbol);
      },
      alertsChanged({ ledgerIds }) {
        const ids = new Set(ledgerIds);
        for (const [symbol, { ledgerId }] of known) if (ledgerId !== null && ids.has(ledgerId)) known.delete(symbol);
      },
    },
  };
}

/** The transitions into the current states other than Normal, as far as this ledger has them. */
export function activeEntries(rows: readonly Row[], entries: Pick<EntryStore, 'signalsOf'>): EntryRow[] {
  return rows.flatMap(({ symbol, signal }) => {
    if (signal !== null && signal.state === 0) return [];
    // A symbol without a known signal is in the ledger's last state.
    const since = signal === null ? 0 : Math.floor(Date.parse(signal.since) / 1000);
    const newest = entries.signalsOf(symbol, since, MAX_READ).at(-1);
    if (newest === undefined || newest.to_state === 0) return [];
    return signal === null || newest.to_state === signal.state ? [newest] : [];
  });
}
