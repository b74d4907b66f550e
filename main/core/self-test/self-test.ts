// Main, core: the self-test. A synthetic event takes the path of a real one, step by step, until somebody acknowledges it; the view says where it stopped.
// Its notification is a notification of its own kind: nothing that counts alerts counts it.
import { RefusedError } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { SelfTestChannels, SelfTestStepName, SelfTestView } from '../../../shared/channels/self-test.ts';
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import type { Followers } from '../events.ts';
import type { Guard } from '../guard.ts';
import { type Ledger, ledgerErrorMessage } from '../ledger/ledger.ts';
import * as machine from './state.ts';
import type { SelfTestSender, SendResult } from './sender.ts';

export interface SelfTestRunner {
  readonly handlers: Handlers<SelfTestChannels>;
  /** Takes up what a restart interrupted; to be called before open intents are dispatched. */
  start(): void;
  stop(): void;
  readonly on: Followers;
}

export interface SelfTestRunnerOptions {
  /** Its clock is this computer's. */
  readonly guard: Guard;
  readonly ledger: Pick<Ledger, 'metadata' | 'entries' | 'notifications' | 'trace' | 'transaction'>;
  readonly sender: SelfTestSender;
  /** What the rules would do with a High Risk of this symbol now. */
  readonly dryRun: (symbol: string) => { readonly isNotified: boolean; readonly message: string };
  /** Dispatches what the ledger intends. */
  readonly wake: () => void;
  /** Symbols that are watched and covered, the best one first. */
  readonly symbols: () => readonly string[];
  readonly onChanged: (view: SelfTestView) => void;
}

/** How long stream and webhook may take, ms: what takes longer in quiet times is no alarm. */
const SOURCE_LIMIT = 15_000;
/** How long the desktop may take, ms. */
const DESKTOP_LIMIT = 20_000;
/** How long a person may take, ms. */
const PERSON_LIMIT = 5 * 60_000;
/** A self-test that a restart interrupted longer ago is over, ms: nobody expects its notification any more. */
const FORGOTTEN = 10 * 60_000;
/** How often its progress is checked, ms. */
const CHECK_INTERVAL = 250;

const LIMITS: Readonly<Record<SelfTestStepName, number>> = {
  // The client has a deadline of its own.
  sent: Number.POSITIVE_INFINITY,
  stream: SOURCE_LIMIT,
  webhook: SOURCE_LIMIT,
  written: SOURCE_LIMIT,
  matched: SOURCE_LIMIT,
  dispatched: DESKTOP_LIMIT,
  shown: DESKTOP_LIMIT,
  acknowledged: PERSON_LIMIT,
};

