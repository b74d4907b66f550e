// Main, core: reads briefings and news of any service tolerantly (docs/contract.md 6 and 48).
// Known names and spellings are accepted, invalid records refused, lengths limited. Texts are stored
// unchanged; the view sanitizes them.
import { type BODY_TYPES, type KeptBriefing, type KeptNews, KeptNewsSchema } from '../../../shared/channels/archive.ts';
import { withoutTags } from '../../../shared/lib/html-text.ts';
import { BRIEFING_TYPES } from '../../../shared/wire/events.ts';
import { SENTIMENT_LABELS } from '../../../shared/wire/news.ts';
import { type Fields, finite, instant, isFields, symbol, text } from './fields.ts';
import { hashOf } from './read-event.ts';

export interface BriefingContent {
  /** Id of the briefing. */
  readonly id: string;
  readonly body: string;
  readonly contentType: (typeof BODY_TYPES)[number];
}

const LONGEST_LINE = 500;
const LONGEST_SUMMARY = 5_000;
/** Longest text, characters. */
export const LONGEST_BODY = 2_000_000;
const MAX_SYMBOLS = 100;
/** Earliest and latest valid publication time. */
const EARLIEST = Date.parse('1970-01-01T00:00:00.000Z');
const LATEST = Date.parse('2200-01-01T00:00:00.000Z');
/** Reading speed, words per minute. */
const WORDS_A_MINUTE = 220;

const line = (value: unknown): string | null =>
  text(value)?.replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_LINE) || null;
const identity = (value: unknown): string | null => {
  const given = typeof value === 'number' && Number.isFinite(value) ? String(value) : text(value);
  return given === null || given.length > 128 ? null : given;
};

const timesOf = (row: Fields): unknown[] => [
  row.published_at,
  row.date,
  row.timestamp,
  row.time,
  row.at,
  row.created_at,
];

/** The first valid time of a record. */
function published(candidates: readonly unknown[]): string | null {
  for (const candidate of candidates) {
    const at = instant(candidate);
    if (at !== null && Date.parse(at) >= EARLIEST && Date.parse(at) < LATEST) return at;
  }
  return null;
}

function symbols(value: unknown): string[] {
  const given = typeof value === 'string' ? value.split(/[\s,]+/) : Array.isArray(value) ? value : [];
  return [
    ...new Set(
      given.slice(0, MAX_SYMBOLS).flatMap((one) => symbol(isFields(one) ? (one.symbol ?? one.ticker) : one) ?? []),
    ),
  ];
}

/** Longest name of a type, characters. */
const LONGEST_TYPE = 40;

/** A type in any spelling; an unknown type keeps its name. */
function briefingType(value: unknown): string {
  const given = line(value) ?? '';
  const folded = given.toLowerCase().replaceAll(/[^a-z]/g, '');
  return (
    BRIEFING_TYPES.find((type) => type.replaceAll('-', '') === folded) ?? given.slice(0, LONGEST_TYPE).toWellFormed()
  );
}

function author(value: unknown): string {
  return (
    (isFields(value) ? line(value.name) : Array.isArray(value) ? line(value.map(author).join(', ')) : line(value)) ??
    'Unknown'
  );
}

/** Characters at the start of a text that are searched for its heading. */
const HEADING_WITHIN = 4_000;

