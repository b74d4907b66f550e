// Main, core: composes the request of a notification from the ledger; each attempt has a new text.

import type { Calls } from '../../../shared/channels/call-record.ts';
import type { Claim } from '../../../shared/domain/claims.ts';
import type { RiskOrder } from '../../../shared/domain/risk-order.ts';
import { SOON_SESSIONS } from '../../../shared/domain/scheduled-events.ts';
import type { CalendarOf } from '../../../shared/domain/sessions.ts';
import { DEFAULT_ZONE, type Zone } from '../../../shared/text/format.ts';
import { type Message, plainMessage, textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { Transition } from '../../../shared/wire/records.ts';
import { assumedOf, type EntryRow } from '../ledger/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { dispatchId } from '../ledger/notification-ids.ts';
import type { Member } from '../ledger/notification-queue.ts';
import type { PendingNotification } from '../ledger/notifications.ts';
import type { NotificationRequest, Ports } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import type { DueLookup } from '../scheduled/scheduled.ts';
import type { WorldClock } from '../time/world-clock.ts';
import { isLate } from './first-outcome.ts';
import { changesUpTo } from './flapping.ts';
import type { RuleStore } from './rule-store.ts';
import {
  breadthRequest,
  type Digest,
  digestRequest,
  foreignRequest,
  isUnreadable,
  isUnreadableHigh,
  lineOf,
  type NotificationOrigin,
  outageRequest,
  plainRequest,
  priceRequest,
  requestFor,
  selfTestRequest,
  titleOf,
  unreadableRequest,
} from './text.ts';
import { worstOf } from './worst.ts';

/** Data about signals that is not in the ledger. */
export interface SignalSource extends DueLookup {
  /** Base rate as last received for the symbol and claim, percent; null: never received. */
  baseRate(symbol: string, claim: Claim | undefined): number | null;
  /**
   * How often High Risk on the symbol was right, for the kind of alert that it has at `at`, ms; null:
   * unknown.
   */
  record(symbol: string, at: number): Calls | null;
  /** Which alerts are worse now. */
  riskOrder(): RiskOrder;
  /** The service replays past prices. */
  isReplay(): boolean;
}

export interface RequestComposerDeps {
  readonly ledger: Pick<Ledger, 'notifications' | 'entries'>;
  readonly ruleStore: Pick<RuleStore, 'get' | 'zone'>;
  readonly profile: Profile;
  readonly calendarOf: CalendarOf;
  readonly settings: Ports['settings'];
  readonly signals: SignalSource;
  readonly world: Pick<WorldClock, 'at' | 'isKnown' | 'now' | 'view'>;
}

export interface RequestComposer {
  /** Run it in a transaction: a digest may name thousands. */
  requestOf(notification: PendingNotification): NotificationRequest;
  /** A test of a channel; not silent in a replay. */
  testRequest(name: string): NotificationRequest;
}

type DigestContent = Omit<Digest, keyof NotificationOrigin | 'now' | 'zone' | 'hasGrown'>;

export function createRequestComposer(deps: RequestComposerDeps): RequestComposer {
  const { ledger, ruleStore, profile, settings, signals, world } = deps;

  const originOf = (id: string): NotificationOrigin => {
    const watched = settings.read().profiles.filter(({ enabled }) => enabled);
    // A service watched by its address has no profile.
    const isOneOfMany = watched.length > 1 && watched.some(({ name }) => name === profile.name);
    const replay = signals.isReplay();
    return { id, environment: profile.environment, replay, profile: isOneOfMany ? profile.name : null };
  };
  const requestOf = (notification: PendingNotification): NotificationRequest => {
    // A channel sends the desktop's text under the same id.
    const id = dispatchId(notification);
    const common = { ...originOf(id), now: world.now(), zone: ruleStore.zone() ?? DEFAULT_ZONE };
    const reason = notification.reason ?? plainMessage('');
    const ofNoEvent = requestOfNoEvent(notification.kind, common, reason);
    if (ofNoEvent !== null) return ofNoEvent;
    const addContext = (request: NotificationRequest, transition: EntryRow['transition']): NotificationRequest =>
      withContext(request, { ...common, transition, channel: notification.channel }, deps);
    // Without bodies: there may be thousands.
    const members = ledger.notifications.membersOf(id);
    if (notification.kind === 'digest' || members.length > 1) {
      const digest = { ...digestOf(members, deps), hasGrown: notification.revision > 1, began: beganOf(reason) };
      return addContext(digestRequest({ ...common, ...digest }), digest.gravest);
    }
    const row = entryOf(ledger, notification.ledgerId);
    const { transition, crossing, foreign, breadth } = row;
    if (crossing !== undefined)
      return addContext(priceRequest(common, crossing, ruleStore.get(crossing.rule)?.name ?? null), null);
    if (foreign !== undefined) return addContext(foreignRequest(common, foreign, row.symbol), null);
    if (breadth !== undefined) return breadthRequest(common, breadth);
    if (transition === null)
      return isUnreadable(row) ? unreadableRequest(common, row) : plainRequest(common, titleOf(row), '', row.symbol);
    const changes = changesUpTo(ledger, transition.symbol, row.occurred_s * 1000);
    const plain = requestFor({
      ...common,
      transition,
      assumed: assumedOf(row),
      baseRate: notification.baseRate,
      record: recordOf(transition, signals),
      // A revision that names no further event is a reminder.
      again: notification.kind === 'again' || notification.revision > 1,
      changes,
      isBeginning: beganOf(reason) !== null,
      isListed: row.assumptions?.split(',').includes('listed') === true,
      late: lateOf(row, world),
    });
    return addContext(plain, transition);
  };

  return {
    requestOf(notification) {
      const { step, revision } = notification;
      return { ...asStep(requestOf(notification), step), ...(revision === 1 ? {} : { revision }) };
    },
    testRequest(name) {
      const { title, body } = texts.notifications.test;
      return plainRequest({ ...originOf(`barograph:test:${name}`), replay: false }, title, body, null);
    },
  };
}

function entryOf(ledger: Pick<Ledger, 'entries'>, ledgerId: number): EntryRow {
  const [row] = ledger.entries.byLedgerIds([ledgerId]);
  if (row === undefined) throw new Error(`The ledger has no event ${ledgerId}.`);
  return row;
}

const recordOf = (transition: Transition | null, signals: Pick<SignalSource, 'record'>): Calls | null =>
  transition === null ? null : signals.record(transition.symbol, Date.parse(transition.occurred_at));

function digestOf(members: readonly Member[], { ledger, signals, world }: RequestComposerDeps): DigestContent {
  const all = ledger.entries.byLedgerIds(
    members.flatMap(({ ledger_id, to_state }) => (to_state === null ? [ledger_id] : [])),
  );
  // The share of a list says more than their number.
  const share = all.findLast(({ breadth }) => breadth !== undefined);
  const others = all.filter((row) => row !== share);
  const order = signals.riskOrder();
  const gravest = entryOf(ledger, worstOf(members, order)?.ledger_id ?? 0);
  const [symbol, ...more] = new Set(members.map((member) => member.symbol));
  const last = members.findLast(({ to_state }) => to_state === gravest.to_state);
  const isOfOne = symbol != null && more.length === 0 && last !== undefined;
  const { transition } = isOfOne ? entryOf(ledger, last.ledger_id) : gravest;
  return {
    gravest: transition,
    ...(transition === null ? {} : { progress: order.progressOf(transition.symbol) }),
    baseRate: transition === null ? null : signals.baseRate(transition.symbol, transition.confidence_of),
    record: recordOf(transition, signals),
    members,
    changes: isOfOne ? changesUpTo(ledger, symbol, last.occurred_s * 1000) : 0,
    late: members.filter((member) => lateOf(member, world) !== null).length,
    others: others.map(lineOf),
    unreadable: all.filter(isUnreadableHigh).length,
    ...(share === undefined ? {} : { title: titleOf(share) }),
  };
}

interface RequestContext {
  readonly channel: PendingNotification['channel'];
  readonly transition: EntryRow['transition'];
  readonly now: number;
  readonly zone: Zone;
}

/**
 * Adds what is due for its symbol and what is at stake in it, unless its state is over. A position never leaves this
 * computer, so only the desktop says it.
 */
function withContext(
  request: NotificationRequest,
  { channel, transition, now, zone }: RequestContext,
  { signals, calendarOf }: RequestComposerDeps,
): NotificationRequest {
  const { symbol, body, names = [] } = request;
  const isOver = transition?.to_state === 0 || transition?.in_question === 'withdrawn';
  if (symbol === null || isOver) return request;
  const stake = channel === 'desktop' ? signals.riskOrder().stakeOf(symbol) : null;
  const calendar = calendarOf(symbol, transition?.asset_class);
  const { events } = signals.due({ symbol, calendar, at: now, within: SOON_SESSIONS });
  const unread = signals.unread();
  const said = [
    texts.due.sentences(events, now, zone),
    events.length === 0 && unread.length > 0 ? texts.due.unread(unread) : '',
    stake === null ? '' : texts.book.stake(stake).replaceAll('\u00a0', ' '),
  ].filter((part) => part !== '');
  if (said.length === 0) return request;
  // Several symbols may be named.
  return { ...request, body: `${body} ${names.length > 1 ? `${symbol}: ` : ''}${said.join(' ')}`.trimStart() };
}

function requestOfNoEvent(
  kind: PendingNotification['kind'],
  origin: NotificationOrigin,
  reason: Message,
): NotificationRequest | null {
  switch (kind) {
    case 'notice':
      return plainRequest(origin, texts.notifications.notice.title, textOf(reason), null);
    case 'outage':
      return outageRequest(origin, reason);
    case 'self_test':
      return selfTestRequest(origin, textOf(reason));
    default:
      return null;
  }
}

/** A step of an escalation says how long nobody has dealt with it. */
const asStep = (request: NotificationRequest, minutes: number): NotificationRequest =>
  minutes === 0 ? request : { ...request, ...texts.notifications.step(request.title, request.body, minutes) };

/** Number of symbols that began to be watched together; null: another notification. */
const beganOf = (reason: Message): number | null => (reason.code === 'queued.watched' ? reason.values.symbols : null);

type ArrivalTimes = Pick<EntryRow, 'sources' | 'received_ms' | 'occurred_s'>;

/** Delay of the webhook that brought it, world ms; null: in time, unknown, or another source was first. */
function lateOf(row: ArrivalTimes, world: RequestComposerDeps['world']): number | null {
  // After a restart a notification may be sent before the service gave its time.
  if (!world.isKnown()) return null;
  const late = world.at(row.received_ms) - row.occurred_s * 1000;
  return row.sources.split(',')[0] === 'relay' && isLate(late, world) ? late : null;
}
