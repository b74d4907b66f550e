// Main, core: dispatches the ledger's open intents to desktop or channel, and records the outcome.
// An intent that neither the desktop nor a window took stays open, and is retried under the same id, also
// after a restart.
import { messageFrom, refused } from '../../../shared/channels/channel.ts';
import { type BackoffOptions, backoffDelay } from '../../../shared/lib/backoff.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { EventBus } from '../events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { DeliveryOutcome, Intent, OpenIntents } from '../ledger/notifications.ts';
import type { Logger } from '../ports.ts';
import type { DeliveryResult, NotificationSender } from './sender.ts';

export interface Dispatcher {
  /** Dispatches every open intent that has no running attempt. */
  wake(): void;
  /** The desktop may have returned: retries at once what waits for it. */
  retryDesktop(): void;
  /** A window showed an open notification to the user. */
  takenByWindow(id: string): void;
  /** Cancels the retries; resolves when running attempts are decided, or after a moment. */
  stop(): Promise<void>;
}

export interface DispatcherOptions {
  readonly ledger: Pick<Ledger, 'notifications' | 'trace' | 'transaction'>;
  readonly sender: Pick<NotificationSender, 'deliver' | 'isExpired'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly events: Pick<EventBus, 'emit'>;
}

const RETRY: BackoffOptions = { base: 1_000, cap: 60_000 };
/**
 * A notification that grew is sent again so long after it was accepted at the earliest, ms: a desktop replaces what it
 * shows, any other channel sends one message more.
 */
const GROWTH_PAUSE = { desktop: 2_000, others: 60_000 };
/** Deadline of an answer before the next attempt, ms. */
const ANSWER_DEADLINE = 15_000;
/**
 * Most attempts at the same time, at the desktop and at all other channels: a notifier, and the ledger behind it, must
 * stay responsive, and a mail server that does not answer must not delay the desktop.
 */
const AT_ONCE = 8;
/** Longest wait of a stop for running attempts, ms. */
const STOP_DEADLINE = 1_500;