export function createSelfTestRunner(options: SelfTestRunnerOptions): SelfTestRunner {
  const { guard, ledger } = options;
  const { clock } = guard;
  let state: machine.MachineState | null = null;
  /** The step that is waited for, and since when, this computer's clock, ms. */
  let waited: { readonly step: SelfTestStepName | null; readonly since: number } = { step: null, since: 0 };
  let cancelCheck: Cancel = () => undefined;
  let isStopped = false;

  const isRunning = (): boolean => state !== null && state.ended_at === null;
  const view = (): SelfTestView => ({
    last: state === null ? null : machine.selfTestOf(state),
    reason: isRunning()
      ? 'A drill is under way.'
      : options.symbols().length === 0
        ? 'No symbol is watched. Put one on a watchlist first.'
        : null,
  });
  const put = (next: machine.MachineState): void => {
    if (next === state) return;
    state = next;
    try {
      ledger.metadata.set('self_test', JSON.stringify(next));
    } catch (error) {
      // What cannot be written could not be notified either.
      const step = machine.currentStep(next);
      if (step !== null)
        state = machine.end(machine.settle(next, step, failure(ledgerErrorMessage(error)), clock.now()), clock.now());
    }
    if (!isRunning()) cancelCheck();
    options.onChanged(view());
  };
  const settle = (step: SelfTestStepName, result: machine.StepResult): void => {
    if (state !== null) put(machine.settle(state, step, result, clock.now()));
  };
  const stopAt = (step: SelfTestStepName, detail: string): void => {
    settle(step, failure(detail));
    finish();
  };
  const finish = (): void => {
    if (state === null) return;
    withdraw(machine.selfTestNotificationId(state));
    put(machine.end(state, clock.now()));
  };
  /** A notification that nobody took is not tried again when its self-test is over. */
  const withdraw = (id: string): void => {
    const notification = ledger.notifications.find(id);
    if (notification !== null && (notification.outcome === 'intent' || notification.outcome === 'failed'))
      ledger.transaction(() => ledger.notifications.record(id, 'dropped', clock.now(), 'Its drill is over.'));
  };

  const isLate = (step: SelfTestStepName): boolean => {
    const now = clock.now();
    // A clock that was set back gives the step its time anew.
    if (waited.step !== step || now < waited.since) waited = { step, since: now };
    return now - waited.since >= LIMITS[step];
  };

  const checkSources = (present: machine.MachineState): void => {
    const known = present.event_id === null ? undefined : ledger.entries.findById(present.event_id);
    const sources = known?.sources.split(',') ?? [];
    const isOver = isLate('stream');
    const other =
      sources.length === 0
        ? ''
        : ` It came by ${sources.map((source) => SOURCE_LABELS[source] ?? source).join(' and ')}.`;
    const checkSource = (step: 'stream' | 'webhook', source: string, advice: string): void => {
      if (!machine.isWaiting(present, step)) return;
      if (sources.includes(source))
        settle(step, { outcome: 'passed', detail: step === 'webhook' ? 'Its signature fitted.' : '' });
      else if (isOver) settle(step, failure(`Not within ${SOURCE_LIMIT / 1000} s.${other} ${advice}`));
    };
    checkSource('stream', 'stream', 'Look at the lamps for open and bytes.');
    checkSource('webhook', 'relay', 'Look at the refused deliveries under Webhooks.');
  };
  const checkLedger = (present: machine.MachineState): void => {
    if (present.method === 'none') {
      settle('written', { outcome: 'skipped', detail: 'No event came; this record of the drill is in the ledger.' });
      return;
    }
    const hasCome = (['stream', 'webhook'] as const).some(
      (step) => machine.stepOf(present, step)?.outcome === 'passed',
    );
    const known = present.event_id === null ? undefined : ledger.entries.findById(present.event_id);
    // A repeated event was in the ledger before: only its coming again proves anything.
    if (present.method === 'repeat' ? hasCome : known !== undefined) {
      if (known !== undefined && present.method !== 'repeat')
        ledger.transaction(() =>
          ledger.trace.note(known.ledger_id, 'evaluated', 'A fire drill: a test, no alert.', clock.now()),
        );
      const where = known === undefined ? '' : `Entry ${known.ledger_id} of the ledger.`;
      settle('written', { outcome: 'passed', detail: where });
    } else if (present.method === 'repeat') finish();
    else stopAt('written', 'Nothing brought the test event to this computer.');
  };
  const checkRules = ({ symbol, ...present }: machine.MachineState): void => {
    const { isNotified, message } = options.dryRun(symbol);
    if (!isNotified) {
      stopAt('matched', message);
      return;
    }
    ledger.transaction(() => {
      ledger.notifications.write(
        0,
        {
          id: machine.selfTestNotificationId(present),
          kind: 'self_test',
          rules: [],
          baseRate: null,
          outcome: 'intent',
          reason: symbol,
          batch: null,
        },
        clock.now(),
      );
    });
    settle('matched', { outcome: 'passed', detail: message });
    options.wake();
  };
  const checkDesktop = (present: machine.MachineState): void => {
    const notification = ledger.notifications.find(machine.selfTestNotificationId(present));
    if (notification !== null && (notification.outcome === 'shown' || notification.outcome === 'in_app')) {
      settle('dispatched', { outcome: 'passed', detail: '' });
      const isShown = notification.outcome === 'shown';
      const detail = isShown ? notification.detail : `${notification.detail} Only an open window can show it.`.trim();
      settle('shown', isShown ? { outcome: 'passed', detail } : failure(detail));
    } else if (isLate('dispatched'))
      stopAt(
        'dispatched',
        `The desktop did not take the notification within ${DESKTOP_LIMIT / 1000} s. ${notification?.detail ?? ''}`.trim(),
      );
  };

  /** Moves on as far as it goes. */
  const advance = (): void => {
    let before: SelfTestStepName | null = null;
    while (!isStopped && state !== null && state.ended_at === null) {
      const step = machine.currentStep(state);
      // No step forward: the next check, or the next event, goes on.
      if (step !== null && step === before) return;
      before = step;
      if (step === null) finish();
      else if (step === 'stream' || step === 'webhook') checkSources(state);
      else if (step === 'written') checkLedger(state);
      else if (step === 'matched') checkRules(state);
      else if (step === 'dispatched' || step === 'shown') checkDesktop(state);
      else if (step === 'acknowledged' && isLate('acknowledged'))
        stopAt('acknowledged', `Not within ${PERSON_LIMIT / 60_000} minutes.`);
    }
  };
  const move = (): void => {
    if (!isRunning()) return;
    try {
      advance();
    } catch (error) {
      if (state === null) return;
      const step = machine.currentStep(state);
      const failed =
        step === null ? state : machine.settle(state, step, failure(ledgerErrorMessage(error)), clock.now());
      put(machine.end(failed, clock.now()));
    }
  };
  const startChecks = (): void => {
    cancelCheck();
    cancelCheck = every(clock, CHECK_INTERVAL, move);
  };

  const onSent = ({ method, eventId, detail, stream, webhook }: SendResult): void => {
    if (state === null) return;
    const now = clock.now();
    const sent = machine.settle({ ...state, method, event_id: eventId }, 'sent', { outcome: 'passed', detail }, now);
    put(machine.settle(machine.settle(sent, 'stream', stream, now), 'webhook', webhook, now));
    move();
  };
  const run = async (symbols: readonly string[]): Promise<void> => {
    const [symbol = ''] = symbols;
    put(machine.createState(symbol, clock.now()));
    startChecks();
    const sent = await options.sender
      .send(symbol)
      .catch((error: unknown) => ({ ok: false, error: messageOf(error) }) as const);
    if (isStopped || !isRunning()) return;
    if (sent.ok) onSent(sent.value);
    else stopAt('sent', sent.error);
  };
  const acknowledge = (detail: string): void => {
    settle('acknowledged', { outcome: 'passed', detail });
    move();
  };

  /** Takes up what a restart interrupted. */
  const resume = (): void => {
    state = readState(ledger.metadata.get('self_test'));
    if (state === null || state.ended_at !== null) return;
    const age = clock.now() - Date.parse(state.began_at);
    const step = machine.currentStep(state);
    // Whether the service heard of it is not known; whoever waited that long does not expect it any more.
    if (step === 'sent' || step === null || age < 0 || age > FORGOTTEN) {
      stopAt(step ?? 'acknowledged', 'Barograph was restarted meanwhile. Run the drill again.');
      return;
    }
    startChecks();
  };

  return {
    handlers: {
      'selfTest.read': view,
      'selfTest.run': () => {
        const { reason } = view();
        if (reason !== null) throw new RefusedError({ code: 'refused', message: reason });
        guard.go(run(options.symbols()));
        return {};
      },
      'selfTest.acknowledge': () => {
        if (state === null || !isRunning() || machine.currentStep(state) !== 'acknowledged')
          throw new RefusedError({ code: 'refused', message: 'There is nothing of a drill to acknowledge.' });
        acknowledge('In Barograph.');
        return {};
      },
    },
    start: () => guard.run(resume),
    stop() {
      isStopped = true;
      cancelCheck();
    },
    on: {
      recorded: move,
      notificationClicked({ notificationId }) {
        if (state !== null && isRunning() && notificationId === machine.selfTestNotificationId(state))
          acknowledge('By a click on the notification.');
      },
    },
  };
}

const SOURCE_LABELS: Readonly<Record<string, string>> = {
  stream: 'stream',
  relay: 'webhook',
  backfill: 'back-fill',
  poll: 'polling',
};
const failure = (detail: string): machine.StepResult => ({ outcome: 'failed', detail });

function readState(text: string | null): machine.MachineState | null {
  if (text === null) return null;
  try {
    return machine.MachineStateSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
