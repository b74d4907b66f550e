// Main, core: the text of a notification: state first, then the reason, then its significance.
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
  /** Percent; null when unknown. */
  readonly baseRate: number | null;
  /** World time, ms: a transition of another day is shown with its day. */
  readonly now: number;
  /** A mute ended, and the state is still active. */
  readonly again?: boolean;
  /** Number of changes of the symbol in the 20 minutes up to it. */
  readonly changes?: number;
  /** Delay of the webhook that brought it, world ms; null: in time. */
  readonly late?: number | null;
  /** IANA time zone of the text; absent: this computer's. */
  readonly timeZone?: string;
}

/**
 * Stable: derived from the event alone, so that a crash, a restart or a repeat names the same notification.
 */
export const notificationId = (eventId: string): string => `barograph:${eventId}`;

/** Id of a digest, derived from the first notification in it. */
export const digestId = (firstId: string): string => firstId.replace(/^barograph:/, 'barograph:digest:');
/**
 * Id of a repeat at the end of a mute: derived from the event and the mute, so that each end has one
 * notification.
 */
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
  late === null ? '' : ` It arrived ${durationText(late)} late, by webhook.`;

/** The content of a digest. */
export interface Digest extends Pick<AlertNotification, 'id' | 'environment' | 'replay' | 'now' | 'timeZone'> {
  /** The transition that opens it. */
  readonly gravest: Transition | null;
  /** Titles of events that are no transitions. */
  readonly others: readonly string[];
  /** Number of alerts that a webhook brought late. */
  readonly late?: number;
  readonly members: readonly Pick<Member, 'id' | 'symbol' | 'to_state'>[];
}

/** Most symbols that a digest names. */
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
  return [
    late === members.length ? 'All of them arrived late, by webhook.' : `${late} of them arrived late, by webhook.`,
  ];
}

/** A notification of one line: a broken rule, an event without a state. */
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

/** An outage or its end: the first line is the title. */
export function outageRequest(
  common: Pick<AlertNotification, 'id' | 'environment' | 'replay'>,
  text: string,
): NotificationRequest {
  const [title = '', ...body] = text.split('\n');
  const request = plainRequest(common, title, body.join(' '), null);
  // Ledgers of earlier versions hold "Sight is back".
  const isRecovery = /^(Receiving|Sight)/.test(title);
  return { ...request, urgency: common.environment === 'sandbox' || isRecovery ? 'normal' : 'critical' };
}

/** A self-test: it looks like an alert, and says that it is a test. */
export function selfTestRequest(
  common: Pick<AlertNotification, 'id' | 'environment' | 'replay'>,
  symbol: string,
): NotificationRequest {
  const body = `A High Risk alert for ${symbol} would look like this. Click here, or acknowledge it in Barograph.`;
  const request = plainRequest(common, 'Self-test: this is only a test', body, null);
  return { ...request, urgency: common.environment === 'sandbox' ? 'normal' : 'critical' };
}

/** An event that is no transition, in one line. */
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

/** The parts of an instant in a zone. Formats are cached: making one costs a hundred times its use. */
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
