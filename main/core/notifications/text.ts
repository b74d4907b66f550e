// Main, core: composes a notification's text: state first, then the reason, then its significance.

import type { Calls } from '../../../shared/channels/call-record.ts';
import type { Alert, RecordedTransition } from '../../../shared/channels/state.ts';
import { chanceOf } from '../../../shared/domain/fall-chance.ts';
import { STATES } from '../../../shared/domain/states.ts';
import type { Breadth } from '../../../shared/settings/breadth-conditions.ts';
import type { ForeignAlert } from '../../../shared/settings/foreign-alerts.ts';
import type { Crossing } from '../../../shared/settings/price-conditions.ts';
import type { Zone } from '../../../shared/text/format.ts';
import { type Message, textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { signalEvent } from '../../../shared/wire/events.ts';
import type { Transition } from '../../../shared/wire/records.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Member } from '../ledger/notification-queue.ts';
import type { NotificationRequest } from '../ports.ts';
import { FLAPPING } from './flapping.ts';

/** Origin of a notification. */
export interface NotificationOrigin {
  /** Stable: the same for every attempt to notify this event. */
  readonly id: string;
  readonly environment: 'sandbox' | 'production';
  /** The service replays past prices. */
  readonly replay: boolean;
  /** Name of the profile; null: it is the only watched one. */
  readonly profile: string | null;
}

export interface AlertNotification extends NotificationOrigin {
  readonly transition: RecordedTransition;
  /** Fields that the service did not send. */
  readonly assumed?: Alert['assumed'];
  /** Percent; null when unknown. */
  readonly baseRate: number | null;
  /** Record of such calls on the symbol; null: not scored, or unknown. */
  readonly record?: Calls | null;
  /** World time, ms: a transition of another day is shown with its day. */
  readonly now: number;
  /** A mute ended, and the state is still active. */
  readonly again?: boolean;
  /** Number of changes of the symbol in the 20 minutes up to it. */
  readonly changes?: number;
  /** It was in this state when its symbol began to be watched. */
  readonly isBeginning?: boolean;
  /** The service lists its state, and announced no event. */
  readonly isListed?: boolean;
  /** Delay of the webhook that brought it, world ms; null: in time. */
  readonly late?: number | null;
  /** Time zone of the text. */
  readonly zone: Zone;
}

const { notifications } = texts;

/** A sandbox and a replay make no sound, and nothing in them is urgent. */
const isQuiet = ({ environment, replay }: NotificationOrigin): boolean => environment === 'sandbox' || replay;

function prefixOf({ environment, replay, profile }: NotificationOrigin): string {
  const { sandbox, replay: replayed, prefix } = notifications.origin;
  return prefix([
    ...(environment === 'sandbox' ? [sandbox] : []),
    ...(replay ? [replayed] : []),
    ...(profile === null ? [] : [profile]),
  ]);
}

export function requestFor(notification: AlertNotification): NotificationRequest {
  const { transition } = notification;
  return {
    id: notification.id,
    title: `${prefixOf(notification)}${alertTitle(notification)}`,
    body: bodyOf(notification),
    urgency: isQuiet(notification) || transition.to_state < 2 ? 'normal' : 'critical',
    silent: isQuiet(notification),
    symbol: transition.symbol,
    answers: transition.to_state === 0 ? [] : ['acknowledge', 'snooze'],
  };
}

function alertTitle({ transition, again = false }: AlertNotification): string {
  const { alert } = notifications;
  const { symbol, from_state: from, to_state: to, state_word: word, in_question: question } = transition;
  if (question === 'withdrawn') return alert.withdrawnTitle(symbol, from);
  if (question === 'open') return alert.questionTitle(symbol, to);
  return again ? alert.repeatTitle(symbol, to, word) : alert.title(symbol, to, word);
}

function bodyOf({
  transition,
  assumed = [],
  baseRate,
  record = null,
  late = null,
  isBeginning = false,
  isListed = false,
  changes = 0,
  ...display
}: AlertNotification): string {
  const { alert } = notifications;
  const from = assumed.includes('from') ? null : transition.from_state;
  const parts = [
    alert.from(from, occurrenceOf(transition, display), assumed.includes('time')),
    ...significanceOf(transition, baseRate, record),
  ];
  if (transition.state_word !== undefined) parts.unshift(alert.unknownWord);
  if (isBeginning) parts.push(alert.beginning);
  else if (isListed) parts.push(alert.listed);
  if (late !== null) parts.push(alert.late(late));
  if (changes >= FLAPPING) parts.push(alert.flapping(changes));
  return parts.join(' ');
}

/**
 * How likely the warned fall is, against its usual chance, and how often such calls were right; where the state
 * depends on a price in question, the service's reason instead.
 */
function significanceOf(transition: Transition, baseRate: number | null, record: Calls | null): string[] {
  const { alert } = notifications;
  const { symbol, to_state: state, note, in_question: question } = transition;
  if (question !== undefined) return [alert.reason(note)];
  const scored = state !== 2 || record === null ? [] : [alert.record(symbol, record)];
  const chance = chanceOf({ ...transition, state, base_rate: baseRate });
  if (chance === null) return scored;
  const isHeld = state === 2 && chance.isHeld;
  return [alert.chance(chance, isHeld), ...(isHeld ? [alert.reason(note)] : []), ...scored];
}

const occurrenceOf = ({ occurred_at }: Transition, { now, zone }: Pick<AlertNotification, 'now' | 'zone'>) => ({
  at: Date.parse(occurred_at),
  now,
  zone,
});

/** The content of a digest. */
export interface Digest extends NotificationOrigin, Pick<AlertNotification, 'now' | 'zone' | 'record'> {
  /** The transition that is named first. */
  readonly gravest: Transition | null;
  /** Its fall in its own thresholds; null: not known; absent: it is not compared. */
  readonly progress?: number | null;
  /** Base rate of the gravest transition, percent; null when unknown. */
  readonly baseRate?: number | null;
  /** A line for each event that is no transition. */
  readonly others: readonly string[];
  /** The title, where one of them is the share of a list. */
  readonly title?: string;
  /** How many of these are a High Risk: of an unknown symbol, of another program, or of a list. */
  readonly unreadable?: number;
  /** Number of symbols that began to be watched together; null: no beginning. */
  readonly began?: number | null;
  /** Number of alerts that a webhook brought late. */
  readonly late?: number;
  readonly members: readonly Pick<Member, 'id' | 'symbol' | 'to_state' | 'occurred_s'>[];
  /** Further events joined it since it was first shown. */
  readonly hasGrown?: boolean;
  /** For a digest of one symbol: number of its changes in the 20 minutes up to the last. */
  readonly changes?: number;
}

/** Most symbols that a digest names. */
const NAMED = 6;

export function digestRequest(digest: Digest): NotificationRequest {
  const { gravest, members, others, unreadable = 0 } = digest;
  const symbols = [...new Set(members.flatMap(({ symbol, to_state }) => (to_state === null ? [] : (symbol ?? []))))];
  const isOne = symbols.length === 1 && others.length === 0;
  const high = members.filter(({ to_state }) => to_state === 2).length;
  const { digest: text } = notifications;
  const many = high === members.length ? text.high(high) : text.alerts(members.length);
  const first = members.reduce((least, { occurred_s }) => Math.min(least, occurred_s), Number.POSITIVE_INFINITY);
  const began = { at: first * 1000, now: digest.now, zone: digest.zone };
  const { began: beginning = null } = digest;
  const turnedTitle =
    high === members.length && gravest !== null
      ? text.turnedHigh(symbols.length, began, gravest.symbol)
      : text.ofMany(many, new Set(members.flatMap(({ symbol }) => symbol ?? [])).size);
  const ofMany = beginning === null ? turnedTitle : text.began(symbols.length, Math.max(beginning, symbols.length));
  const [named, ...further] = new Set(members.map(({ symbol }) => symbol));
  const title = digest.title ?? (named != null && further.length === 0 ? text.ofOne(named, many) : ofMany);
  const worst =
    gravest === null
      ? []
      : [
          (isOne ? text.last : text.worst)(gravest.symbol, gravest.to_state, occurrenceOf(gravest, digest)),
          ...(isOne || digest.progress === undefined ? [] : [text.rank(digest.progress)]),
          ...(gravest.to_state === 2 ? significanceOf(gravest, digest.baseRate ?? null, digest.record ?? null) : []),
        ];
  const { changes = 0 } = digest;
  const flapping = isOne && changes >= FLAPPING ? [notifications.alert.flapping(changes)] : [];
  const newest = digest.hasGrown === true && further.length > 0 ? (members.at(-1)?.symbol ?? null) : null;
  const isNew = newest !== null && newest !== gravest?.symbol;
  const rest = symbols.filter((symbol) => symbol !== gravest?.symbol && (!isNew || symbol !== newest));
  const also = rest.length === 0 ? [] : [text.also(rest.slice(0, NAMED), Math.max(0, rest.length - NAMED))];
  return {
    id: digest.id,
    title: `${prefixOf(digest)}${title}`,
    body: [
      ...worst,
      ...(isNew ? [text.newest(newest)] : []),
      ...also,
      ...flapping,
      ...others.toReversed().slice(0, 3),
      ...lateDigestText(digest),
    ].join(' '),
    urgency: isQuiet(digest) || high + unreadable === 0 ? 'normal' : 'critical',
    silent: isQuiet(digest),
    symbol: gravest?.symbol ?? null,
    answers: ['acknowledge'],
    names: members.map(({ id }) => id),
  };
}

function lateDigestText({ late = 0, members }: Digest): string[] {
  if (late === 0) return [];
  return [late === members.length ? notifications.digest.allLate : notifications.digest.late(late)];
}

/** Request for a price that met the condition of a rule. @param rule its name; null: the rule was removed */
export function priceRequest(origin: NotificationOrigin, crossing: Crossing, rule: string | null): NotificationRequest {
  const { crossed, byRule } = texts.priceAlerts;
  const body = rule === null ? '' : byRule(rule);
  return { ...plainRequest(origin, crossed(crossing), body, crossing.symbol), answers: ['acknowledge'] };
}

/** Request for an alert of another program: title and text are marked as foreign. */
export function foreignRequest(
  origin: NotificationOrigin,
  foreign: ForeignAlert,
  symbol: string | null,
): NotificationRequest {
  const { named, body } = texts.foreign;
  return {
    ...plainRequest(origin, named(foreign), body(foreign), symbol),
    urgency: isQuiet(origin) || foreign.severity < 2 ? 'normal' : 'critical',
    answers: symbol === null ? ['acknowledge'] : ['acknowledge', 'snooze'],
  };
}

/** Request for the share of a list that met the condition of a rule. */
export function breadthRequest(origin: NotificationOrigin, breadth: Breadth): NotificationRequest {
  const { crossed, body } = texts.breadth;
  return {
    ...plainRequest(origin, crossed(breadth), body(breadth), null),
    urgency: isQuiet(origin) || breadth.condition.state < 2 ? 'normal' : 'critical',
    answers: ['acknowledge'],
  };
}

/** Request of one line: a broken rule, an event without a state. */
export function plainRequest(
  origin: NotificationOrigin,
  title: string,
  body: string,
  symbol: string | null,
): NotificationRequest {
  return {
    id: origin.id,
    title: `${prefixOf(origin)}${title}`,
    body,
    urgency: 'normal',
    silent: isQuiet(origin),
    symbol,
  };
}

/** Request for an outage, an unwritable ledger, or the end of one; the first line is the title. */
export function outageRequest(common: NotificationOrigin, reason: Message): NotificationRequest {
  const [title = '', ...body] = textOf(reason).split('\n');
  const request = plainRequest(common, title, body.join(' '), null);
  // Ledgers of earlier versions hold plain text, and "Sight is back".
  const isRecovery = ENDS.has(reason.code) || (reason.code === 'text' && /^(Receiving|Sight)/.test(title));
  return { ...request, urgency: isQuiet(common) || isRecovery ? 'normal' : 'critical' };
}

/** True for the end of an outage. */
const ENDS: ReadonlySet<string> = new Set([
  'outage.ended',
  'outage.market_ended',
  'ledger_alarm.ended',
  'ledger_alarm.ended_earlier',
]);

/** Request for a self-test: it looks like an alert, and states that it is a test. */
export function selfTestRequest(common: NotificationOrigin, symbol: string): NotificationRequest {
  const { title, body } = notifications.selfTest;
  const request = plainRequest(common, title, body(symbol), null);
  return { ...request, urgency: isQuiet(common) ? 'normal' : 'critical' };
}

/** True for a signal.* with an unreadable symbol or state. */
export const isUnreadable = ({ event, transition }: Pick<EntryRow, 'event' | 'transition'>): boolean =>
  transition === null && event.startsWith('signal.');

export const isUnreadableHigh = (row: Pick<EntryRow, 'event' | 'transition' | 'foreign' | 'breadth'>): boolean =>
  row.foreign?.severity === 2 ||
  row.breadth?.condition.state === 2 ||
  (isUnreadable(row) && row.event === signalEvent(2));

/** States what is known: the state, and the service's note. */
export function unreadableRequest(
  common: NotificationOrigin,
  row: Pick<EntryRow, 'event' | 'symbol' | 'attributes' | 'transition'>,
): NotificationRequest {
  const { note } = notifications.unreadable;
  const request = plainRequest(common, titleOf(row), note(row.attributes?.title ?? null), row.symbol);
  return { ...request, urgency: isQuiet(common) || !isUnreadableHigh(row) ? 'normal' : 'critical' };
}

/** Line of a digest for an event without a transition; an unreadable one keeps the service's note. */
export const lineOf = (
  row: Pick<EntryRow, 'event' | 'symbol' | 'attributes' | 'transition' | 'crossing' | 'foreign' | 'breadth'>,
): string =>
  isUnreadable(row)
    ? `${titleOf(row)}. ${notifications.unreadable.note(row.attributes?.title ?? null)}`
    : `${titleOf(row)}.`;

/** Title for an event without a transition. */
export function titleOf({
  event,
  symbol,
  attributes,
  crossing,
  foreign,
  breadth,
}: Pick<EntryRow, 'event' | 'symbol' | 'attributes' | 'crossing' | 'foreign' | 'breadth'>): string {
  if (foreign !== undefined) return texts.foreign.named(foreign);
  if (crossing !== undefined) return texts.priceAlerts.crossed(crossing);
  if (breadth !== undefined) return texts.breadth.crossed(breadth);
  const { event: text } = notifications;
  const state = STATES.find((one) => event === signalEvent(one));
  if (state !== undefined && symbol === null) return notifications.unreadable.title(state);
  const field = (name: 'regime' | 'type' | 'title' | 'version'): string => attributes?.[name] ?? text.unknown;
  switch (event) {
    case 'regime.flip':
      return text.regimeFlip(symbol, field('regime').replaceAll('_', ' '));
    case 'briefing.published':
      return text.briefing(field('type'), field('title'));
    case 'model.version':
      return text.modelVersion(field('version'));
    default:
      return text.other(symbol, event);
  }
}
