// Main, core: receives alerts of other programs at the relay's inbound address, and records them as events.
// Who knows the address may send; what is sent is data, marked as foreign, and never trusted.

import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { messageOf } from '../../../shared/lib/result.ts';
import { MINUTE_MS } from '../../../shared/lib/time.ts';
import { FOREIGN_EVENT } from '../../../shared/settings/core-events.ts';
import { type ForeignAlert, type ForeignMapping, readForeign } from '../../../shared/settings/foreign-alerts.ts';
import { message, textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { ReceivedEvent } from '../compat/received-event.ts';
import { type Ledger, ledgerErrorMessage } from '../ledger/ledger.ts';
import type { CoreContext } from '../module.ts';
import type { Receive } from '../receive.ts';
import type { ActivityLog } from './activity.ts';
import { decode } from './delivery.ts';
import type { Answer, ListenOptions } from './server.ts';

export interface InboundDeps {
  readonly context: CoreContext;
  readonly ledger: {
    readonly entries: Pick<Ledger['entries'], 'findById' | 'byLedgerIds'>;
    unwritten: Ledger['unwritten'];
  };
  readonly receive: Receive;
  readonly activity: Pick<ActivityLog, 'refused'>;
  readonly mapping: () => ForeignMapping;
  /** The last body, for the preview of the mapping. */
  readonly remember: (last: LastBody) => void;
}

export interface LastBody {
  readonly at: string;
  readonly body: string;
}

/** Most alerts within a minute; TradingView sends at most 15 in three. */
const MOST_A_MINUTE = 30;
/** The same body within this time is one alert, ms. */
const REPEATED_WITHIN = MINUTE_MS;
/** How much of a body the ledger keeps, characters. */
const KEPT = 4_096;
const RETRY_AFTER = 5;

export function createInbound(deps: InboundDeps): NonNullable<ListenOptions['inbound']>['receive'] {
  const { context, ledger, activity } = deps;
  const { guard, world, events, ports } = context;
  const { clock } = guard;
  const takeTurn = createRateLimit(() => clock.now());
  /** World time where it is known: rules and lists count in it. */
  const now = (): number => (world.isKnown() ? world.now() : clock.now());

  /** @returns whether it is on disk */
  const record = (event: ReceivedEvent): boolean => {
    deps.receive('foreign', [event]);
    return ledger.unwritten() === null;
  };
  /** The id of the same body within the last minute, or a new one. An id of the sender counts for ever. */
  const idOf = (id: string | null, body: string): string => {
    // With its content: a sender that gives every alert the same id loses none.
    const hash = createHash('sha256')
      .update(JSON.stringify([id, body]))
      .digest('hex')
      .slice(0, 40);
    if (id !== null) return `foreign:${hash}`;
    const minute = Math.floor(clock.now() / REPEATED_WITHIN);
    const before = `foreign:${hash}:${minute - 1}`;
    const known = ledger.entries.findById(before);
    const [row] = known === undefined ? [] : ledger.entries.byLedgerIds([known.ledger_id]);
    const isRepeat = row !== undefined && Math.abs(clock.now() - row.received_ms) < REPEATED_WITHIN;
    return isRepeat ? before : `foreign:${hash}:${minute}`;
  };
  const refuse = (): Answer => {
    const found = message('refusal.too_many', { count: MOST_A_MINUTE });
    activity.refused('too_many', found);
    const eventId = `foreign:limit:${Math.floor(clock.now() / MINUTE_MS)}`;
    const alert: ForeignAlert = { title: '', text: '', severity: 2, problems: ['limit'] };
    if (ledger.entries.findById(eventId) === undefined) record(eventOf(eventId, alert, null, now(), ''));
    return {
      status: 429,
      body: { status: 'refused', reason: 'too_many', message: textOf(found) },
      retryAfter: MINUTE_MS / 1000,
    };
  };
  const accept = (bytes: Uint8Array): Answer => {
    const body = decode(bytes);
    const read = readForeign(body, deps.mapping(), now());
    const alert: ForeignAlert = isUtf8(bytes)
      ? read.alert
      : { ...read.alert, severity: 2, problems: [...read.alert.problems, 'utf8'] };
    const eventId = idOf(read.id, body);
    deps.remember({ at: timestamp(clock.now()), body });
    if (ledger.entries.findById(eventId) !== undefined)
      return { status: 200, body: { status: 'known', event_id: eventId } };
    if (!record(eventOf(eventId, alert, read.symbol, read.at, body))) return notStored();
    return { status: 200, body: { status: 'stored', event_id: eventId, problems: alert.problems } };
  };
  const notStored = (): Answer => {
    activity.refused('not_stored', message('refusal.not_stored'));
    return { status: 503, body: { status: 'not_stored' }, retryAfter: RETRY_AFTER };
  };

  return (_headers, body) => {
    try {
      return Promise.resolve(takeTurn() ? accept(body) : refuse());
    } catch (error) {
      ports.logger.error({ problem: messageOf(error) }, 'an alert of another program could not be recorded');
      events.emit('ledgerFailed', { message: ledgerErrorMessage(error) });
      return Promise.resolve(notStored());
    }
  };
}

const eventOf = (
  eventId: string,
  alert: ForeignAlert,
  symbol: string | null,
  at: number,
  body: string,
): ReceivedEvent => ({
  eventId,
  seq: null,
  event: FOREIGN_EVENT,
  occurredAt: at,
  symbol,
  transition: null,
  attributes: { confidence: null, regime: null, version: null, type: null, title: texts.foreign.title(alert) },
  foreign: alert,
  body: JSON.stringify({ ...alert, body: body.slice(0, KEPT).toWellFormed() }),
  assumptions: [],
});

/** @returns a function that is true while there were fewer than the most within a minute */
function createRateLimit(now: () => number): () => boolean {
  let taken: number[] = [];
  return () => {
    // A clock that was set back must not refuse for long.
    taken = taken.filter((at) => Math.abs(now() - at) < MINUTE_MS);
    if (taken.length >= MOST_A_MINUTE) return false;
    taken.push(now());
    return true;
  };
}
