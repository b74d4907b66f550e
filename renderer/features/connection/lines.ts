// Renderer, connection, pure: the texts of the page and of its report, one line each.
import type { Compatibility, ConnectionDetails, Quota } from '../../../shared/channels/connection.ts';
import type { Connection, Gap } from '../../../shared/channels/state.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { count, fineSpan, preciseTime, shortTimestamp, span, type Zone } from '../../../shared/text/format.ts';
import { textOf } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';

export interface Line {
  readonly name: string;
  readonly text: string;
  /** The text is an id or an address. */
  readonly mono: boolean;
  readonly known: boolean;
}
const line = (name: string, text: string | null, mono = false): Line =>
  text === null
    ? { name, text: texts.connection.compatibility.notReceived, mono: false, known: false }
    : { name, text, mono, known: true };

const BREAKS_NAMED = 3;
/** Clocks this close count as equal, ms; so does a world clock this close to the service's clock. */
const CLOCK_TOLERANCE_MS = 50;
const WORLD_CLOCK_TOLERANCE_MS = 5_000;

export interface StreamInput {
  readonly details: ConnectionDetails;
  readonly gaps: readonly Gap[];
  readonly clock: Connection['clock'];
  readonly provable: boolean;
  readonly zone: Zone;
  readonly now: number;
}

export function streamLines({ details, gaps, clock, provable, zone, now }: StreamInput): Line[] {
  const { stream, skew, network_path } = details;
  const to = stream.contiguous_to;
  return [
    line(texts.connection.stream.address, stream.url, true),
    line(texts.connection.stream.filter, texts.connection.stream.allKinds(stream.events.length)),
    line(texts.connection.stream.lastId, stream.cursor.event_id, true),
    line(
      texts.connection.stream.cursor,
      to === null
        ? texts.connection.stream.notYet
        : texts.connection.stream.cursorAt(preciseTime(Date.parse(to), zone, now), stream.cursor.seq, provable),
    ),
    line(
      texts.connection.stream.gaps,
      texts.connection.stream.gapCount(
        gaps.filter((gap) => !gap.closed).length,
        gaps.filter((gap) => gap.closed).length,
      ),
    ),
    line(texts.connection.stream.reconnects, breaksText(stream.breaks, zone, now)),
    line(texts.connection.stream.clock, `${skewText(skew)}${worldClockText(clock, skew?.ms ?? 0)}`),
    line(texts.connection.stream.proxy, textOf(network_path.proxy)),
    line(texts.connection.stream.certificate, textOf(network_path.certificate)),
  ];
}

function breaksText(breaks: ConnectionDetails['stream']['breaks'], zone: Zone, now: number): string {
  if (breaks.length === 0) return texts.connection.stream.noReconnect;
  const named = breaks
    .slice(0, BREAKS_NAMED)
    .map(({ at, cause, back_after }) =>
      texts.connection.stream.broke(
        shortTimestamp(Date.parse(at), zone, now),
        textOf(cause),
        back_after === null ? null : fineSpan(back_after),
      ),
    );
  const more = breaks.length - named.length;
  return [...named, ...(more > 0 ? [texts.connection.stream.more(more)] : [])].join('\n');
}

function skewText(skew: ConnectionDetails['skew']): string {
  if (skew === null) return texts.connection.stream.skewUnknown;
  const within = fineSpan(skew.within);
  if (Math.abs(skew.ms) <= Math.max(CLOCK_TOLERANCE_MS, skew.within)) return texts.connection.stream.even(within);
  return texts.connection.stream.skew(fineSpan(Math.abs(skew.ms)), skew.ms > 0, within);
}

/** A simulated or replayed market has a clock of its own. */
function worldClockText({ offset, speed }: Connection['clock'], skew: number): string {
  if (Math.abs(speed - 1) > 0.05) return texts.connection.stream.world(texts.connection.stream.worldSpeed(speed));
  const difference = offset + skew;
  return Math.abs(difference) < WORLD_CLOCK_TOLERANCE_MS
    ? ''
    : texts.connection.stream.world(texts.connection.stream.worldRuns(span(Math.abs(difference)), difference > 0));
}

