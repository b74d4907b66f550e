// Service, news: parses an RSS, Atom, RDF or JSON feed into news items. Pure.
// Counts and omits unusable items.
import { createHash } from 'node:crypto';
import { decodeHTML } from 'entities';
import { parseFeed as parse } from 'feedsmith';
import { z } from 'zod';
import { withoutMarkup, withoutTags } from '../../shared/lib/html-text.ts';
import { err, messageOf, ok, type Result } from '../../shared/lib/result.ts';
import type { NewsItem } from '../store/news.ts';
import { feedDate } from './feed-date.ts';
import { sentimentOf } from './sentiment.ts';
import type { Tag } from './tags.ts';

/** Items taken from one feed at a time. */
const MAX_ITEMS = 500;
const MAX_HEADLINE = 300;
const MAX_SUMMARY = 1_000;

const text = z
  .unknown()
  .transform((value) =>
    typeof value === 'string'
      ? value
      : typeof value === 'object' && value !== null && 'value' in value && typeof value.value === 'string'
        ? value.value
        : '',
  );
const LinkSchema = z.object({ href: z.string(), rel: z.string().optional() });
/** An item; accepts the field names of all formats. */
const ItemSchema = z.object({
  title: text.optional(),
  description: text.optional(),
  summary: text.optional(),
  content: text.optional(),
  content_text: text.optional(),
  content_html: text.optional(),
  link: z.unknown().optional(),
  links: z.array(LinkSchema).optional().catch(undefined),
  url: z.string().optional().catch(undefined),
  guid: text.optional(),
  id: text.optional(),
  pubDate: text.optional(),
  published: text.optional(),
  updated: text.optional(),
  date_published: text.optional(),
  dc: z.object({ date: z.unknown().optional() }).optional().catch(undefined),
});
const FeedSchema = z.object({
  title: text.optional(),
  items: z.array(z.unknown()).optional(),
  entries: z.array(z.unknown()).optional(),
});

export interface FeedPage {
  readonly items: readonly NewsItem[];
  /** Items without a headline, a link or a date. */
  readonly unusable: number;
}

/**
 * @param feed address of the feed: items of different feeds are different items
 * @param now ms; later dates become this
 * @returns the problem, when it is not a feed
 */
export function readFeed(source: string, feed: string, now: number, tag: Tag): Result<FeedPage, string> {
  let parsed: z.infer<typeof FeedSchema>;
  try {
    parsed = FeedSchema.parse(parse(source).feed);
  } catch (error) {
    return err(`it is no feed that can be read (RSS, Atom, RDF or JSON): ${messageOf(error).split('\n')[0]}`);
  }
  const rows = (parsed.items ?? parsed.entries ?? []).slice(0, MAX_ITEMS);
  const publisher = plain(parsed.title ?? '') || new URL(feed).hostname;
  const items = rows.flatMap((row) => itemOf(row, feed, publisher, now, tag) ?? []);
  return ok({ items, unusable: rows.length - items.length });
}

function itemOf(row: unknown, feed: string, publisher: string, now: number, tag: Tag): NewsItem | null {
  const read = ItemSchema.safeParse(row);
  if (!read.success) return null;
  const item = read.data;
  const headline = cut(plain(item.title ?? ''), MAX_HEADLINE);
  const url = linkOf(item, feed);
  const date = firstOf(
    item.pubDate,
    item.published,
    item.date_published,
    typeof item.dc?.date === 'string' ? item.dc.date : '',
    item.updated,
  );
  const publishedAt = Math.min(feedDate(date), now);
  if (headline === '' || url === null || Number.isNaN(publishedAt)) return null;
  const body = plain(firstOf(item.description, item.summary, item.content_text, item.content, item.content_html));
  const summary = body === headline ? '' : cut(body, MAX_SUMMARY);
  const tags = [tag(headline), tag(summary)];
  const identity = firstOf(item.guid, item.id, url);
  return {
    id: `nws_${createHash('sha256').update(`${feed}\n${identity}`).digest('hex').slice(0, 24)}`,
    headline,
    summary,
    source: publisher,
    url,
    publishedAt,
    symbols: [...new Set(tags.flatMap(({ symbols }) => symbols))].sort(),
    ...sentimentOf(
      `${headline}. ${summary}`,
      tags.flatMap(({ names }) => names),
    ),
  };
}

const firstOf = (...texts: readonly (string | undefined)[]): string =>
  texts.find((one) => one !== undefined && one.trim() !== '') ?? '';

/** An absolute http or https address. */
function linkOf({ link, links, url, guid }: z.infer<typeof ItemSchema>, feed: string): string | null {
  const atom = links?.find(({ rel }) => rel === undefined || rel === 'alternate')?.href;
  const given = firstOf(
    typeof link === 'string' ? link : undefined,
    atom,
    url,
    guid?.startsWith('http') ? guid : undefined,
  );
  if (given === '') return null;
  const parsed = URL.parse(given.trim(), feed);
  return parsed !== null && (parsed.protocol === 'https:' || parsed.protocol === 'http:') && parsed.username === ''
    ? parsed.href
    : null;
}

/** Plain text of possible HTML: removes tags, comments and code, decodes entities, collapses white space. */
function plain(source: string): string {
  return withoutTags(decodeHTML(withoutMarkup(source)))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const cut = (whole: string, most: number): string =>
  whole.length <= most ? whole : `${whole.slice(0, most - 1).replace(/\s\S*$/, '')}…`;
