// Main, core: what a notification says: the state first, then why, then how much it is worth.
import { stateLabel } from '../../../shared/domain/states.ts';
import type { Transition } from '../../../shared/wire/records.ts';
import type { Member } from '../ledger/notifications.ts';
import type { NotificationRequest } from '../ports.ts';
import { FLAPPING } from './flapping.ts';
import { durationText } from './time-text.ts';

export interface AlertNotification {
  /** Stable: the same for every attempt to notify this event. */
  readonly id: string;
  readonly transition: Transition;
  readonly environment: 'sandbox' | 'production';
  /** The service replays past prices. */
  readonly replay: boolean;
  /** Percent, null where it is not known. */
  readonly baseRate: number | null;
  /** World time, ms: another day than the transition's is named. */
  readonly now: number;
  /** A mute ended, and it still stands. */
  readonly again?: boolean;
  /** How often the symbol changed in the 20 minutes up to it. */
  readonly changes?: number;
  /** How late a webhook brought it, world ms; null: in time. */
  readonly late?: number | null;
  /** IANA zone in which times are shown; left out: this computer's. */
  readonly timeZone?: string;
}

/** Stable: made from the event alone, so that a crash, a restart or a second delivery names the same notification. */
export const notificationId = (eventId: string): string => `barograph:${eventId}`;

/** Of the notification that names several; made from the first of them. */
export const digestId = (firstId: string): string => firstId.replace(/^barograph:/, 'barograph:digest:');
/** Of what is notified again when a mute ends: made from the event and that mute, so that its end has one notification. */
export const againId = (eventId: string, mute: number): string => `${notificationId(eventId)}:again:${mute}`;

const prefixOf = ({ environment, replay }: Pick<AlertNotification, 'environment' | 'replay'>): string =>
  `${environment === 'sandbox' ? '[SANDBOX] ' : ''}${replay ? '[REPLAY] ' : ''}`;

export function requestFor(notification: AlertNotification): NotificationRequest {
  const { transition, environment } = notification;
  const isSandbox = environment === 'sandbox';
  const still = notification.again === true ? 'still ' : '';
  return {
    id: notification.id,
    title: `${prefixOf(notification)}${transition.symbol} is ${still}${stateLabel(transition.to_state)}`,
    body: `From ${stateLabel(transition.from_state)} ${timeText(transition.occurred_at, notification)}.${confidenceText(transition.confidence, notification.baseRate)}${lateText(notification.late ?? null)}${flapText(notification.changes ?? 0)}`,
    urgency: isSandbox || transition.to_state < 2 ? 'normal' : 'critical',
    silent: isSandbox,
    symbol: transition.symbol,
    answers: transition.to_state === 0 ? [] : ['acknowledge', 'snooze'],
  };
}

type DisplayTime = Pick<AlertNotification, 'now' | 'timeZone'>;

function timeText(occurredAt: string, { now, timeZone }: DisplayTime): string {
  const at = partsOf(occurredAt, timeZone);
  const today = partsOf(now, timeZone);
  const time = `${at.hour}:${at.minute}`;
  if (at.date === today.date) return `at ${time}`;
  const year = at.year === today.year ? '' : ` ${at.year}`;
  return `on ${at.weekday} ${at.day} ${at.month}${year} at ${time}`;
}

const flapText = (changes: number): string => (changes < FLAPPING ? '' : ` It changed ${changes} times in 20 minutes.`);

const lateText = (late: number | null): string =>
  late === null ? '' : ` It came ${durationText(late)} late, by webhook.`;

/** What several alerts say in one notification. */
export interface Digest extends Pick<AlertNotification, 'id' | 'environment' | 'replay' | 'now' | 'timeZone'> {
  /** The one that it opens with. */
  readonly gravest: Transition | null;
  /** Titles of events that are no transitions. */
  readonly others: readonly string[];
  /** How many a webhook brought late. */
  readonly late?: number;
  readonly members: readonly Pick<Member, 'id' | 'symbol' | 'to_state'>[];
}

/** So many symbols are named. */
const NAMED = 6;

