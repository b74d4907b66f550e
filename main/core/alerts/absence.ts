// Main, core: finds the alerts that ended while no window was open, for the summary of an absence.
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { WorldClock } from '../time/world-clock.ts';
import { overSinceOf } from './alert.ts';
import type { Attention } from './attention.ts';
import type { DowntimeSummary } from './downtime.ts';

export interface Absence {
  windowsChanged(event: { readonly isOpen: boolean }): void;
  /** Call once world time is known and every event was fetched. @returns whether the summary changed */
  check(): boolean;
  /** Alerts that need attention and ended in this range, world ms: acknowledging its summary handles them. */
  endedWithin(from: number, until: number): number[];
}

export interface AbsenceDeps {
  readonly ledger: Pick<Ledger, 'metadata' | 'entries' | 'transaction'>;
  readonly world: Pick<WorldClock, 'now' | 'isKnown' | 'view'>;
  readonly attention: Pick<Attention, 'read'>;
  readonly downtime: Pick<DowntimeSummary, 'absent'>;
}

/** A shorter absence has no summary, ms of the world's clock at speed 1. */
const SHORTEST = 60_000;

export function createAbsence({ ledger, world, attention, downtime }: AbsenceDeps): Absence {
  const { metadata } = ledger;
  let isOpen = false;

  const endedWithin: Absence['endedWithin'] = (from, until) =>
    ledger.transaction(() =>
      ledger.entries.byLedgerIds([...attention.read()]).flatMap((entry: EntryRow) => {
        const at = overSinceOf(entry, ledger);
        // The ledger stores whole seconds.
        return at !== null && at >= from - 1_000 && at <= until + 1_000 ? [entry.ledger_id] : [];
      }),
    );
  const check = (): boolean => {
    const since = metadata.get('absent_from') ?? '';
    if (!isOpen || since === '' || !world.isKnown()) return false;
    const [from, until] = [Date.parse(since), world.now()];
    metadata.set('absent_from', '');
    const isLong = until - from >= SHORTEST * Math.max(1, world.view().speed);
    if (!isLong || endedWithin(from, until).length === 0) return false;
    downtime.absent(from, until);
    return true;
  };
  return {
    windowsChanged(event) {
      isOpen = event.isOpen;
      // Before the service has given its time, world time may be wrong by years.
      if (!isOpen && world.isKnown() && (metadata.get('absent_from') ?? '') === '')
        metadata.set('absent_from', timestamp(world.now()));
    },
    check,
    endedWithin,
  };
}
