// Service, command line: the flags of live prices.
import { type Command, InvalidArgumentError } from 'commander';
import { messageOf } from '../../shared/lib/result.ts';
import { FEED_NAMES } from '../market/feeds/feeds.ts';
import { readFeedSymbols } from './feed-inputs.ts';

export interface FeedFlags {
  /** Production only: the vendor of live prices. */
  readonly feed: string | null;
  /** Empty: those that the vendor proposes. */
  readonly feedSymbols: readonly string[];
  readonly feedHost: Readonly<Record<string, string>>;
  /** File with the settings of the feed. */
  readonly feedConfig: string | null;
  /** Folder of price files that are compared with the feed. */
  readonly feedCompare: string | null;
  /** File with the key of the vendor's account. */
  readonly feedKeyFile: string | null;
}

export const withFeedFlags = (command: Command): Command =>
  command
    .option('--feed <name>', `production: live prices, without files: ${FEED_NAMES.join(', ')}`, feedName)
    .option('--feed-symbols <list>', 'what the feed follows: BTC,ETH, or a file with one symbol per line', feedSymbols)
    .option('--feed-config <file>', 'settings of a feed that needs some')
    .option('--feed-compare <folder>', 'price files that explain doubtful prices of the feed, and never replace one')
    .option('--feed-key-file <file>', 'file with the key of the account at the vendor (or BAROGRAPH_FEED_KEY)')
    .option(
      '--feed-host <name=url>',
      'another address of the vendor (rest, stream, trading); may be given several times',
      feedHost,
    );

/** Returns why these flags cannot be used together, or null. */
export function feedConflict(
  flags: Partial<FeedFlags> & { readonly prices?: string | null; readonly clock: { readonly start: number | null } },
): string | null {
  const { feed, prices, clock } = flags;
  const lonely = (['feedSymbols', 'feedConfig', 'feedCompare', 'feedKeyFile', 'feedHost'] as const).find(
    (name) => flags[name] !== undefined,
  );
  if (feed === undefined)
    return lonely === undefined
      ? null
      : `--${lonely.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} needs --feed`;
  if (prices !== undefined) return '--feed and --prices both say where prices come from; give one of them';
  if (clock.start !== null)
    return '--feed brings the prices of today; it cannot be used with --clock, which sets another day';
  return null;
}

function feedName(text: string): string {
  if (!FEED_NAMES.includes(text)) throw new InvalidArgumentError(`There is ${FEED_NAMES.join(', ')}.`);
  return text;
}

function feedSymbols(text: string): readonly string[] {
  try {
    return readFeedSymbols(text);
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error).replace('--feed-symbols: ', ''));
  }
}

function feedHost(
  text: string,
  before: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  const [, name, url] = /^(rest|stream|trading)=(\S+)$/.exec(text) ?? [];
  const protocols = name === 'stream' ? ['ws:', 'wss:'] : ['http:', 'https:'];
  if (name === undefined || url === undefined || !protocols.includes(URL.parse(url)?.protocol ?? ''))
    throw new InvalidArgumentError('It must be like rest=https://HOST or stream=wss://HOST.');
  return { ...before, [name]: url.replace(/\/+$/, '') };
}
