// Service, engine: scores the alerts of the live rule, which come at intraday prices.
// See docs/model.md, section 9. A close is a price at the end of its session.

import { createRandom } from '../../../shared/lib/random.ts';
import { at, type Frame, H, isGood, type RiskEvent, sessionsBetween, type Window } from './frame.ts';

/** The first High Risk of a session. */
export interface LiveAlert {
  /** Bar of the session. */
  readonly session: number;
  /** Last closed bar at the alert: the session's own only for an alert at its close. */
  readonly after: number;
  readonly price: number;
  /** Duration of an alert within the session; null for an alert at the start or the close of the session. */
  readonly within: { readonly minutes: number; readonly heldToClose: boolean } | null;
}

/** Counts of one symbol in one window. They add up over symbols. */
export interface LiveCounts {
  readonly events: number;
  readonly detected: number;
  /** Sum over detected events of the closes from the first detecting alert to the breach. */
  readonly leadBars: number;
  readonly signals: number;
  readonly tp: number;
  readonly fp: number;
  readonly late: number;
  readonly unresolved: number;
  /** Resolved signals with a fall of a whole threshold after them, and without. */
  readonly strictTp: number;
  readonly strictFp: number;
  /** How long the window lasted, in parts of YEAR. */
  readonly time: number;
}

/** Counts for the same signals at other sessions. */
export interface ShiftedCounts {
  readonly tp: number;
  readonly fp: number;
  readonly strictTp: number;
  readonly strictFp: number;
}

/** Full and hold-out window of the sessions with intraday prices. */
export interface LiveWindows {
  readonly full: Window;
  readonly holdout: Window;
}

type Placed = Pick<LiveAlert, 'session' | 'after' | 'price'>;

/**
 * Collects the alerts of one symbol, session by session. The score depends only on the sessions for which
 * `needs` is true: a signal may come, or an event without an announcing alert is ahead.
 */
export class LiveSeries {
  readonly frame: Frame;
  readonly windows: LiveWindows;
  readonly signals: LiveAlert[] = [];
  readonly #events: readonly RiskEvent[];
  /** The alerts that announce each event, in order. */
  readonly #found: Map<RiskEvent, LiveAlert[]>;

  constructor(frame: Frame, windows: LiveWindows) {
    this.frame = frame;
    this.windows = windows;
    this.#events = eventsIn(frame, windows.full);
    this.#found = new Map(this.#events.map((event) => [event, []]));
  }

  needs(session: number): boolean {
    const { full } = this.windows;
    if (session < full.from || session > full.to) return false;
    return (
      this.#maySignal(session) ||
      this.#events.some((event) => covers(this.frame, event, session) && this.#isOpen(event))
    );
  }

  take(alert: LiveAlert): void {
    if (this.#maySignal(alert.session)) this.signals.push(alert);
    for (const event of this.#events) if (isGoodAlert(this.frame, event, alert)) this.#found.get(event)?.push(alert);
  }

  counts(name: keyof LiveWindows): LiveCounts {
    const window = this.windows[name];
    const events = eventsIn(this.frame, window);
    const first = events.map((event) => this.#found.get(event)?.find(({ session }) => session >= window.from));
    const leads = first.map((alert, index) =>
      alert === undefined ? 0 : sessionsBetween(this.frame, alert.after, (events[index] as RiskEvent).first),
    );
    const signals = this.signalsIn(name);
    const outcomes = { tp: 0, fp: 0, late: 0, unresolved: 0 };
    for (const signal of signals) outcomes[outcomeOf(this.frame, signal)] += 1;
    return {
      events: events.length,
      detected: first.filter((alert) => alert !== undefined).length,
      leadBars: leads.reduce((sum, lead) => sum + lead, 0),
      signals: signals.length,
      ...outcomes,
      ...strictOf(this.frame, signals),
      time: Math.max(0, window.to - window.from + 1) * this.frame.partOfYear,
    };
  }

  signalsIn(name: keyof LiveWindows): LiveAlert[] {
    const { from, to } = this.windows[name];
    return this.signals.filter(({ session }) => from <= session && session <= to);
  }

  /** Scores the signals of a window at other sessions, with the same move from the previous close. */
  shifted(name: keyof LiveWindows, shifts: number, seed: number): ShiftedCounts {
    const { from, to } = this.windows[name];
    const length = to - from + 1;
    const counts = { tp: 0, fp: 0, strictTp: 0, strictFp: 0 };
    if (length <= 2 * H) return counts;
    const random = createRandom(seed);
    const { closes } = this.frame;
    for (let shift = 0; shift < shifts; shift++) {
      const offset = H + Math.floor(random() * (length - 2 * H));
      const moved = this.signalsIn(name).map(({ session, after, price }): Placed => {
        const to = from + ((session - from + offset) % length);
        const close = to - (session - after);
        return { session: to, after: close, price: (price / at(closes, after)) * at(closes, close) };
      });
      for (const signal of moved) {
        const outcome = outcomeOf(this.frame, signal);
        if (outcome === 'tp' || outcome === 'fp') counts[outcome] += 1;
      }
      const strict = strictOf(this.frame, moved);
      counts.strictTp += strict.strictTp;
      counts.strictFp += strict.strictFp;
    }
    return counts;
  }

  #maySignal(session: number): boolean {
    const last = this.signals.at(-1);
    return last === undefined || sessionsBetween(this.frame, last.session, session) >= H;
  }

  /** Whether another alert can still change the recall of a window. */
  #isOpen(event: RiskEvent): boolean {
    const { full, holdout } = this.windows;
    const from = event.first > holdout.from ? holdout.from : full.from;
    return this.#found.get(event)?.every(({ session }) => session < from) ?? false;
  }
}

const eventsIn = (frame: Frame, { from, to }: Window): RiskEvent[] =>
  frame.events.filter((event) => from < event.first && event.first <= to);

/** Whether an alert in the session can announce the event. */
const covers = (frame: Frame, event: RiskEvent, session: number): boolean =>
  session <= event.first && sessionsBetween(frame, session, event.first) <= H;

/** Deepest loss of the closes after an alert, as a fraction of the alert's price. */
const lossAhead = ({ closes, forwardLoss }: Frame, { after, price }: Placed): number =>
  ((1 + at(forwardLoss, after)) * at(closes, after)) / price - 1;

const isGoodAlert = (frame: Frame, event: RiskEvent, alert: Placed): boolean =>
  isGood(frame, event, alert.after, lossAhead(frame, alert));

function outcomeOf(frame: Frame, alert: Placed): 'tp' | 'fp' | 'late' | 'unresolved' {
  if (frame.events.some((event) => isGoodAlert(frame, event, alert))) return 'tp';
  if (frame.events.some(({ first, last }) => first <= alert.session && alert.session <= last)) return 'late';
  return isResolved(frame, alert) ? 'fp' : 'unresolved';
}

const isResolved = (frame: Frame, { after }: Placed): boolean => after <= frame.lastResolved;

function strictOf(frame: Frame, alerts: readonly Placed[]): { strictTp: number; strictFp: number } {
  const resolved = alerts.filter((alert) => isResolved(frame, alert));
  const bad = resolved.filter((alert) => lossAhead(frame, alert) <= -at(frame.thresholds, alert.after)).length;
  return { strictTp: bad, strictFp: resolved.length - bad };
}

/** Windows over the sessions first..last; the hold-out is the last share `holdOut` of them. */
export function liveWindows(first: number, last: number, holdOut: number): LiveWindows {
  const start = first + Math.floor((1 - holdOut) * (last + 1 - first));
  return { full: { from: first, to: last }, holdout: { from: start, to: last } };
}
