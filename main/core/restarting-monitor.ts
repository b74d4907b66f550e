// Main, core: restarts a monitor when its ledger's file was removed or replaced.
// Windows, tray and command line keep the same object; a window reads a new snapshot after a restart.
import type { Cancel } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { timestamp } from '../../shared/wire/primitives.ts';
import { createGuard } from './guard.ts';
import type { LedgerFault } from './ledger/ledger-file.ts';
import { createMonitor, type Monitor, type MonitorOptions } from './monitor.ts';

/** Shortest time between restarts, ms: the ledger may be unusable, or removed again at once. */
const AGAIN = 10_000;
/** Range of change numbers for each monitor; no monitor sends as many changes. */
const NUMBERS = 2 ** 40;

/** Opens the ledger. @throws as createMonitor does */
export function createRestartingMonitor(options: MonitorOptions): Monitor {
  const { clock, logger } = options.ports;
  const guard = createGuard(clock, logger);
  const since = options.profile.watchedSince ?? timestamp(Math.floor(clock.now()));
  let isStopped = false;
  let madeAt = clock.now();
  let turn = 0;
  /** The last restart; a stop waits for it. */
  let working: Promise<void> = Promise.resolve();
  let cancelRetry: Cancel = () => undefined;

  const make = (after: LedgerFault | null): Monitor => {
    madeAt = clock.now();
    const profile = after === null ? options.profile : { ...options.profile, watchedSince: since };
    const made = createMonitor({
      ...options,
      profile,
      restart: { after, firstNumber: turn * NUMBERS, onFault: (fault) => restart(fault) },
    });
    turn += 1;
    return made;
  };
  let monitor = make(null);
  /** Attachments to repeat with every new monitor, each with the end of the current one. */
  const attachments = new Map<(monitor: Monitor) => Cancel, Cancel>();
  const keep = (attachment: (monitor: Monitor) => Cancel): Cancel => {
    attachments.set(attachment, attachment(monitor));
    return () => {
      attachments.get(attachment)?.();
      attachments.delete(attachment);
    };
  };
  const replace = async (fault: LedgerFault): Promise<void> => {
    if (isStopped) return;
    logger.error({ fault }, 'the file of the ledger changed while it was in use; the ledger is opened again');
    // The next monitor must begin even when this one fails to stop.
    await monitor.stop().catch((error: unknown) => {
      logger.error({ problem: messageOf(error) }, 'a monitor did not end');
    });
    open(fault);
  };
  /** Call right after the stop, so that no call reaches a closed ledger. */
  const open = (fault: LedgerFault): void => {
    if (isStopped) return;
    try {
      monitor = make(fault);
    } catch (error) {
      logger.error({ problem: messageOf(error) }, 'the ledger cannot be opened again');
      cancelRetry = guard.clock.after(AGAIN, () => open(fault));
      return;
    }
    for (const attachment of attachments.keys()) attachments.set(attachment, attachment(monitor));
    guard.go(monitor.start());
  };
  const restart = (fault: LedgerFault): void => {
    const wait = Math.max(0, turn === 1 ? 0 : AGAIN - Math.abs(clock.now() - madeAt));
    cancelRetry = guard.clock.after(wait, () => {
      working = replace(fault);
      guard.go(working);
    });
  };
  const { handlers } = monitor;
  const answer =
    (name: keyof typeof handlers) =>
    (input: never): unknown =>
      (monitor.handlers[name] as (given: never) => unknown)(input);
  const relay = { watch: (listener) => keep((now) => now.relay.watch(listener)) } satisfies Partial<Monitor['relay']>;
  return {
    handlers: Object.fromEntries(
      Object.keys(handlers).map((name) => [name, answer(name as keyof typeof handlers)]),
    ) as typeof handlers,
    attach: (link) => keep((now) => now.attach(link)),
    onTrayChanged: (listener) => keep((now) => now.onTrayChanged(listener)),
    start: () => monitor.start(),
    async stop() {
      isStopped = true;
      cancelRetry();
      await working;
      await monitor.stop();
    },
    wake: (reason) => monitor.wake(reason),
    readClock: () => monitor.readClock(),
    trayView: () => monitor.trayView(),
    get actions() {
      return monitor.actions;
    },
    get channelAnswers() {
      return monitor.channelAnswers;
    },
    worldNow: () => monitor.worldNow(),
    entries: (after, limit) => monitor.entries(after, limit),
    status: () => monitor.status(),
    get relay() {
      return { ...monitor.relay, ...relay };
    },
  };
}
