// Main, core: what a notification says: the state first, then why, then how much it is worth.
import { stateLabel } from '../../../shared/domain/states.ts';
import type { Transition } from '../../../shared/wire/records.ts';
import type { NotificationRequest } from '../ports.ts';

export interface Telling {
  /** Stable: the same for every attempt to tell this event. */
  readonly id: string;
  readonly transition: Transition;
  readonly environment: 'sandbox' | 'production';
  /** The service replays past prices. */
  readonly replay: boolean;
  /** Percent, null where it is not known. */
  readonly baseRate: number | null;
  /** World time, ms: another day than the transition's is named. */
  readonly now: number;
  /** IANA zone in which times are told; left out: this computer's. */
  readonly timeZone?: string;
}

/** Stable: made from the event alone, so that a crash, a restart or a second delivery names the same notification. */
export const notificationId = (eventId: string): string => `barograph:${eventId}`;

export function requestFor(telling: Telling): NotificationRequest {
  const { transition, environment } = telling;
  const isSandbox = environment === 'sandbox';
  const marks = `${isSandbox ? '[SANDBOX] ' : ''}${telling.replay ? '[REPLAY] ' : ''}`;
  return {
    id: telling.id,
    title: `${marks}${transition.symbol} is ${stateLabel(transition.to_state)}`,
    body: `From ${stateLabel(transition.from_state)} ${whenWords(telling)}.${confidenceWords(transition.confidence, telling.baseRate)}`,
    urgency: isSandbox ? 'normal' : 'critical',
    silent: isSandbox,
    symbol: transition.symbol,
  };
}

function whenWords({ transition, now, timeZone }: Telling): string {
  const at = partsOf(transition.occurred_at, timeZone);
  const today = partsOf(now, timeZone);
  const time = `${at.hour}:${at.minute}`;
  if (at.date === today.date) return `at ${time}`;
  const year = at.year === today.year ? '' : ` ${at.year}`;
  return `on ${at.weekday} ${at.day} ${at.month}${year} at ${time}`;
}

const formats = new Map<string | undefined, Intl.DateTimeFormat>();

/** A moment's parts in a zone. Formats are kept: making one costs a hundred times its use. */
function partsOf(moment: string | number, timeZone: string | undefined): Readonly<Record<string, string>> {
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
  const parts = Object.fromEntries(format.formatToParts(new Date(moment)).map(({ type, value }) => [type, value]));
  return { ...parts, date: `${parts.day} ${parts.month} ${parts.year}` };
}

function confidenceWords(confidence: number | null, baseRate: number | null): string {
  if (confidence === null) return '';
  const times = baseRate === null || baseRate <= 0 ? '' : `, ${(confidence / baseRate).toFixed(1).replace(/\.0$/, '')} times the base rate`;
  return ` Confidence ${Math.round(confidence)} %${times}.`;
}
