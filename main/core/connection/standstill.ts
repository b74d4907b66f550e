// Main, core: the outage of a service that answers and does not go on: its clock stands, or it decides nothing.
import { type Message, message, textOf } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import type { Standstill } from '../time/world-clock.ts';
import type { CatchUp } from './catch-up.ts';
import type { ConnectionStore } from './state.ts';
import type { Watermark } from './watermark.ts';

export interface StandstillWatch {
  start(): void;
  /** Call every second. */
  check(): void;
  /** World time of the oldest decision that is overdue, if those of all watched signals are; else null. */
  overdue(since: number | null): void;
}

export interface StandstillDeps {
  readonly context: CoreContext;
  readonly store: ConnectionStore;
  readonly ledger: Pick<Ledger, 'metadata'>;
  readonly watermark: Pick<Watermark, 'lose'>;
  readonly catchUp: Pick<CatchUp, 'run'>;
}

export function createStandstillWatch({ context, store, ledger, watermark, catchUp }: StandstillDeps): StandstillWatch {
  const { guard, world, events } = context;
  let overdueSince: number | null = null;

  const found = (): { readonly cause: Message; readonly proven: Standstill } | null => {
    const stand = world.standstill();
    if (stand !== null) return { cause: message('connection.clock_stands'), proven: stand };
    const { speed } = world.view();
    if (overdueSince === null || speed === 0) return null;
    const local = guard.clock.now() - (world.now() - overdueSince) / speed;
    return { cause: message('connection.overdue'), proven: { world: overdueSince, local } };
  };
  const update = (): void => {
    const now = found();
    const { standstill } = store.current();
    if ((now === null ? null : textOf(now.cause)) === (standstill === null ? null : textOf(standstill))) return;
    store.set({ standstill: now?.cause ?? null });
    const stand = world.standstill();
    const stoodAt = stand === null ? '' : `${timestamp(stand.world)} ${timestamp(stand.local)}`;
    guard.run(() => ledger.metadata.set('stood_at', stoodAt));
    if (now !== null) watermark.lose(now.cause, now.proven);
    // Reads what the service announced since, and ends the outage.
    else guard.go(catchUp.run('backfill'));
    events.signal('connectionChanged');
  };
  return {
    start() {
      const [stoodAt = '', local = ''] = ledger.metadata.get('stood_at')?.split(' ') ?? [];
      // A restart alone does not end the outage.
      if (local !== '') world.resume({ world: Date.parse(stoodAt), local: Date.parse(local) });
    },
    check() {
      world.tick();
      update();
    },
    overdue(since) {
      overdueSince = since;
      update();
    },
  };
}
