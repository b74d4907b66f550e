// Main, core: reads the record of past signals: how often they were right.
// The endpoint is expensive: an answer is cached for a quarter of an hour, and concurrent calls share one
// request.
import type { Client } from '../../../client/client.ts';
import type { LiveRecord, ValidationRecord } from '../../../shared/channels/queries.ts';
import { cachedRead } from '../../../shared/lib/cached-read.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { message } from '../../../shared/text/message.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { finite, instant, isFields, symbol, text } from '../compat/fields.ts';
import { day, livePooledOf, readDetails, windowsOf } from '../compat/read-validation.ts';
import { notUnderstood, notYet } from '../compat/refusals.ts';

const GOOD_FOR_MS = 15 * 60_000;
const WHAT = message('data.validation');

export interface ValidationOptions {
  readonly client: Pick<Client, 'read'>;
  readonly mayAsk: () => boolean;
  readonly clock: Clock;
}

/** @returns the reader. @throws RefusedError with the service's message */
export function createValidationReader({ client, mayAsk, clock }: ValidationOptions): () => Promise<ValidationRecord> {
  return cachedRead(clock, GOOD_FOR_MS, async () => {
    let answer = mayAsk() ? await client.read('validation') : null;
    // The first answer may take longer than one call allows; the second call finds it cached by the service.
    if (answer?.ok === false && answer.error.kind === 'timeout') answer = await client.read('validation');
    if (answer?.ok !== true) throw notYet(WHAT, answer?.error ?? null);
    const record = readRecord(answer.value.value, clock.now());
    if (record === null) throw notUnderstood(WHAT);
    return record;
  });
}

/** A service's answer as windows show it; null: it is no record. */
export function readRecord(value: unknown, now: number): ValidationRecord | null {
  if (!isFields(value) || !Array.isArray(value.symbols)) return null;
  const provenance = isFields(value.provenance) ? value.provenance : {};
  return {
    computed_at: instant(value.computed_at) ?? timestamp(now),
    model_version: text(provenance.model_version),
    notes: text(provenance.notes) ?? '',
    details: readDetails(provenance, value.alert_outcomes),
    symbols: symbolsOf(value.symbols, provenance.windows),
    live: liveOf(value.live),
  };
}

function liveOf(value: unknown): LiveRecord | null {
  if (!isFields(value) || !Array.isArray(value.symbols)) return null;
  return {
    symbols: symbolsOf(value.symbols, value.windows),
    pooled: livePooledOf(value.pooled),
    windows: windowsOf(value.windows),
    notes: text(value.notes) ?? '',
  };
}

function symbolsOf(symbols: readonly unknown[], windows: unknown): ValidationRecord['symbols'] {
  const from = new Map(
    (Array.isArray(windows) ? windows : []).filter(isFields).map((row) => [row.symbol, day(row.holdout_from)]),
  );
  return symbols.filter(isFields).flatMap((row) => {
    const named = symbol(row.symbol);
    const full = metricsOf(row.full);
    const holdout = metricsOf(row.holdout);
    if (named === null || full === null || holdout === null) return [];
    return [{ symbol: named, full, holdout, holdout_from: from.get(row.symbol) ?? null }];
  });
}

function metricsOf(value: unknown): ValidationRecord['symbols'][number]['full'] | null {
  if (!isFields(value)) return null;
  const [recall, precision, f1, n_signals] = [value.recall, value.precision, value.f1, value.n_signals].map(finite);
  if (recall == null || precision == null || f1 == null || n_signals == null) return null;
  const [events, right, wrong, late] = [value.events, value.tp, value.fp, value.late].map(whole);
  const calls = right == null || wrong == null || late == null ? null : { right, wrong, late };
  return { recall, precision, f1, n_signals: count(n_signals), events: events ?? null, calls };
}

const whole = (value: unknown): number | null => {
  const number = finite(value);
  return number === null ? null : count(number);
};
const count = (value: number): number => Math.max(0, Math.round(value));
