// Renderer, connection, pure: the facts of the page in words, one line each: what the page shows, and what its report says.
import type { ConnectionDetails, Dialect, Quota } from '../../../shared/channels/connection.ts';
import type { Connection, Gap } from '../../../shared/channels/state.ts';
import { connectionWords as words } from '../../text/connection.ts';
import { count, fineSpan, moment, preciseTime, span, type Zone } from '../../text/format.ts';

export interface Line {
  readonly name: string;
  readonly text: string;
  /** An id or an address. */
  readonly mono: boolean;
  readonly known: boolean;
}
const line = (name: string, text: string | null, mono = false): Line =>
  text === null ? { name, text: words.dialect.notHeard, mono: false, known: false } : { name, text, mono, known: true };

const BREAKS_NAMED = 3;
/** Clocks this close are the same to a trader, ms; a world this close to its service's clock is that clock. */
const EVEN = 50;
const SAME_WORLD = 5_000;

export interface StreamParts {
  readonly details: ConnectionDetails;
  readonly gaps: readonly Gap[];
  readonly clock: Connection['clock'];
  readonly provable: boolean;
  readonly zone: Zone;
  readonly now: number;
}

export function streamLines({ details, gaps, clock, zone, now }: StreamParts): Line[] {
  const { stream, skew, way } = details;
  const to = stream.contiguous_to;
  return [
    line(words.stream.address, stream.url, true),
    line(words.stream.filter, words.stream.allKinds(stream.events.length)),
    line(words.stream.lastId, stream.cursor.event_id, true),
    line(
      words.stream.cursor,
      to === null
        ? words.stream.notYet
        : words.stream.contiguous(preciseTime(Date.parse(to), zone, now), stream.cursor.seq),
    ),
    line(
      words.stream.gaps,
      words.stream.gapCount(gaps.filter((gap) => !gap.closed).length, gaps.filter((gap) => gap.closed).length),
    ),
    line(words.stream.reconnects, breakWords(stream.breaks, zone, now)),
    line(words.stream.clock, `${skewWords(skew)}${worldWords(clock, skew?.ms ?? 0)}`),
    line(words.stream.proxy, way.proxy),
    line(words.stream.certificate, way.certificate),
  ];
}

function breakWords(breaks: ConnectionDetails['stream']['breaks'], zone: Zone, now: number): string {
  if (breaks.length === 0) return words.stream.noReconnect;
  const named = breaks
    .slice(0, BREAKS_NAMED)
    .map(({ at, cause, back_after }) =>
      words.stream.broke(moment(Date.parse(at), zone, now), cause, back_after === null ? null : fineSpan(back_after)),
    );
  const more = breaks.length - named.length;
  return [...named, ...(more > 0 ? [words.stream.more(more)] : [])].join('\n');
}

function skewWords(skew: ConnectionDetails['skew']): string {
  if (skew === null) return words.stream.skewUnknown;
  const within = fineSpan(skew.within);
  if (Math.abs(skew.ms) <= Math.max(EVEN, skew.within)) return words.stream.even(within);
  return words.stream.skew(fineSpan(Math.abs(skew.ms)), skew.ms > 0, within);
}

/** A simulated or replayed market has a clock of its own. */
function worldWords({ offset, speed }: Connection['clock'], skew: number): string {
  if (Math.abs(speed - 1) > 0.05) return words.stream.world(words.stream.worldSpeed(speed));
  const ahead = offset + skew;
  return Math.abs(ahead) < SAME_WORLD
    ? ''
    : words.stream.world(words.stream.worldRuns(span(Math.abs(ahead)), ahead > 0));
}

/** @param form spelling of X-Service-Signature as the relay saw it */
export function dialectLines(dialect: Dialect, form: string | null, model: string | null): Line[] {
  const list =
    dialect.list_key === null
      ? null
      : `${dialect.list_key === '' ? words.dialect.bare : dialect.list_key}, ${dialect.cursor_key ?? words.dialect.noCursor}`;
  const versions = [
    dialect.service,
    dialect.interface === null ? null : words.dialect.interface(dialect.interface),
    model === null ? null : words.dialect.model(model),
  ].filter((part) => part !== null);
  return [
    line(words.dialect.factors, dialect.factors === null ? null : words.dialect.factorForms[dialect.factors]),
    line(words.dialect.signature, form === null ? null : words.dialect.signatureForm(form)),
    line(words.dialect.reset, dialect.reset === null ? null : words.dialect.resets[dialect.reset]),
    line(words.dialect.codes, words.dialect.codeForms(dialect.lower_codes, dialect.upper_codes)),
    line(words.dialect.list, list, true),
    line(words.dialect.versions, versions.length === 0 ? null : versions.join(' · ')),
  ];
}

