// Pure: English, the alert inbox.

import { FALL_SESSIONS, type FallChance } from '../../domain/fall-chance.ts';
import { type State, stateLabel, writtenState } from '../../domain/states.ts';
import type { Followed } from '../../domain/what-followed.ts';
import { chanceFigure, change, distance, price, signedMoney, times } from '../format.ts';
import { plural } from './plural.ts';

const listOf = (symbols: readonly string[]): string => symbols.join(', ');

const NOT_HEARD = {
  silent: 'No rule can notify you of it.',
  quiet: 'Quiet hours hold it back.',
  muted: 'It is muted.',
} as const;

export const inbox = {
  heading: 'Alert inbox',
  folded: 'Alert inbox, collapsed',
  needsYou: 'Needs attention',
  elevated: 'Elevated now',
  past: 'Ended',
  columns: { breach: 'To breach', stake: 'At stake', since: 'Since', was: 'Was High Risk', followed: 'What followed' },
  /** A loss as a change of the holdings: "\u221221,132", or percent of them. */
  loss: (unit: 'money' | 'share', amount: number) => (unit === 'share' ? change(-amount) : signedMoney(-amount)),
  /** Two times. */
  range: (from: string, until: string) => `${from} to ${until}`,
  /** Lines that open the alerts that need nobody. */
  handled: (acknowledged: readonly string[], snoozed: readonly string[]) =>
    [
      ...(acknowledged.length === 0 ? [] : [`${acknowledged.length} acknowledged: ${listOf(acknowledged)}`]),
      ...(snoozed.length === 0 ? [] : [`${snoozed.length} snoozed: ${listOf(snoozed)}`]),
    ].join(' \u00b7 '),
  elevatedLine: (symbols: readonly string[]) => `${symbols.length} Elevated: ${listOf(symbols)}`,
  alsoNeeding: (count: number, isNotMine: boolean) => `${count} more${isNotMine ? ', not mine' : ''}`,
  /** @param all null: the window does not hold as many */
  newestOf: (shown: number, all: number | null) =>
    all === null ? `${shown} newest; Alerts has all` : `${shown === all ? '' : `${shown} newest of `}${all} in 30 days`,
  followed: {
    fall: 'the fall came',
    no_fall: 'no fall',
    open: 'open',
    fallen: 'fell before',
    withdrawn: 'withdrawn',
    unknown: 'not known',
  } satisfies Record<Followed | 'unknown', string>,
  followedLong: {
    fall: 'The fall came.',
    no_fall: `No such fall within ${FALL_SESSIONS} sessions.`,
    open: `Open: the ${FALL_SESSIONS} sessions are not over.`,
    fallen: 'The fall had come when the alert did.',
    withdrawn: 'Withdrawn.',
    unknown: 'What followed is not known.',
  } satisfies Record<Followed | 'unknown', string>,
  wasFromTo: (state: string, from: string, until: string | null) =>
    `${state} from ${from}${until === null ? '' : ` to ${until}`}.`,
  /** What will be told next; `but` says why it will not be. */
  next: (symbol: string, level: number, count: number, but: 'silent' | 'quiet' | 'muted' | null) =>
    but === null
      ? `You will hear of ${symbol} below ${price(level)}, or any of ${count} at High Risk.`
      : `Next is ${symbol} below ${price(level)}. ${NOT_HEARD[but]}`,
  noneEnded: 'No alert has ended since you began to watch.',
  questioned: 'Price in question',
  overSince: (at: string) => `over since ${at}`,
  overShort: 'over',
  together: (others: number) => `Notified with ${others} ${plural(others, 'other', 'others')}.`,
  from: (state: State) => `From ${stateLabel(state)}.`,
  fromUnknown: 'State before not given.',
  timeUnknown: 'Time not given; received then.',
  chance: (percent: number) => `${chanceFigure(percent)} % chance`,
  /** The rest of the sentence: of which fall, by when, and how usual that chance is. */
  chanceOf({ isFurther, size, level, timesUsual, isHeld }: Omit<FallChance, 'percent'>): string {
    const fall = `of a ${isFurther ? 'further ' : ''}fall${size === null ? '' : ` of ${distance(size)} or more`}`;
    const held = isHeld ? ': held by the rule' : '';
    const usual = timesUsual === null ? '' : `, ${times(timesUsual)} \u00d7 usual${held}`;
    return `${fall}${level === null ? '' : `, to ${price(level)},`} within ${FALL_SESSIONS} sessions${usual}.`;
  },
  /** A state that rested on a price which was none. */
  withdrawn: 'Withdrawn',
  overUnknown: 'Over; the change itself has not arrived yet.',
  over: (at: string, span: string) => `Over since ${at}, lasted ${span}.`,
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
  barCounts: (elevated: number) => `${elevated} Elevated now`,
  open: (symbol: string) => `Show ${symbol}`,
  dismiss: 'Dismiss',
  dismissAll: (count: number) => `Dismiss all ${count}`,
  toastTitle: (symbol: string, state: State, still: boolean, word?: string) =>
    `${symbol} ${still ? 'is' : 'turned'} ${writtenState(state, word)}`,
  toastBurst: (count: number, worst: string) => `${count} turned High Risk, worst ${worst}`,
  toastAt: (state: State, at: string) => `From ${stateLabel(state)} at ${at}.`,
  openAlert: 'Show the alert',
  /** Names a price alert in a list of alerts that the window announces. */
  priceOf: (symbol: string) => `price of ${symbol}`,
  more: (list: string) => `Also needing attention: ${list.endsWith('…') ? list : `${list}.`}`,
  moreOver: (count: number) => `${count} ${plural(count, 'other', 'others')} ended.`,
} as const;
