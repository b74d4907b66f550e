// Main, core: the fire drill. A synthetic event goes the way of a real one, step by step, until somebody acknowledges it; where it stops, that is said.
// Its notification is a telling of its own kind: nothing that counts alerts counts it.
import { RefusedError } from '../../../shared/channels/channel.ts';
import type { DrillChannels, DrillFace, DrillStepName } from '../../../shared/channels/drill.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import type { Guard } from '../guard.ts';
import { type Ledger, ledgerWords } from '../ledger/ledger.ts';
import * as courses from './course.ts';
import type { DrillSender, Sent } from './sender.ts';

export interface FireDrill {
  readonly handlers: Handlers<DrillChannels>;
  /** Takes up what a restart interrupted; to be called before open intents are handed over. */
  start(): void;
  stop(): void;
  /** The ledger has grown, or what it says of an event. */
  heard(): void;
  /** A notification was clicked. */
  clicked(notificationId: string): void;
}

export interface FireDrillOptions {
  /** Its clock is this computer's. */
  readonly guard: Guard;
  readonly ledger: Pick<Ledger, 'facts' | 'entries' | 'tellings' | 'trace' | 'transaction'>;
  readonly sender: DrillSender;
  /** What the rules would do with a High Risk of this symbol now. */
  readonly rehearse: (symbol: string) => { readonly isTold: boolean; readonly words: string };
  /** Hands over what the ledger intends. */
  readonly kick: () => void;
  /** Symbols that are watched and covered, the best one first. */
  readonly symbols: () => readonly string[];
  readonly onChanged: (face: DrillFace) => void;
}

/** How long stream and webhook may take, ms: what takes longer in quiet times is no alarm. */
const INLET_LIMIT = 15_000;
/** How long the desktop may take, ms. */
const DESKTOP_LIMIT = 20_000;
/** How long a person may take, ms. */
const PERSON_LIMIT = 5 * 60_000;
/** A drill that a restart interrupted longer ago is over, ms: nobody expects its notification any more. */
const FORGOTTEN = 10 * 60_000;
/** How often it is looked how far it came, ms. */
const LOOK = 250;

const LIMITS: Readonly<Record<DrillStepName, number>> = {
  // The client has a deadline of its own.
  sent: Number.POSITIVE_INFINITY,
  stream: INLET_LIMIT,
  webhook: INLET_LIMIT,
  written: INLET_LIMIT,
  matched: INLET_LIMIT,
  handed: DESKTOP_LIMIT,
  shown: DESKTOP_LIMIT,
  acknowledged: PERSON_LIMIT,
};

