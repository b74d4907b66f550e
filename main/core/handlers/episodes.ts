// Main, core: reads the episodes of symbols outside Normal from the service.
// They reach further back than this ledger.
import type { Client } from '../../../client/client.ts';
import type { Episode, EpisodeList, OpenEpisode } from '../../../shared/channels/queries.ts';
import { message } from '../../../shared/text/message.ts';
import { instant, isFields, symbol } from '../compat/fields.ts';
import { state } from '../compat/read-state.ts';
import { statesOf } from '../compat/record-fields.ts';
import { cannotShow } from '../compat/refusals.ts';
import type { Vocabulary } from '../compat/vocabulary.ts';

/** A page has 100 episodes; a symbol that flaps for months must not use up the rate limit. */
const MAX_PAGES = 10;

export interface EpisodeReaderOptions {
  readonly client: Pick<Client, 'page'>;
  readonly mayAsk: () => boolean;
  readonly vocabulary: Vocabulary;
}

export interface EpisodeQuery {
  readonly open: readonly OpenEpisode[];
}

interface EpisodesPage {
  readonly symbols: string[];
  /** A service that ignores it is read back until each asked episode is found. */
  readonly open_at: string;
  readonly limit: number;
  readonly after?: string;
}
type Answer = Awaited<ReturnType<Client['page']>>;

/** @returns the reader. @throws RefusedError with the service's message */
export function createEpisodeReader({ client, mayAsk, vocabulary }: EpisodeReaderOptions) {
  return async ({ open }: EpisodeQuery): Promise<EpisodeList> => {
    const episodes: Episode[] = [];
    let missing = open;
    let pages = 0;
    while (missing.length > 0 && pages < MAX_PAGES) {
      const instants = missing.map(({ at }) => at).sort();
      // Of a ledger without holes all were open at the first. Others began while their symbol was not watched.
      const openAt = instants.at(pages === 0 ? 0 : -1) ?? '';
      const symbols = [...new Set(missing.map(({ symbol: of }) => of))];
      let after: string | null = null;
      do {
        const query: EpisodesPage = { symbols, open_at: openAt, limit: 100, ...(after === null ? {} : { after }) };
        const answer: Answer | null = mayAsk() ? await client.page('alerts', { query }) : null;
        if (answer?.ok !== true) throw cannotShow(message('data.episodes'), null, answer?.error ?? null);
        const read = answer.value.rows
          .flatMap((row) => episodeOf(vocabulary.row(row)))
          .filter((one) => symbols.includes(one.symbol));
        episodes.push(...read);
        missing = missing.filter((one) => !read.some((episode) => wasOpen(episode, one)));
        after = answer.value.hasMore ? answer.value.nextCursor : null;
        pages += 1;
      } while (missing.length > 0 && after !== null && pages < MAX_PAGES);
      // The service does not have these.
      missing = missing.filter(({ at }) => at !== openAt);
    }
    return { episodes };
  };
}

const wasOpen = (episode: Episode, { symbol: of, at }: OpenEpisode): boolean =>
  episode.symbol === of && episode.started_at <= at && (episode.ended_at === null || at <= episode.ended_at);

function episodeOf(row: unknown): Episode[] {
  if (!isFields(row)) return [];
  const [of, peak, startedAt] = [symbol(row.symbol), state(row.peak_state, ...statesOf(row)), instant(row.started_at)];
  if (of === null || peak === null || startedAt === null) return [];
  const transitions = Array.isArray(row.transitions) ? row.transitions.filter((id) => typeof id === 'string') : [];
  return [
    {
      symbol: of,
      peak_state: peak,
      started_at: startedAt,
      ended_at: instant(row.ended_at),
      transitions,
      ...(row.began_before_log === true && { before_log: true }),
    },
  ];
}
