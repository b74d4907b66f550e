// Main, core: the watermark: the time up to which everything was received; begins and ends outages.
// An outage is a gap row in the ledger and a banner in every window.
import { messageOf } from '../../../shared/lib/result.ts';
import { type Message, message, textOf } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { type Ledger, ledgerErrorMessage } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import type { Anchor } from '../sources/anchor.ts';
import type { Standstill } from '../time/world-clock.ts';
import type { Heartbeat } from './heartbeat.ts';
import { type ConnectionStore, isStreaming } from './state.ts';

export interface Watermark {
  /**
   * Back-fill, which began at `since` (this computer's time), reached the end of the log: everything up to
   * `since` is proven, and everything later while bytes arrive. Ends the outage.
   */
  reached(since: number, filled: number): void;
  /** Later events may have a hole before them. */
  broken(): void;
  /**
   * Begins an outage at once, dated at the last instant of the connection. `proven`: an earlier instant, after
   * which the service proved nothing, in its time and in this computer's.
   */
  lose(cause: Message, proven?: Standstill): void;
  /** Shows an outage of a service that has not been up: there is no gap but that of the downtime. */
  pending(cause: Message): void;
  /** Opens a gap from the last instant of the connection. */
  openGap(cause: Message): void;
  /**
   * Opens a gap for the time since the last watermark, in which the program did not run. @throws when the
   * ledger cannot be written; the user sees that with the first event
   */
  openDowntime(): void;
  /** Writes the watermark. */
  save(): void;
  /** World time up to which everything is known, across runs; null before the first connection. */
  seenUntil(): string | null;
}

export interface WatermarkDeps {
  readonly context: CoreContext;
  readonly ledger: Pick<Ledger, 'caughtUp' | 'openGap' | 'gaps' | 'metadata'>;
  readonly store: ConnectionStore;
  readonly anchor: Pick<Anchor, 'whole'>;
  readonly heartbeat: Pick<Heartbeat, 'lastByteAt'>;
}

/** Most gaps in the event `caughtUp`, newest first. */
const MAX_GAPS = 200;

export function createWatermark(deps: WatermarkDeps): Watermark {
  const { context, ledger, store, heartbeat } = deps;
  const { world, events } = context;
  const { clock } = context.guard;
  const { logger } = context.ports;
  const begun = clock.now();
  /** This computer's time up to which everything is known; null before the first time. */
  let seenUntil: number | null = null;
  let isWhole = false;

  const remember = (): void => {
    if (isWhole) seenUntil = Math.max(seenUntil ?? 0, heartbeat.lastByteAt() ?? 0);
    // This computer's clock may have been set back since.
    if (seenUntil !== null) seenUntil = Math.min(seenUntil, clock.now());
  };
  /** @returns false where it is shown already */
  const show = (cause: Message): boolean => showOutage(deps, cause, seenUntil ?? begun);
  const report = (cause: Message): void => {
    if (show(cause)) logger.warn({ cause: textOf(cause) }, 'outage');
  };
  /** Logs a failed write; it never ends the connection. */
  const writeDown = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      logger.error({ problem: messageOf(error) }, 'the ledger cannot be written');
      isWhole = false;
      report(ledgerErrorMessage(error));
    }
  };
  const seen = (): string | null =>
    seenUntil === null ? ledger.metadata.get('connected_until') : timestamp(world.at(seenUntil));
  const openGap = (cause: Message, from = seen()): void => {
    // Before the first connection there is no gap.
    if (from === null) return;
    writeDown(() => {
      if (ledger.openGap('downtime', from, null, cause)) events.signal('gapsChanged');
    });
  };

  return {
    reached(since, filled) {
      const now = clock.now();
      const gaps = ledger.gaps(MAX_GAPS);
      const { closed } = ledger.caughtUp({ world: Math.floor(world.at(since)), here: since }, filled);
      store.set({ hasCaughtUp: true });
      if (isStreaming(store.current())) deps.anchor.whole();
      events.emit('caughtUp', { gaps });
      if (closed) events.signal('gapsChanged');
      isWhole = true;
      seenUntil = now;
      if (store.current().outage === null) return;
      events.signal('connectionChanged');
      store.set({ outage: null });
    },
    broken() {
      remember();
      isWhole = false;
    },
    lose(cause, proven) {
      remember();
      isWhole = false;
      if (proven === undefined || seenUntil === null || seenUntil <= proven.local) openGap(cause);
      else {
        seenUntil = proven.local;
        const from = timestamp(proven.world);
        openGap(cause, from);
        writeDown(() => ledger.metadata.set('connected_until', from));
      }
      report(cause);
    },
    pending: show,
    openGap(cause) {
      remember();
      openGap(cause);
    },
    openDowntime() {
      const until = ledger.metadata.get('connected_until');
      if (until !== null && ledger.openGap('downtime', until, null, message('connection.not_running')))
        events.signal('gapsChanged');
    },
    save() {
      remember();
      const until = seenUntil === null ? null : seen();
      // While the service does not go on, it is written as the service's time.
      if (until !== null && store.current().standstill === null)
        writeDown(() => ledger.metadata.set('connected_until', until));
    },
    seenUntil() {
      remember();
      return seen();
    },
  };
}

/**
 * @param since this computer's time since which data are missing, ms; a shown outage keeps its own
 * @returns false where it is shown already
 */
function showOutage({ context, store }: WatermarkDeps, cause: Message, since: number): boolean {
  const { outage } = store.current();
  // Compares texts: one failed write arrives as several messages with the same text.
  if (outage !== null && textOf(outage.cause) === textOf(cause)) return false;
  const now = context.guard.clock.now();
  store.set({ outage: { since: outage?.since ?? timestamp(Math.min(since, now)), cause } });
  context.events.signal('connectionChanged');
  return true;
}
