// Main, core: the ledger as back-fill writes it, and the switch to another log of the service.
import type { Clock } from '../../../shared/lib/clock.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { EventBus } from '../events.ts';
import { startNewLog } from '../ledger/baseline.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { WorldClock } from '../world-clock.ts';
import type { Anchor } from './anchor.ts';
import type { BackfillOptions } from './backfill.ts';

export interface BackfillLedgerDeps {
  readonly ledger: Ledger;
  readonly anchor: Anchor;
  readonly world: WorldClock;
  readonly clock: Clock;
  readonly ingest: BackfillOptions['ledger']['ingest'];
  readonly events: Pick<EventBus, 'signal'>;
}

export function createBackfillLedger({
  ledger,
  anchor,
  world,
  clock,
  ingest,
  events,
}: BackfillLedgerDeps): BackfillOptions['ledger'] {
  return {
    cursor: ledger.cursor,
    pending: ledger.pendingIds,
    start: anchor.from,
    forgetStart: anchor.forget,
    forgetCursor(cause) {
      const { metadata, newestTransition } = ledger;
      startNewLog(metadata, {
        world: world.now(),
        here: clock.now(),
        speed: world.view().speed,
        newest: newestTransition(),
      });
      ledger.forgetCursor(cause, timestamp(world.now()));
      anchor.forget();
      events.signal('gapsChanged');
    },
    ingest,
    newestTransition: ledger.newestTransition,
  };
}
