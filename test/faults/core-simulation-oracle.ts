// Faults: compares the notifications of one life with the required ones, by ids alone.
import { createHash } from 'node:crypto';
import type { InboxRow } from '../../shared/channels/alerting.ts';
import type { EventEnvelope } from '../../shared/wire/events.ts';
import { HOLD } from './core-simulation-random.ts';

export interface Evidence {
  /** Everything that happened after the core began to watch, in order. */
  readonly emitted: readonly EventEnvelope[];
  /** What the log had before the core first read it, in order. */
  readonly past: readonly EventEnvelope[];
  /** What is High Risk at the beginning must be notified; false: the ledger that would know is lost. */
  readonly notifiesPast: boolean;
  readonly watched: readonly string[];
  /** Per notification id that the desktop took: the ids that it names. */
  readonly taken: ReadonlyMap<string, readonly string[]>;
  /** Per id, the title that the desktop took last. */
  readonly titles: ReadonlyMap<string, string>;
  /** Events of a replaced log, which nobody can fetch. */
  readonly gone: ReadonlySet<string>;
  /** Notified from a ledger in memory that ended with its program: they may be notified again. */
  readonly lost: ReadonlySet<string>;
  /** Shown, acknowledged, and then removed by retention. */
  readonly removed: ReadonlySet<string>;
  /** The inbox at the end, by event id. */
  readonly inbox: ReadonlyMap<string, InboxRow>;
}

export interface LifeFindings {
  /**
   * High Risk of a watched symbol, neither notified alone, nor named in a digest, nor suppressed for a valid reason; and an outage whose end
   * was not notified.
   */
  readonly missed: readonly string[];
  /** Notified under two ids, or notified although it was none of these: another state, another symbol, older than the baseline. */
  readonly doubled: readonly string[];
}

/** No symbol, and perhaps one that is watched. */
export const UNREADABLE_SYMBOL = 'B?K';

/** The id of an event before another log renamed it. */
export const origin = (id: string): string => id.replace(/(r\d+)+$/, '');

/** The id of the event that a notification names. */
export const eventOf = (name: string): string => origin(name.replace(/^barograph:/, ''));

/** Notifications about no event: the beginning or end of an outage or of a bad disk, and a self-test. */
export const isOutageNotice = (id: string): boolean => /^barograph:(outage:|ledger(:|$))/.test(id);
const isSelfTest = (id: string): boolean => id.startsWith('barograph:self-test:');
/** A crossing of a price, which the service does not know. @param name without its prefix */
export const isPriceName = (name: string): boolean => name.startsWith('price:');
export const isAboutNoEvent = (id: string): boolean => isOutageNotice(id) || isSelfTest(id);