export function createDispatcher({ ledger, sender, clock, random, logger, events }: DispatcherOptions): Dispatcher {
  const inFlight = { desktop: new Map<string, Promise<void>>(), others: new Map<string, Promise<void>>() };
  /** Accepted, but the outcome is not written yet: the next wake writes it, and does not dispatch again. */
  const decided = new Map<string, { readonly intent: Intent; readonly answer: DeliveryResult }>();
  const retries = createRetries(clock, () => wake());
  const outcomes = createOutcomes({ ledger, clock, events });
  const desktop = createDesktopRetry({ clock, random, retry: () => wake() });
  let isStopped = false;

  const waitForDesktop = (intent: Intent, why: Message | null): void => {
    if (isStopped) return;
    desktop.retryLater();
    if (outcomes.isOpen(intent.id)) outcomes.record(intent, 'failed', message('delivery.away', { why: why ?? '' }));
  };

  const writeAnswer = ({ intent, answer }: { readonly intent: Intent; readonly answer: DeliveryResult }): void => {
    if (answer.outcome === 'away') return;
    outcomes.record(intent, answer.outcome, answer.detail);
    decided.delete(intent.id);
    retries.forget(intent.id);
  };

  /** Resolves to true when it was accepted and the outcome is written. */
  const dispatch = async (intent: Intent): Promise<boolean> => {
    const { id } = intent;
    try {
      const before = decided.get(id);
      if (before !== undefined) {
        writeAnswer(before);
        return true;
      }
      const answer = await withDeadline(sender.deliver(intent), clock);
      if (answer.outcome === 'away') {
        waitForDesktop(intent, answer.detail);
        return false;
      }
      if (answer.outcome === 'shown') desktop.isBack();
      decided.set(id, { intent, answer });
      writeAnswer({ intent, answer });
      return true;
    } catch (error) {
      if (isStopped) return false;
      const isGivenUp = !decided.has(id) && sender.isExpired(intent, clock.now());
      retries.wait(intent, backoffDelay(retries.failed(intent), RETRY, random, 500));
      logger.warn({ id, problem: messageOf(error) }, 'a notification could not be dispatched');
      // A window may have taken it during the attempt.
      if (!outcomes.isOpen(id)) return false;
      const why = messageFrom(error);
      if (isGivenUp) outcomes.record(intent, 'dropped', message('delivery.given_up', { why }));
      else if (!decided.has(id)) outcomes.record(intent, 'failed', message('delivery.retried', { why }));
      return false;
    }
  };

  const wake = (): void => {
    if (isStopped) return;
    // A new one is tried at once: the desktop may have returned unnoticed.
    begin(inFlight.desktop, desktop.isAway() ? 'new_desktop' : 'desktop');
    begin(inFlight.others, 'others');
  };
  const begin = (running: Map<string, Promise<void>>, of: OpenIntents): void => {
    const limit = AT_ONCE + running.size + retries.size();
    for (const intent of ledger.notifications.openIntents(limit, of)) {
      const { id } = intent;
      if (running.size >= AT_ONCE) return;
      if (running.has(id) || retries.isWaiting(intent)) continue;
      const pause = pauseOf(intent, clock.now());
      if (pause > 0 && !decided.has(id)) {
        retries.wait(intent, pause);
        continue;
      }
      const done = dispatch(intent)
        .finally(() => running.delete(id))
        // There may be more than could be dispatched at once; after a failure they wait for the next attempt. One that
        // grew meanwhile does not.
        .then((isDelivered) => (isDelivered || (!isStopped && outcomes.hasGrown(intent)) ? wake() : undefined))
        .catch((error: unknown) =>
          logger.error({ id, problem: messageOf(error) }, 'the outcome of a notification could not be written'),
        );
      running.set(id, done);
    }
  };

  return {
    wake,
    retryDesktop() {
      desktop.isBack();
      wake();
    },
    takenByWindow(id) {
      if (!outcomes.takenByWindow(id)) return;
      retries.stopWaiting(id);
    },
    async stop() {
      isStopped = true;
      desktop.stop();
      retries.stop();
      await new Promise<void>((resolve) => {
        const cancel = clock.after(STOP_DEADLINE, resolve);
        void Promise.all([...inFlight.desktop.values(), ...inFlight.others.values()]).then(() => {
          cancel();
          resolve();
        });
      });
    },
  };
}

/** How long one that grew must still wait, ms. */
function pauseOf({ channel, takenAt }: Intent, now: number): number {
  const since = takenAt === null ? Number.POSITIVE_INFINITY : now - takenAt;
  // A clock that was set back makes the elapsed time unknown.
  return since < 0 ? 0 : (channel === 'desktop' ? GROWTH_PAUSE.desktop : GROWTH_PAUSE.others) - since;
}

/** Failed or grown intents, each until its own next attempt: a wake must not shorten the delay. */
function createRetries(clock: Clock, wake: () => void) {
  const waiting = new Map<string, { readonly revision: number; readonly cancel: Cancel }>();
  /** Failed attempts since they began, also where the ledger could not count them. */
  const failures = new Map<string, number>();
  const stopWaiting = (id: string): void => {
    waiting.get(id)?.cancel();
    waiting.delete(id);
  };
  return {
    size: () => waiting.size,
    wait({ id, revision }: Intent, ms: number): void {
      const again = (): void => {
        waiting.delete(id);
        wake();
      };
      waiting.set(id, { revision, cancel: clock.after(ms, again) });
    },
    stopWaiting,
    /** Whether it waits for its next attempt; one that grew waits no longer for what failed before. */
    isWaiting({ id, revision }: Intent): boolean {
      const before = waiting.get(id);
      if (before === undefined) return false;
      if (before.revision === revision) return true;
      failures.delete(id);
      stopWaiting(id);
      return false;
    },
    /** Counts a failure. @returns how many there were before it */
    failed({ id, attempts }: Intent): number {
      const before = Math.max(attempts, failures.get(id) ?? 0);
      failures.set(id, before + 1);
      return before;
    },
    forget: (id: string) => void failures.delete(id),
    stop(): void {
      for (const { cancel } of waiting.values()) cancel();
    },
  };
}