/** The first heading of Markdown or HTML, without its markup. */
function headingOf(body: string | null): string | null {
  const beginning = body?.slice(0, HEADING_WITHIN) ?? '';
  const found =
    /^#{1,3}[ \t]+(.+)$/m.exec(beginning)?.[1] ?? /<h[1-3]\b[^>]*>([\s\S]*?)<\/h[1-3]>/i.exec(beginning)?.[1];
  return found === undefined ? null : line(withoutTags(found).replaceAll(/[*_`]|#+[ \t]*$/g, ''));
}

/**
 * A briefing without a title gets its first heading, its summary, or the service's name of its type.
 * @returns null without an id or a publication time
 */
export function readBriefing(row: unknown): KeptBriefing | null {
  if (!isFields(row)) return null;
  const id = identity(row.id ?? row.briefing_id ?? row.slug);
  const date = published([row.date, ...timesOf(row)]);
  if (id === null || date === null) return null;
  const summary = text(row.summary ?? row.excerpt ?? row.description) ?? '';
  const kind = row.type ?? row.kind ?? row.category;
  const minutes = finite(row.reading_minutes ?? row.reading_time) ?? wordCountOf(row) / WORDS_A_MINUTE;
  return {
    id,
    type: briefingType(kind),
    title: line(row.title ?? row.headline) ?? headingOf(bodyOf(row)) ?? line(summary) ?? line(kind) ?? id,
    author: author(row.author ?? row.authors ?? row.by),
    date,
    summary: summary.slice(0, LONGEST_SUMMARY),
    symbols: symbols(row.symbols ?? row.tickers),
    reading_minutes: Math.min(600, Math.max(1, Math.round(minutes))),
  };
}

/**
 * Reads the answer for one briefing; the record may be one level deeper. @returns null without a text, with
 * one that is too long, or for a different briefing
 */
export function readBriefingText(value: unknown, id: string): BriefingContent | null {
  if (!isFields(value)) return null;
  const record = [value, ...Object.values(value).filter(isFields)].find((one) => bodyOf(one) !== null);
  if (record === undefined) return null;
  const body = bodyOf(record);
  const named = identity(record.id ?? record.briefing_id ?? record.slug);
  if ((named !== null && named !== id) || body === null || body.length > LONGEST_BODY) return null;
  return { id, body, contentType: contentType(record, body) };
}

const bodyOf = (record: Fields): string | null =>
  text(record.body) ?? text(record.content) ?? text(record.markdown) ?? text(record.html) ?? text(record.text);
const wordCountOf = (record: Fields): number => (bodyOf(record) ?? '').slice(0, LONGEST_BODY).split(/\s+/).length;

function contentType(record: Fields, body: string): BriefingContent['contentType'] {
  const named = text(record.content_type ?? record.format)?.toLowerCase();
  if (named?.includes('html') === true) return 'text/html; charset=utf-8';
  if (named?.includes('plain') === true) return 'text/plain; charset=utf-8';
  const isHtml = named === undefined && /^\s*<(!doctype|html|article|section|div|p|h[1-6])\b/i.test(body);
  return isHtml ? 'text/html; charset=utf-8' : 'text/markdown; charset=utf-8';
}

/** A sentiment; null: neither a score nor a known word. */
function sentimentOf(row: Fields): KeptNews['sentiment'] {
  const given = isFields(row.sentiment)
    ? row.sentiment
    : { score: row.sentiment_score ?? row.sentiment, label: row.sentiment };
  const stated = finite(given.score);
  const named = text(given.label ?? given.name)?.toLowerCase();
  const word = SENTIMENT_LABELS.find((one) => one === named);
  if (stated === null && word === undefined) return null;
  const score = Math.max(-1, Math.min(1, stated ?? 0));
  return { score, label: word ?? (score < -0.05 ? 'negative' : score > 0.05 ? 'positive' : 'neutral') };
}

/**
 * Reads a row of /market-news. Without an id, its content identifies it; without a valid time, the time is
 * null.
 * @returns null without a headline, or with an address that must not be opened
 */
export function readNews(row: unknown): KeptNews | null {
  if (!isFields(row)) return null;
  const headline = line(row.headline ?? row.title);
  const publishedAt = published(timesOf(row));
  const url = row.url ?? row.link ?? null;
  return (
    KeptNewsSchema.safeParse({
      id: identity(row.id ?? row.news_id) ?? `sha256:${hashOf(JSON.stringify([headline, publishedAt, url]))}`,
      headline,
      summary: (text(row.summary ?? row.description) ?? '').slice(0, LONGEST_SUMMARY),
      source: (isFields(row.source) ? line(row.source.name) : line(row.source ?? row.publisher)) ?? 'Unknown',
      url,
      published_at: publishedAt,
      symbols: symbols(row.symbols ?? row.tickers),
      sentiment: sentimentOf(row),
    }).data ?? null
  );
}
