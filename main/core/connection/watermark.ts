// Main, core: the watermark: up to when everything was received, and the start of an outage.
// An outage is a gap row in the ledger and a banner in every window.
import { messageOf } from '../../../shared/lib/result.ts';
import { type Message, message, textOf } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { type Ledger, ledgerErrorMessage } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import type { Anchor } from '../sources/anchor.ts';
import type { Heartbeat } from './heartbeat.ts';
import { type ConnectionStore, isStreaming } from './state.ts';

export interface Watermark {
  /**
   * Back-fill, begun at `since` (this computer's time), reached the end of the log: everything up to then is
   * proven, and stays so while bytes come. Ends the outage.
   */
  reached(since: number, filled: number): void;
  /** Later events may have a hole before them. */
  broken(): void;
  /** Begins an outage at once, with its cause, at the last instant of connection. */
  lose(cause: Message): void;
  /** Opens a gap at the last instant of connection. */
  openGap(cause: Message): void;
  /**
   * The program was not running since the last watermark: opens a gap for that time. @throws when the ledger
   * cannot be written; that is shown when the first event cannot be written either
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

/** Most gaps in the event for the followers of a caught-up log, newest first. */
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
  const show = (cause: Message): void => {
    const { outage } = store.current();
    // By the text: one failed write reaches here as several messages that read the same.
    if (outage !== null && textOf(outage.cause) === textOf(cause)) return;
    store.set({ outage: { since: outage?.since ?? timestamp(Math.min(seenUntil ?? begun, clock.now())), cause } });
    logger.warn({ cause: textOf(cause) }, 'outage');
    events.signal('connectionChanged');
  };
  /** Logs a failed write; it never ends the connection. */
  const writeDown = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      logger.error({ problem: messageOf(error) }, 'the ledger cannot be written');
      isWhole = false;
      show(ledgerErrorMessage(error));
    }
  };
  const openGap = (cause: Message): void => {
    const from = seenUntil === null ? ledger.metadata.get('connected_until') : timestamp(world.at(seenUntil));
    // Without a first connection there can be no gap.
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
    openDowntime() {
      const until = ledger.metadata.get('connected_until');
      if (until !== null && ledger.openGap('downtime', until, null, message('connection.not_running')))
        events.signal('gapsChanged');
    },
    save() {
      remember();
      const until = seenUntil;
      if (until !== null) writeDown(() => ledger.metadata.set('connected_until', timestamp(world.at(until))));
    },
    seenUntil() {
      remember();
      return seenUntil === null ? ledger.metadata.get('connected_until') : timestamp(world.at(seenUntil));
    },
  };
}
