// Main, core: the ledger as back-fill writes it, with what has to happen beside it when the service turns out to have another log.
import type { Clock } from '../../../shared/lib/clock.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { beginAnotherLog } from '../ledger/first-sight.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { WorldClock } from '../state/world-clock.ts';
import type { Anchor } from './anchor.ts';
import type { BackfillOptions } from './backfill.ts';

export interface LogBookRooms {
  readonly ledger: Ledger;
  readonly anchor: Anchor;
  readonly world: WorldClock;
  readonly clock: Clock;
  readonly ingest: BackfillOptions['ledger']['ingest'];
  readonly onGap: () => void;
}

export function createLogBook({
  ledger,
  anchor,
  world,
  clock,
  ingest,
  onGap,
}: LogBookRooms): BackfillOptions['ledger'] {
  return {
    cursor: ledger.cursor,
    held: ledger.held,
    start: anchor.from,
    forgetStart: anchor.forget,
    forgetCursor(cause) {
      const { facts, newestTransition } = ledger;
      beginAnotherLog(facts, {
        world: world.now(),
        here: clock.now(),
        speed: world.face().speed,
        newest: newestTransition(),
      });
      ledger.forgetCursor(cause, timestamp(world.now()));
      anchor.forget();
      onGap();
    },
    ingest,
    newestTransition: ledger.newestTransition,
  };
}