export function evaluateLife(evidence: Evidence): LifeFindings {
  const { emitted, past, watched, taken, titles, gone, lost, removed, inbox } = evidence;
  const isWatchedHigh = (event: EventEnvelope): boolean =>
    event.event === 'signal.high_risk' &&
    (watched.includes(event.data.symbol) || event.data.symbol === UNREADABLE_SYMBOL);
  const high = emitted.filter(isWatchedHigh);
  const isOf = (event: EventEnvelope, symbol: string): boolean =>
    'symbol' in event.data && event.data.symbol === symbol;
  /** May be notified once: what was High Risk when the watch began. */
  const standing = watched
    .flatMap((symbol) => past.findLast((event) => isOf(event, symbol)) ?? [])
    .filter(isWatchedHigh);
  /** Nothing changed it since, so it must be notified. */
  const unchanged = evidence.notifiesPast
    ? standing.filter(({ data }) => !emitted.some((event) => 'symbol' in data && isOf(event, data.symbol)))
    : [];
  const secondKey = (event: EventEnvelope): string =>
    `${'symbol' in event.data ? event.data.symbol : ''} ${event.timestamp.slice(0, 19)}`;
  const hashOf = (event: EventEnvelope): string =>
    `sha256:${createHash('sha256').update(bareData(event)).digest('hex')}`;
  const idsOf = new Map<string, string[]>();
  const note = (event: string, id: string): void => void idsOf.set(event, [...(idsOf.get(event) ?? []), id]);
  const openOutages = [...titles]
    .filter(
      ([id, title]) =>
        isOutageNotice(id) && !/(Receiving data|written down) again|lost and is back/.test(title) && !lost.has(id),
    )
    .map(([id]) => id);
  const names = [...taken].flatMap(([id, named]) =>
    isAboutNoEvent(id)
      ? []
      : named.flatMap((one) => {
          const name = one.replace(/^barograph:/, '');
          // Notified again at the end of a mute: the map holds it once.
          return /:again:\d+$/.test(name) || isPriceName(name) ? [] : [[id, origin(name)] as const];
        }),
  );
  // Notified under its own id, or under one that another log gave it.
  for (const [id, name] of names) if (!/^(sha256|state):/.test(name)) note(name, id);
  // Notified under the hash of its content: without an id, events of one symbol, state and second are indistinguishable; take one not yet notified.
  for (const [id, name] of names) {
    if (!name.startsWith('sha256:')) continue;
    const match = high.find((event) => hashOf(event) === name);
    const same = match === undefined ? [] : high.filter((event) => secondKey(event) === secondKey(match));
    note((same.find((event) => !idsOf.has(event.event_id)) ?? same[0])?.event_id ?? name, id);
  }
  // Notified from the state of a signal, because the log no longer had the event.
  for (const [id, name] of names) {
    const [kind, symbol = '', , second] = name.split(':');
    if (kind !== 'state') continue;
    // By the beginning that the service states, which for an impossible date differs from what it should have been.
    const statesIt = ({ timestamp, data }: EventEnvelope): boolean =>
      [timestamp, 'occurred_at' in data ? data.occurred_at : timestamp].some(
        (at) => Math.floor(Date.parse(at) / 1000) === Number(second),
      );
    const match = [...standing, ...high].find((event) => isOf(event, symbol) && statesIt(event));
    note(match?.event_id ?? name, id);
  }
  const renamed = new Map([...inbox].map(([id, row]) => [origin(id), row]));
  const hasHeld = (event: EventEnvelope): boolean =>
    !emitted.slice(emitted.indexOf(event) + 1).some((later) => {
      const after = Date.parse(later.timestamp) - Date.parse(event.timestamp);
      const isSame = 'symbol' in later.data && 'symbol' in event.data && later.data.symbol === event.data.symbol;
      // Times are kept in whole seconds.
      return isSame && later.event !== 'signal.high_risk' && after < (HOLD + 1) * 1000;
    });
  /** It ended before it had held long enough or before a mute ended; or the user had acknowledged it. */
  const isExcused = (event: EventEnvelope): boolean => {
    // An event that first came without an id keeps the hash of its content as its name; of several entries within
    // a second, the one that is listed first has the row of that copy.
    const same = high.filter((other) => secondKey(other) === secondKey(event));
    const recorded = [...inbox.values()].filter(
      ({ alert: { transition: of } }) =>
        of.to_state === 2 && `${of.symbol} ${of.occurred_at.slice(0, 19)}` === secondKey(event),
    );
    // Each entry must have a row of its own: otherwise one was swallowed.
    const copies = recorded.length < same.length ? [] : same.map(hashOf);
    const row =
      inbox.get(event.event_id) ??
      renamed.get(event.event_id) ??
      [hashOf(event), ...copies].map((id) => inbox.get(id)).find((found) => found !== undefined);
    if (row?.alert.notification_status !== 'dropped') return false;
    const { reason, acked_at } = row.alert;
    if (reason?.code === 'dropped.brief') return !hasHeld(event);
    return reason?.code === 'dropped.acknowledged'
      ? acked_at !== null
      : reason?.code === 'muted.over' && row.ended !== null;
  };
  const known = new Set([...standing, ...high].map((event) => event.event_id));
  return {
    missed: [
      ...[...unchanged, ...high]
        .filter(({ event_id }) => !idsOf.has(event_id) && !gone.has(event_id) && !removed.has(event_id))
        .filter((event) => !isExcused(event))
        .map((event) => event.event_id),
      ...openOutages,
    ],
    doubled: [...idsOf]
      .filter(([event, ids]) => new Set(ids.filter((id) => !lost.has(id))).size > 1 || !known.has(event))
      .flatMap(([, ids]) => ids),
  };
}

/** The event as a source without ids sends it. */
export function bareData(event: EventEnvelope): string {
  const { event_id: _, seq: __, data, ...rest } = event;
  const { event_id: ___, ...fields } = 'event_id' in data ? data : { event_id: '', ...data };
  return JSON.stringify({ ...rest, data: fields });
}