/** When the desktop is away, all that wait for it have one next attempt. */
function createDesktopRetry({ clock, random, retry }: Pick<DispatcherOptions, 'clock' | 'random'> & { retry(): void }) {
  /** Null: the desktop is not known to be away. */
  let pending: Cancel | null = null;
  /** Attempts in a row at which the desktop was away. */
  let timesAway = 0;
  const stop = (): void => {
    pending?.();
    pending = null;
  };
  return {
    isAway: () => pending !== null,
    retryLater() {
      if (pending !== null) return;
      pending = clock.after(backoffDelay(timesAway, RETRY, random, 500), () => {
        pending = null;
        retry();
      });
      timesAway += 1;
    },
    isBack() {
      stop();
      timesAway = 0;
    },
    stop,
  };
}

/** What became of each attempt, in the ledger and in the trace of every alert concerned. */
function createOutcomes({ ledger, clock, events }: Pick<DispatcherOptions, 'ledger' | 'clock' | 'events'>) {
  const emit = (touched: readonly number[]): void => {
    if (touched.length > 0) events.emit('alertsChanged', { ledgerIds: touched });
  };
  return {
    isOpen: (id: string): boolean => isOpenOutcome(ledger.notifications.find(id)?.outcome),
    hasGrown: ({ id, revision }: Intent): boolean => (ledger.notifications.find(id)?.revision ?? 0) > revision,
    record(intent: Intent, outcome: DeliveryOutcome, detail: Message | null): void {
      const touched = ledger.transaction(() => {
        const at = clock.now();
        const about = ledger.notifications.record(intent.id, outcome, at, detail, intent.revision);
        // A repeat of the previous failure adds nothing to the trace.
        if (outcome !== 'failed' || intent.attempts === 0) {
          ledger.trace.noteEach(about, 'dispatched', dispatchedTo(intent), at);
          ledger.trace.noteEach(about, 'answered', answeredWith(outcome, detail), at);
        }
        return about;
      });
      emit(touched);
    },
    /** @returns false where it is not an open notification of the desktop */
    takenByWindow(id: string): boolean {
      const found = ledger.notifications.find(id);
      if (found?.channel !== 'desktop' || !isOpenOutcome(found.outcome)) return false;
      // What joined it is not tried yet, and the window may not have it.
      if (found.outcome === 'intent' && found.revision > 1) return false;
      const shown = message('delivery.in_window');
      const touched = ledger.transaction(() => {
        const at = clock.now();
        const about = ledger.notifications.record(id, 'in_app', at, shown);
        ledger.trace.noteEach(about, 'answered', answeredWith('in_app', shown), at);
        return about;
      });
      emit(touched);
      return true;
    },
  };
}

const isOpenOutcome = (outcome: string | undefined): boolean => outcome === 'intent' || outcome === 'failed';

const dispatchedTo = ({ channel, id }: Intent): Message =>
  channel === 'desktop' ? message('trace.to_desktop', { id }) : message('trace.to_channel', { rule: channel, id });

const answeredWith = (outcome: DeliveryOutcome, detail: Message | null): Message =>
  detail === null ? message('trace.answered', { outcome }) : message('trace.answered_with', { outcome, detail });

function withDeadline(work: Promise<DeliveryResult>, clock: Clock): Promise<DeliveryResult> {
  return new Promise((resolve, reject) => {
    work.then(resolve, reject);
    const cancel = clock.after(ANSWER_DEADLINE, () => reject(refused(message('delivery.unanswered'))));
    work.then(cancel, cancel);
  });
}