/** @param form spelling of X-Service-Signature that the relay received */
export function compatibilityLines(compatibility: Compatibility, form: string | null, model: string | null): Line[] {
  const list =
    compatibility.list_key === null
      ? null
      : `${compatibility.list_key === '' ? texts.connection.compatibility.bare : compatibility.list_key}, ${compatibility.cursor_key ?? texts.connection.compatibility.noCursor}`;
  const versions = [
    compatibility.service,
    compatibility.interface === null ? null : texts.connection.compatibility.interface(compatibility.interface),
    model === null ? null : texts.connection.compatibility.model(model),
  ].filter((part) => part !== null);
  return [
    line(
      texts.connection.compatibility.factors,
      compatibility.factors === null ? null : texts.connection.compatibility.factorForms[compatibility.factors],
    ),
    line(
      texts.connection.compatibility.signature,
      form === null ? null : texts.connection.compatibility.signatureForm(form),
    ),
    line(
      texts.connection.compatibility.reset,
      compatibility.reset === null ? null : texts.connection.compatibility.resets[compatibility.reset],
    ),
    line(
      texts.connection.compatibility.codes,
      texts.connection.compatibility.codeForms(compatibility.lower_codes, compatibility.upper_codes),
    ),
    line(texts.connection.compatibility.list, list, true),
    line(texts.connection.compatibility.versions, versions.length === 0 ? null : versions.join(' · ')),
  ];
}

export interface Meter {
  readonly name: string;
  readonly text: string;
  /** The filled share of the bar, 0..1; above the limit the bar is full. */
  readonly part: number;
  readonly over: boolean;
}

const HOUR = 3_600_000;

/** Calls of the whole month at the current rate. */
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
    text = texts.connection.quota.of(count(used), count(limit)),
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
    lines.push(meter(texts.connection.quota.month, month.used, month.limit));
    lines.push(
      meter(
        texts.connection.quota.monthEnd,
        end ?? 0,
        month.limit,
        end === null ? texts.connection.quota.notYet : count(end),
      ),
    );
    lines.push(
      meter(
        texts.connection.quota.perDay,
        0,
        month.limit,
        count(Math.floor(left / Math.max(1, month.left_ms / DAY_MS))),
      ),
    );
  }
  if (burst !== null) lines.push(meter(texts.connection.quota.burst, burst.used, burst.limit));
  if (minute !== null) lines.push(meter(texts.connection.quota.minute, minute.used, minute.limit));
  return lines;
}

/** Purposes of the calls: per hour once the sample suffices, else in total. */
export function costs({ calls, counted_for: { ms, enough } }: Pick<ConnectionDetails, 'calls' | 'counted_for'>): {
  readonly heading: string;
  readonly lines: Meter[];
} {
  const rows = calls.map(({ cause, made, per_hour }) => ({ cause, many: enough ? per_hour : made }));
  const most = Math.max(1, ...rows.map(({ many }) => many));
  return {
    heading: enough ? texts.connection.quota.costs : texts.connection.quota.costsSoFar(span(ms)),
    lines: rows.map(({ cause, many }) => ({
      name: texts.connection.quota.causes[cause],
      text: count(many),
      part: many / most,
      over: false,
    })),
  };
}

export const perHour = (calls: ConnectionDetails['calls']): number =>
  calls.reduce((sum, { per_hour }) => sum + per_hour, 0);

/** Warnings about the quota, worst first. */
export function quotaWarnings(
  { quota, calls, counted_for, polling }: Pick<ConnectionDetails, 'quota' | 'calls' | 'counted_for' | 'polling'>,
  zone: Zone,
  now: number,
): string[] {
  const { month, counted, overage, capped_until, slowed } = quota;
  const said: string[] = [];
  if (capped_until !== null)
    said.push(texts.connection.quota.capped(shortTimestamp(Date.parse(capped_until), zone, now)));
  if (overage > 0) said.push(texts.connection.quota.overage(count(overage)));
  const over = month === null || !counted || !counted_for.enough ? 0 : monthEnd(month, perHour(calls)) - month.limit;
  if (over > 0 && overage === 0) said.push(texts.connection.quota.over(count(over)));
  if (slowed > 1) said.push(texts.connection.quota.slowed(span(polling.signals)));
  return said;
}

/** The current status of a gap. */
export const gapText = ({ to, closed, lost, filled, cause }: Gap): string => {
  const isAboutEvent = cause.code.startsWith('event.');
  if (closed) return isAboutEvent ? texts.connection.gaps.recorded : texts.connection.gaps.filled(filled);
  if (lost) return isAboutEvent ? texts.connection.gaps.unreadable : texts.connection.gaps.lost;
  // While offline nothing can be fetched.
  return to === null ? texts.connection.gaps.open : texts.connection.gaps.filling;
};
