// Main, core: reads the episodes of symbols outside Normal from the service.
// They reach further back than this ledger.
import type { Client } from '../../../client/client.ts';
import type { Episode, EpisodeList } from '../../../shared/channels/queries.ts';
import { message } from '../../../shared/text/message.ts';
import { instant, isFields, state, symbol } from '../compat/normalize.ts';
import { cannotShow } from '../refusals.ts';

/** A page has 100 episodes; a symbol that flaps for months must not use up the rate limit. */
const MAX_PAGES = 10;

export interface EpisodeReaderOptions {
  readonly client: Pick<Client, 'page'>;
  readonly mayAsk: () => boolean;
}

export interface EpisodeQuery {
  readonly symbols: readonly string[];
  /** The instant at which the episodes were open, ISO. */
  readonly from: string;
}

interface EpisodesPage {
  readonly symbols: string[];
  /** A service that ignores it is read back to the episode of each symbol that was open then. */
  readonly open_at: string;
  readonly limit: number;
  readonly after?: string;
}
type Answer = Awaited<ReturnType<Client['page']>>;

/** @returns the reader: newest first. @throws RefusedError with the service's message */
export function createEpisodeReader({ client, mayAsk }: EpisodeReaderOptions) {
  return async ({ symbols, from }: EpisodeQuery): Promise<EpisodeList> => {
    const episodes: Episode[] = [];
    /** Symbols whose episode at `from` was not read yet. */
    const missing = new Set(symbols);
    let after: string | null = null;
    for (let page = 0; page < MAX_PAGES; page++) {
      const query: EpisodesPage = {
        ...{ symbols: [...symbols], open_at: from, limit: 100 },
        ...(after === null ? {} : { after }),
      };
      const answer: Answer | null = mayAsk() ? await client.page('alerts', { query }) : null;
      if (answer?.ok !== true) throw cannotShow(message('data.episodes'), null, answer?.error ?? null);
      const read = answer.value.rows.flatMap(episodeOf).filter((one) => symbols.includes(one.symbol));
      episodes.push(...read);
      for (const one of read) if (one.started_at <= from) missing.delete(one.symbol);
      after = answer.value.nextCursor;
      if (missing.size === 0 || !answer.value.hasMore || after === null) break;
    }
    return { episodes };
  };
}

function episodeOf(row: unknown): Episode[] {
  if (!isFields(row)) return [];
  const [of, peak, startedAt] = [symbol(row.symbol), state(row.state_name, row.peak_state), instant(row.started_at)];
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