export function digestRequest(digest: Digest): NotificationRequest {
  const { gravest, members, environment, others } = digest;
  const isSandbox = environment === 'sandbox';
  const symbols = [...new Set(members.flatMap(({ symbol, to_state }) => (to_state === null ? [] : (symbol ?? []))))];
  const [only] = symbols;
  const isOne = symbols.length === 1 && others.length === 0;
  const high = members.filter(({ to_state }) => to_state === 2).length;
  const many = high === members.length ? `${high} times High Risk` : `${members.length} alerts`;
  const title = isOne ? `${only}: ${many}` : `${many}, ${symbols.length} symbols`;
  const worst =
    gravest === null
      ? []
      : [
          `${isOne ? 'Last' : 'Worst'}: ${gravest.symbol} ${stateLabel(gravest.to_state)} ${timeText(gravest.occurred_at, digest)}.`,
        ];
  const rest = symbols.filter((symbol) => symbol !== gravest?.symbol);
  const more = rest.length > NAMED ? ` and ${rest.length - NAMED} more` : '';
  const also = rest.length === 0 ? [] : [`Also ${rest.slice(0, NAMED).join(', ')}${more}.`];
  return {
    id: digest.id,
    title: `${prefixOf(digest)}${title}`,
    body: [...worst, ...also, ...others.slice(0, 3), ...lateDigestText(digest)].join(' '),
    urgency: isSandbox || high === 0 ? 'normal' : 'critical',
    silent: isSandbox,
    symbol: gravest?.symbol ?? null,
    answers: ['acknowledge'],
    names: members.map(({ id }) => id),
  };
}

function lateDigestText({ late = 0, members }: Digest): string[] {
  if (late === 0) return [];
  return [late === members.length ? 'All of them came late, by webhook.' : `${late} of them came late, by webhook.`];
}

/** A notification of one line: a rule that stopped, an event without a state. */
export function plainRequest(
  { id, environment, replay }: Pick<AlertNotification, 'id' | 'environment' | 'replay'>,
  title: string,
  body: string,
  symbol: string | null,
): NotificationRequest {
  const isSandbox = environment === 'sandbox';
  return {
    id,
    title: `${prefixOf({ environment, replay })}${title}`,
    body,
    urgency: 'normal',
    silent: isSandbox,
    symbol,
  };
}

/** Of an outage, or of its end: the first line is the title. */
export function outageRequest(
  common: Pick<AlertNotification, 'id' | 'environment' | 'replay'>,
  text: string,
): NotificationRequest {
  const [title = '', ...body] = text.split('\n');
  const request = plainRequest(common, title, body.join(' '), null);
  return { ...request, urgency: common.environment === 'sandbox' || title.startsWith('Sight') ? 'normal' : 'critical' };
}

/** Of a self-test: it looks like the real thing, and says that it is none. */
export function selfTestRequest(
  common: Pick<AlertNotification, 'id' | 'environment' | 'replay'>,
  symbol: string,
): NotificationRequest {
  const body = `A High Risk of ${symbol} would reach you like this. Click here, or acknowledge it in Barograph.`;
  const request = plainRequest(common, 'Fire drill: this is a test', body, null);
  return { ...request, urgency: common.environment === 'sandbox' ? 'normal' : 'critical' };
}

/** What happened, of an event that is no transition, in one line. */
export function titleOf(event: string, symbol: string | null, body: string): string {
  const { data }: { data?: Record<string, unknown> } = JSON.parse(body);
  const text = (name: string): string => (typeof data?.[name] === 'string' ? data[name] : 'unknown');
  switch (event) {
    case 'regime.flip':
      return `${symbol ?? 'The market'} is in regime ${text('to_regime').replaceAll('_', ' ')}`;
    case 'briefing.published':
      return `New ${text('type')} briefing: ${text('title')}`;
    case 'model.version':
      return `The regime model is now version ${text('version')}`;
    default:
      return `${symbol === null ? '' : `${symbol}: `}${event}`;
  }
}

const formats = new Map<string | undefined, Intl.DateTimeFormat>();

/** A moment's parts in a zone. Formats are kept: making one costs a hundred times its use. */
function partsOf(instant: string | number, timeZone: string | undefined): Readonly<Record<string, string>> {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      ...(timeZone === undefined ? {} : { timeZone }),
    });
  formats.set(timeZone, format);
  const parts = Object.fromEntries(format.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]));
  return { ...parts, date: `${parts.day} ${parts.month} ${parts.year}` };
}

function confidenceText(confidence: number | null, baseRate: number | null): string {
  if (confidence === null) return '';
  const times =
    baseRate === null || baseRate <= 0
      ? ''
      : `, ${(confidence / baseRate).toFixed(1).replace(/\.0$/, '')} times the base rate`;
  return ` Confidence ${Math.round(confidence)} %${times}.`;
}
