// Main, core: up to when everything was seen, and since when nothing is. Loss of the connection is a gap row in the ledger and a banner in every window.
import type { Connection as ConnectionFace } from '../../../shared/channels/state.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { type Ledger, ledgerErrorMessage } from '../ledger/ledger.ts';
import type { Logger } from '../ports.ts';
import type { WorldClock } from '../state/world-clock.ts';

export interface Watermark {
  /**
   * Back-fill, begun at `since` (this computer's time), reached the end of the log: all up to then is proven, and goes on being seen while bytes
   * come. Sight is back.
   */
  reached(since: number, filled: number): void;
  /** What comes from now on may have a hole before it. */
  broken(): void;
  isWhole(): boolean;
  /** Nothing is seen any more: said at once, with its cause, since the last moment of connection. */
  lose(cause: string): void;
  /** Something may be missing from the last moment of connection on. */
  openGap(cause: string): void;
  /** Writes the mark down. */
  save(): void;
  outage(): ConnectionFace['outage'];
  /** World time up to which everything is known, of an earlier run too; null before the first connection. */
  seenUntil(): string | null;
}

export interface WatermarkOptions {
  readonly clock: Clock;
  readonly world: WorldClock;
  readonly ledger: Pick<Ledger, 'caughtUp' | 'openGap' | 'metadata'>;
  readonly logger: Logger;
  /** This computer's time of the last byte on the stream, null before the first. */
  readonly lastByteAt: () => number | null;
  readonly onChanged: (part: 'connection' | 'gaps') => void;
}

export function createWatermark({ clock, world, ledger, logger, lastByteAt, onChanged }: WatermarkOptions): Watermark {
  const begun = clock.now();
  let outage: ConnectionFace['outage'] = null;
  /** This computer's time up to which everything is known, null before the first time. */
  let seenUntil: number | null = null;
  let isWhole = false;

  const remember = (): void => {
    if (isWhole) seenUntil = Math.max(seenUntil ?? 0, lastByteAt() ?? 0);
  };
  const show = (cause: string): void => {
    if (outage?.cause === cause) return;
    outage = { since: outage?.since ?? timestamp(seenUntil ?? begun), cause };
    logger.warn({ cause }, 'outage');
    onChanged('connection');
  };
  /** What cannot be written down is said, and never ends the listening. */
  const writeDown = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      logger.error({ problem: messageOf(error) }, 'the ledger cannot be written');
      isWhole = false;
      show(ledgerErrorMessage(error));
    }
  };
  const openGap = (cause: string): void => {
    const from = seenUntil === null ? ledger.metadata.get('connected_until') : timestamp(world.at(seenUntil));
    // Before the first connection there is nothing that could have a gap.
    if (from === null) return;
    writeDown(() => {
      if (ledger.openGap('downtime', from, null, cause)) onChanged('gaps');
    });
  };

  return {
    reached(since, filled) {
      const now = clock.now();
      if (ledger.caughtUp({ world: Math.floor(world.at(since)), here: since }, filled).closed) onChanged('gaps');
      isWhole = true;
      seenUntil = now;
      if (outage !== null) onChanged('connection');
      outage = null;
    },
    broken() {
      remember();
      isWhole = false;
    },
    isWhole: () => isWhole,
    lose(cause) {
      remember();
      isWhole = false;
      openGap(cause);
      show(cause);
    },
    openGap(cause) {
      remember();
      openGap(cause);
    },
    save() {
      remember();
      const until = seenUntil;
      if (until !== null) writeDown(() => ledger.metadata.set('connected_until', timestamp(world.at(until))));
    },
    outage: () => outage,
    seenUntil() {
      remember();
      return seenUntil === null ? ledger.metadata.get('connected_until') : timestamp(world.at(seenUntil));
    },
  };
}
