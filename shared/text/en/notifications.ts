// Pure: the English texts of notifications of the desktop and of other channels.
import { type Chance, FALL_SESSIONS } from '../../domain/fall-chance.ts';
import { type State, stateLabel, writtenState } from '../../domain/states.ts';
import { chanceFigure, times, type Zone } from '../format.ts';
import { durationText, instantText, sinceText } from './notification-times.ts';

/** An instant in a notification, ms. The text has the day unless it is the day of `now`. */
interface Occurrence {
  readonly at: number;
  readonly now: number;
  readonly zone: Zone;
}
const when = ({ at, now, zone }: Occurrence): string => instantText(at, now, zone);

/**
 * Limit for the service's note, characters. The end of a note of our service names the rule that holds the
 * state.
 */
const LONGEST_NOTE = 400;

export const notifications = {
  /** Before a title: "[SANDBOX] ", "[REPLAY · replay20] "; empty for the only profile, of the market. */
  origin: {
    sandbox: 'SANDBOX',
    replay: 'REPLAY',
    prefix: (parts: readonly string[]) => (parts.length === 0 ? '' : `[${parts.join(' · ')}] `),
  },
  alert: {
    /** @param word the service's own, where it is not known */
    title: (symbol: string, state: State, word?: string) => `${symbol} is ${writtenState(state, word)}`,
    unknownWord: 'Barograph does not know this state. It counts as High Risk until you say what it means.',
    /** A mute ended, and the state is still active. */
    repeatTitle: (symbol: string, state: State, word?: string) => `${symbol} is still ${writtenState(state, word)}`,
    /** The state rests on a price that may be a fault of the data. */
    questionTitle: (symbol: string, state: State) => `${symbol} is ${stateLabel(state)}, if its price is right`,
    withdrawnTitle: (symbol: string, state: State) => `${symbol}: ${stateLabel(state)} is withdrawn`,
    /**
     * @param state the previous state; null: unknown
     * @param isReceipt the occurrence has the time of its arrival
     */
    from: (state: State | null, occurrence: Occurrence, isReceipt: boolean) => {
      const known = state === null ? ', entered ' : ' ';
      const time = isReceipt
        ? `, received ${when(occurrence)}; the service gives no time`
        : `${known}${when(occurrence)}`;
      return `${state === null ? 'State before not given' : `From ${stateLabel(state)}`}${time}.`;
    },
    /** @param isBelow it is below the usual chance, and said to be so */
    chance: ({ percent, isFurther, usual, timesUsual }: Chance, isBelow: boolean) => {
      const fall = `${chanceFigure(percent)} % chance of a ${isFurther ? 'further ' : ''}fall within ${FALL_SESSIONS} sessions`;
      if (usual === null || timesUsual === null) return `${fall}.`;
      return isBelow
        ? `${fall}, below the usual ${chanceFigure(usual)} %.`
        : `${fall}, ${times(timesUsual)} times usual.`;
    },
    /** How often the same signal was right on this symbol, in a time that the model was not fitted to. */
    record: (symbol: string, { right, calls }: { readonly right: number; readonly calls: number }) =>
      calls === 0
        ? `No such call on ${symbol} has been scored yet.`
        : `${right} of ${calls} such calls on ${symbol} ${right === 1 && calls === 1 ? 'was' : 'were'} right.`,
    /** The reason for a High Risk below its usual chance. @param note of the service; empty: none */
    reason: (note: string) => (note === '' ? 'The service does not say by which rule.' : note.slice(0, LONGEST_NOTE)),
    listed: 'Seen in the list of the service, which announced no event of it.',
    beginning: 'It was in this state when you began to watch it.',
    late: (ms: number) => `It arrived ${durationText(ms)} late, by webhook.`,
    flapping: (changes: number) => `It changed ${changes} times in 20 minutes.`,
  },
  digest: {
    high: (count: number) => `${count} times High Risk`,
    alerts: (count: number) => `${count} alerts`,
    ofOne: (symbol: string, what: string) => `${symbol}: ${what}`,
    ofMany: (what: string, symbols: number) => `${what}, ${symbols} symbol${symbols === 1 ? '' : 's'}`,
    turnedHigh: (symbols: number, { at, now, zone }: Occurrence, worst: string) =>
      `${symbols} turned High Risk ${sinceText(at, now, zone)}, worst ${worst}`,
    /** @param of symbols that began to be watched together */
    began: (symbols: number, of: number) => `${symbols} of ${of} watched symbols are High Risk now`,
    newest: (symbol: string) => `Newest: ${symbol}.`,
    last: (symbol: string, state: State, occurrence: Occurrence) =>
      `Last: ${symbol} ${stateLabel(state)} ${when(occurrence)}.`,
    worst: (symbol: string, state: State, occurrence: Occurrence) =>
      `Worst: ${symbol} ${stateLabel(state)} ${when(occurrence)}.`,
    /** Why it is named as the worst. @param progress its fall in its own thresholds; null: not known */
    rank: (progress: number | null) =>
      progress === null
        ? 'Ranked by the chance of a fall: the service does not say how far prices have fallen.'
        : `It is ${times(progress)} times as far below its high as its breach level.`,
    also: (symbols: readonly string[], more: number) =>
      `Also ${symbols.join(', ')}${more === 0 ? '' : ` and ${more} more`}.`,
    late: (count: number) => `${count} of them arrived late, by webhook.`,
    allLate: 'All of them arrived late, by webhook.',
  },
  /** A signal whose symbol could not be read. */
  unreadable: {
    title: (state: State) => `${stateLabel(state)} of an unknown symbol`,
    /** @param given the service's note; null: none */
    note: (given: string | null) =>
      `The service named no symbol that can be read.${given === null ? '' : ` Its note: ${given.slice(0, 300)}`}`,
  },
  /** Events that are no transitions, in one line. */
  event: {
    unknown: 'unknown',
    regimeFlip: (symbol: string | null, regime: string) => `${symbol ?? 'The market'} is in regime ${regime}`,
    briefing: (type: string, title: string) => `New ${type} briefing: ${title}`,
    modelVersion: (version: string) => `The regime model is now version ${version}`,
    other: (symbol: string | null, event: string) => `${symbol === null ? '' : `${symbol}: `}${event}`,
  },
  answers: {
    open: 'Open',
    acknowledge: 'Acknowledge',
    acknowledgeAll: 'Acknowledge all',
    snooze: 'Snooze 1 h',
  },
  /** Buttons under a message on a phone. */
  phoneAnswers: { acknowledge: 'Acknowledge', snooze: 'Snooze 1 h', snooze_close: 'Until the close', why: 'Why?' },
  /** What a message on a phone says once it was dealt with. */
  settled: {
    acknowledged: (how: string) => `✓ Acknowledged ${how}`.trim(),
    over: (how: string) => `✓ Back to Normal${how === '' ? '' : `, acknowledged ${how}`}`,
  },
  /** What is said to who pressed a button. */
  pressed: {
    done: { acknowledge: 'Acknowledged.', snooze: 'Snoozed.' },
    over: 'Nothing to do: it was acknowledged, or it is over.',
    used: 'This button was used before. Open Barograph.',
    unknown: 'Barograph does not know this alert any more.',
  },
  /** A step of an escalation. */
  step: (title: string, body: string, minutes: number) => ({
    title: `Still open: ${title}`,
    body: `Nobody has dealt with it for ${minutes} min. ${body}`.trim(),
  }),
  notice: { title: 'An alert rule or a channel does not work' },
  selfTest: {
    title: 'Self-test: this is only a test',
    body: (symbol: string) =>
      `A High Risk alert for ${symbol} would look like this. Click here, or acknowledge it in Barograph.`,
  },
  test: {
    title: 'Barograph test',
    body: 'This is a test. A real alert would name a symbol, its state and the time.',
  },
};