export interface Meter {
  readonly name: string;
  readonly text: string;
  /** 0..1 of the bar; more than the limit is the whole bar. */
  readonly part: number;
  readonly over: boolean;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Calls of the whole month at the present pace. */
export const monthEnd = ({ used, left_ms }: NonNullable<Quota['month']>, perHour: number): number =>
  used + Math.round((perHour * left_ms) / HOUR);

export function meters({
  quota,
  calls,
  counted_for,
}: Pick<ConnectionDetails, 'quota' | 'calls' | 'counted_for'>): Meter[] {
  const meter = (
    name: string,
    used: number,
    limit: number,
    text = words.quota.of(count(used), count(limit)),
  ): Meter => ({
    name,
    text,
    part: limit === 0 ? 0 : Math.min(1, used / limit),
    over: used > limit,
  });
  const { month, burst, minute, counted } = quota;
  const lines: Meter[] = [];
  if (month !== null && counted) {
    const end = counted_for.enough ? monthEnd(month, perHour(calls)) : null;
    const left = Math.max(0, month.limit - month.used);
    lines.push(meter(words.quota.month, month.used, month.limit));
    lines.push(meter(words.quota.monthEnd, end ?? 0, month.limit, end === null ? words.quota.notYet : count(end)));
    lines.push(meter(words.quota.perDay, 0, month.limit, count(Math.floor(left / Math.max(1, month.left_ms / DAY)))));
  }
  if (burst !== null) lines.push(meter(words.quota.burst, burst.used, burst.limit));
  if (minute !== null) lines.push(meter(words.quota.minute, minute.used, minute.limit));
  return lines;
}

/** What the calls are made for: an hour where enough was seen to tell it, else how many there were. */
export function costs({ calls, counted_for: { ms, enough } }: Pick<ConnectionDetails, 'calls' | 'counted_for'>): {
  readonly heading: string;
  readonly lines: Meter[];
} {
  const rows = calls.map(({ cause, made, per_hour }) => ({ cause, many: enough ? per_hour : made }));
  const most = Math.max(1, ...rows.map(({ many }) => many));
  return {
    heading: enough ? words.quota.costs : words.quota.costsSoFar(span(ms)),
    lines: rows.map(({ cause, many }) => ({
      name: words.quota.causes[cause],
      text: count(many),
      part: many / most,
      over: false,
    })),
  };
}

export const perHour = (calls: ConnectionDetails['calls']): number =>
  calls.reduce((sum, { per_hour }) => sum + per_hour, 0);

/** What must be said of the quota in words, worst first. */
export function quotaWarnings(
  { quota, calls, counted_for, polling }: Pick<ConnectionDetails, 'quota' | 'calls' | 'counted_for' | 'polling'>,
  zone: Zone,
  now: number,
): string[] {
  const { month, counted, overage, capped_until, slowed } = quota;
  const said: string[] = [];
  if (capped_until !== null) said.push(words.quota.capped(moment(Date.parse(capped_until), zone, now)));
  if (overage > 0) said.push(words.quota.overage(count(overage)));
  const over = month === null || !counted || !counted_for.enough ? 0 : monthEnd(month, perHour(calls)) - month.limit;
  if (over > 0 && overage === 0) said.push(words.quota.over(count(over)));
  if (slowed > 1) said.push(words.quota.slowed(span(polling.signals)));
  return said;
}

/** How a gap stands now. */
export const gapWords = ({ to, closed, lost, filled }: Gap): string => {
  if (closed) return words.gaps.filled(filled);
  if (lost) return words.gaps.lost;
  // Where nothing is seen yet, nothing can be fetched.
  return to === null ? words.gaps.open : words.gaps.filling;
};
