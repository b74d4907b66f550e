// Main, core: forwards events of the ledger to local programs, signed with each target's secret.
// The bytes are those that arrived. Pending events are stored before they are sent, and kept until the target
// accepts them: through restarts, sleep, and while the target does not run.
import { randomBytes } from 'node:crypto';
import type { Target } from '../../../shared/channels/relay.ts';
import type { StoredTarget } from './forward-queue.ts';
import { SECRET_BYTES } from './signature.ts';
import { createTargetQueue, type ForwarderDeps, type TargetQueue } from './target-queue.ts';

export interface Forwarder {
  /** Enqueues the new events of the ledger, and sends due ones. Never throws. */
  wake(): void;
  /** The ledger in memory was written back to its file; `isRenumbered`: under other ids. */
  ledgerWritten(isRenumbered: boolean): void;
  stop(): void;
  /** `secret` null: makes one. */
  add(target: Pick<StoredTarget, 'url' | 'filter' | 'allowPublic'> & { readonly secret: string | null }): StoredTarget;
  remove(id: string): void;
  targets(): Target[];
}

/**
 * Most by which our estimate of the service's clock is ahead, s: an event right after a target was added must
 * not look older than the target.
 */
const CLOCK_TOLERANCE = 60;

/** Sends nothing before the first `wake`. */
export function createForwarder(deps: ForwarderDeps): Forwarder {
  const { context, ledger } = deps;
  const { queue } = deps.store;
  // Positions are ids of the ledger's file; a ledger in memory may have other ids.
  if (ledger.unwritten() === null && queue.targets().some(({ position }) => position > ledger.count()))
    queue.rewind(ledger.count());
  const queues = new Map<string, TargetQueue>(
    queue.targets().map((target) => [target.id, createTargetQueue(target, deps)]),
  );
  return {
    wake() {
      for (const one of queues.values()) one.wake();
    },
    ledgerWritten(isRenumbered) {
      for (const one of queues.values()) one.ledgerWritten(isRenumbered);
    },
    stop() {
      for (const one of queues.values()) one.stop();
    },
    add({ secret, ...given }) {
      const target: StoredTarget = {
        ...given,
        id: `tgt_${randomBytes(9).toString('base64url')}`,
        secret: secret ?? randomBytes(SECRET_BYTES).toString('base64'),
        // From 0 on, `since` excludes the events from before the target was added.
        position: ledger.unwritten() === null ? ledger.count() : 0,
        since: Math.floor(context.world.now() / 1000) - CLOCK_TOLERANCE,
      };
      queue.addTarget(target);
      queues.set(target.id, createTargetQueue(target, deps));
      return target;
    },
    remove(id) {
      queue.removeTarget(id);
      queues.get(id)?.stop();
      queues.delete(id);
    },
    targets: () => [...queues.values()].map((one) => one.view()),
  };
}