export function createFireDrill(options: FireDrillOptions): FireDrill {
  const { guard, ledger } = options;
  const { clock } = guard;
  let course: courses.Course | null = null;
  /** The step that is waited for, and since when, this computer's clock, ms. */
  let waited: { readonly step: DrillStepName | null; readonly since: number } = { step: null, since: 0 };
  let cancelLook: Cancel = () => undefined;
  let isStopped = false;

  const isRunning = (): boolean => course !== null && course.ended_at === null;
  const face = (): DrillFace => ({
    last: course === null ? null : courses.drillOf(course),
    obstacle: isRunning()
      ? 'A drill is under way.'
      : options.symbols().length === 0
        ? 'No symbol is watched. Put one on a watchlist first.'
        : null,
  });
  const put = (next: courses.Course): void => {
    if (next === course) return;
    course = next;
    try {
      ledger.facts.set('drill', JSON.stringify(next));
    } catch (thrown) {
      // What cannot be written could not be told either.
      const step = courses.present(next);
      if (step !== null)
        course = courses.end(courses.settle(next, step, failure(ledgerWords(thrown)), clock.now()), clock.now());
    }
    if (!isRunning()) cancelLook();
    options.onChanged(face());
  };
  const settle = (step: DrillStepName, verdict: courses.Verdict): void => {
    if (course !== null) put(courses.settle(course, step, verdict, clock.now()));
  };
  const stopAt = (step: DrillStepName, detail: string): void => {
    settle(step, failure(detail));
    finish();
  };
  const finish = (): void => {
    if (course === null) return;
    withdraw(courses.drillNoticeId(course));
    put(courses.end(course, clock.now()));
  };
  /** A notification that nobody took is not tried again when its drill is over. */
  const withdraw = (id: string): void => {
    const told = ledger.tellings.find(id);
    if (told !== null && (told.outcome === 'intent' || told.outcome === 'failed'))
      ledger.transaction(() => ledger.tellings.record(id, 'dropped', clock.now(), 'Its drill is over.'));
  };

  const isLate = (step: DrillStepName): boolean => {
    const now = clock.now();
    // A clock that was set back gives the step its time anew.
    if (waited.step !== step || now < waited.since) waited = { step, since: now };
    return now - waited.since >= LIMITS[step];
  };

  const lookAtInlets = (present: courses.Course): void => {
    const known = present.event_id === null ? undefined : ledger.entries.findById(present.event_id);
    const inlets = known?.inlets.split(',') ?? [];
    const isOver = isLate('stream');
    const other =
      inlets.length === 0 ? '' : ` It came by ${inlets.map((inlet) => INLET_WORDS[inlet] ?? inlet).join(' and ')}.`;
    const look = (step: 'stream' | 'webhook', inlet: string, advice: string): void => {
      if (!courses.isWaiting(present, step)) return;
      if (inlets.includes(inlet))
        settle(step, { outcome: 'passed', detail: step === 'webhook' ? 'Its signature fitted.' : '' });
      else if (isOver) settle(step, failure(`Not within ${INLET_LIMIT / 1000} s.${other} ${advice}`));
    };
    look('stream', 'stream', 'Look at the lamps for open and bytes.');
    look('webhook', 'relay', 'Look at the refused deliveries under Webhooks.');
  };
  const lookAtLedger = (present: courses.Course): void => {
    if (present.way === 'none') {
      settle('written', { outcome: 'skipped', detail: 'No event came; this record of the drill is in the ledger.' });
      return;
    }
    const hasCome = (['stream', 'webhook'] as const).some(
      (step) => courses.stepOf(present, step)?.outcome === 'passed',
    );
    const known = present.event_id === null ? undefined : ledger.entries.findById(present.event_id);
    // A repeated event was in the ledger before: only its coming again proves anything.
    if (present.way === 'repeat' ? hasCome : known !== undefined) {
      if (known !== undefined && present.way !== 'repeat')
        ledger.transaction(() =>
          ledger.trace.note(known.ledger_id, 'judged', 'A fire drill: a test, no alert.', clock.now()),
        );
      const where = known === undefined ? '' : `Entry ${known.ledger_id} of the ledger.`;
      settle('written', { outcome: 'passed', detail: where });
    } else if (present.way === 'repeat') finish();
    else stopAt('written', 'Nothing brought the test event to this computer.');
  };
  const askTheRules = ({ symbol, ...present }: courses.Course): void => {
    const { isTold, words } = options.rehearse(symbol);
    if (!isTold) {
      stopAt('matched', words);
      return;
    }
    ledger.transaction(() => {
      ledger.tellings.write(
        0,
        {
          id: courses.drillNoticeId(present),
          kind: 'drill',
          rules: [],
          baseRate: null,
          outcome: 'intent',
          reason: symbol,
          bin: null,
        },
        clock.now(),
      );
    });
    settle('matched', { outcome: 'passed', detail: words });
    options.kick();
  };
  const lookAtDesktop = (present: courses.Course): void => {
    const told = ledger.tellings.find(courses.drillNoticeId(present));
    if (told !== null && (told.outcome === 'shown' || told.outcome === 'in_app')) {
      settle('handed', { outcome: 'passed', detail: '' });
      const isShown = told.outcome === 'shown';
      const detail = isShown ? told.detail : `${told.detail} Only an open window can show it.`.trim();
      settle('shown', isShown ? { outcome: 'passed', detail } : failure(detail));
    } else if (isLate('handed'))
      stopAt(
        'handed',
        `The desktop did not take the notification within ${DESKTOP_LIMIT / 1000} s. ${told?.detail ?? ''}`.trim(),
      );
  };

  /** Moves on as far as it goes. */
  const advance = (): void => {
    let before: DrillStepName | null = null;
    while (!isStopped && course !== null && course.ended_at === null) {
      const step = courses.present(course);
      // No step forward: the next look, or the next event, goes on.
      if (step !== null && step === before) return;
      before = step;
      if (step === null) finish();
      else if (step === 'stream' || step === 'webhook') lookAtInlets(course);
      else if (step === 'written') lookAtLedger(course);
      else if (step === 'matched') askTheRules(course);
      else if (step === 'handed' || step === 'shown') lookAtDesktop(course);
      else if (step === 'acknowledged' && isLate('acknowledged'))
        stopAt('acknowledged', `Not within ${PERSON_LIMIT / 60_000} minutes.`);
    }
  };
  const move = (): void => {
    if (!isRunning()) return;
    try {
      advance();
    } catch (thrown) {
      if (course === null) return;
      const step = courses.present(course);
      const failed = step === null ? course : courses.settle(course, step, failure(ledgerWords(thrown)), clock.now());
      put(courses.end(failed, clock.now()));
    }
  };
  const look = (): void => {
    cancelLook();
    cancelLook = every(clock, LOOK, move);
  };

  const hasSent = ({ way, eventId, detail, stream, webhook }: Sent): void => {
    if (course === null) return;
    const now = clock.now();
    const sent = courses.settle({ ...course, way, event_id: eventId }, 'sent', { outcome: 'passed', detail }, now);
    put(courses.settle(courses.settle(sent, 'stream', stream, now), 'webhook', webhook, now));
    move();
  };
  const run = async (symbols: readonly string[]): Promise<void> => {
    const [symbol = ''] = symbols;
    put(courses.beginCourse(symbol, clock.now()));
    look();
    const sent = await options.sender
      .send(symbol)
      .catch((thrown: unknown) => ({ ok: false, error: messageOf(thrown) }) as const);
    if (isStopped || !isRunning()) return;
    if (sent.ok) hasSent(sent.value);
    else stopAt('sent', sent.error);
  };
  const acknowledge = (detail: string): void => {
    settle('acknowledged', { outcome: 'passed', detail });
    move();
  };

  return {
    handlers: {
      'drill.read': face,
      'drill.run': () => {
        const { obstacle } = face();
        if (obstacle !== null) throw new RefusedError({ code: 'refused', message: obstacle });
        guard.go(run(options.symbols()));
        return {};
      },
      'drill.acknowledge': () => {
        if (course === null || !isRunning() || courses.present(course) !== 'acknowledged')
          throw new RefusedError({ code: 'refused', message: 'There is nothing of a drill to acknowledge.' });
        acknowledge('In Barograph.');
        return {};
      },
    },
    start() {
      course = readCourse(ledger.facts.get('drill'));
      if (course === null || course.ended_at !== null) return;
      const age = clock.now() - Date.parse(course.began_at);
      const step = courses.present(course);
      // Whether the service heard of it is not known; whoever waited that long does not expect it any more.
      if (step === 'sent' || step === null || age < 0 || age > FORGOTTEN) {
        stopAt(step ?? 'acknowledged', 'Barograph was restarted meanwhile. Run the drill again.');
        return;
      }
      look();
    },
    stop() {
      isStopped = true;
      cancelLook();
    },
    heard: move,
    clicked(id) {
      if (course !== null && isRunning() && id === courses.drillNoticeId(course))
        acknowledge('By a click on the notification.');
    },
  };
}

const INLET_WORDS: Readonly<Record<string, string>> = {
  stream: 'stream',
  relay: 'webhook',
  backfill: 'back-fill',
  poll: 'polling',
};
const failure = (detail: string): courses.Verdict => ({ outcome: 'failed', detail });

function readCourse(text: string | null): courses.Course | null {
  if (text === null) return null;
  try {
    return courses.CourseSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
