// Service, news: the operator's list of feeds, one address per line.
// Blank lines and lines that begin with # are ignored.
import { readFileSync } from 'node:fs';
import { messageOf } from '../../shared/lib/result.ts';

const MAX_FEEDS = 200;

export interface FeedList {
  readonly feeds: readonly string[];
  readonly problems: readonly { readonly file: string; readonly line: number; readonly reason: string }[];
}

/**
 * Reads the list. A line that is not a feed address is a problem; the rest is used.
 * @throws Error with one sentence when the file cannot be read
 */
export function readFeedList(file: string): FeedList {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`the list of feeds ${file} cannot be read: ${messageOf(error)}`);
  }
  const feeds = new Set<string>();
  const problems: FeedList['problems'][number][] = [];
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const url = URL.parse(line);
    const reason = whyNot(url, feeds);
    if (reason === null && url !== null) feeds.add(url.href);
    else problems.push({ file, line: index + 1, reason: reason ?? '' });
  }
  return { feeds: [...feeds], problems };
}

function whyNot(url: URL | null, known: ReadonlySet<string>): string | null {
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return 'is no address of a feed; write one like https://example.com/news.xml';
  if (url.username !== '' || url.password !== '') return 'has a user name or a password in it, which is not accepted';
  if (known.has(url.href)) return 'is in the list already';
  return known.size >= MAX_FEEDS ? `is beyond the ${MAX_FEEDS} feeds that are read` : null;
}
