// Pure: English, the alert inbox.
import { type State, stateLabel, writtenState } from '../../domain/states.ts';
import { plural } from './plural.ts';

export const inbox = {
  heading: 'Alert inbox',
  folded: 'Alert inbox, collapsed',
  needsYou: 'Needs attention',
  /** The order, where the service does not say how far prices have fallen. */
  byConfidence: 'by confidence',
  byConfidenceWhy: 'The service does not say how far prices have fallen, so the highest confidence comes first.',
  elevated: 'Elevated now',
  past: 'Ended',
  newestOf: (listed: number, all: number) => `${listed} of ${all}`,
  /** Heading of the items of one notification. */
  together: (count: number, isHigh: boolean, at: string) => `${count} ${isHigh ? 'turned High Risk' : 'alerts'}, ${at}`,
  acknowledgeTogether: (count: number, name: string) => `Acknowledge all ${count}: ${name}`,
  empty: 'No transitions yet. The first one appears here as soon as it is recorded.',
  nothing: 'Nothing needs attention.',
  /** Shown below price alerts that need attention. */
  noSignal: 'No signal needs attention.',
  from: (state: State) => `From ${stateLabel(state)}.`,
  fromUnknown: 'State before not given.',
  timeUnknown: 'Time not given; received then.',
  confidence: (percent: string) => `Confidence ${percent}`,
  timesBase: (times: string) => `, ${times} times base`,
  /** @param note of the service: why it is High Risk all the same */
  belowBase: (base: string, note: string) => `, below the base rate of ${base}.${note === '' ? '' : ` ${note}`}`,
  regime: (label: string) => `Regime at the last close: ${label}.`,
  backToNormal: 'Back to Normal',
  /** A state that rested on a price which was none. */
  withdrawn: 'Withdrawn',
  lasted: (span: string) => `Lasted ${span}.`,
  overUnknown: 'Over; the change itself has not arrived yet.',
  over: (at: string, span: string) => `Over since ${at}, lasted ${span}.`,
  was: (state: State, span: string) => `Was ${stateLabel(state)} for ${span}.`,
  notification: {
    intent: 'Notifying.',
    shown: 'Shown on the desktop.',
    in_app: 'Shown by this app only.',
    failed: 'Not notified',
  },
  late: 'Found by back-fill.',
  show: 'Inbox',
  bar: (count: number, list: string) => `${count} ${plural(count, 'needs', 'need')} attention: ${list}`,
  barNone: 'Nothing needs attention',
  barCounts: (elevated: number, past: number) => `${elevated} Elevated now · ${past} ended`,
  open: (symbol: string) => `Show ${symbol}`,
  dismiss: 'Dismiss',
  dismissAll: (count: number) => `Dismiss all ${count}`,
  toastTitle: (symbol: string, state: State, still: boolean, word?: string) =>
    `${symbol} ${still ? 'is' : 'turned'} ${writtenState(state, word)}`,
  toastBurst: (count: number, worst: string) => `${count} turned High Risk, worst ${worst}`,
  toastAt: (state: State, at: string) => `From ${stateLabel(state)} at ${at}.`,
  /** Names a price alert in a list of alerts that the window announces. */
  priceOf: (symbol: string) => `price of ${symbol}`,
  more: (list: string) => `Also needing attention: ${list.endsWith('…') ? list : `${list}.`}`,
  moreOver: (count: number) => `${count} ${plural(count, 'other', 'others')} ended.`,
} as const;
