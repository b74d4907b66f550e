// Main, core: the window's queries of the service and of the archive.
import type { Client } from '../../../client/client.ts';
import type { CoreChannels } from '../../../shared/channels/channels.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { Memory } from '../archive/memory.ts';
import type { Vocabulary } from '../compat/vocabulary.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CallRecord } from './call-record.ts';
import { createEpisodeReader } from './episodes.ts';
import { createFactorReader } from './factors.ts';
import { createInstrumentReader } from './instruments.ts';
import { createRegimeReader } from './regimes.ts';
import { createTimelineReader } from './timeline.ts';

export interface QueryHandlerDeps {
  readonly client: Pick<Client, 'page' | 'read'>;
  /** False: no request may be sent; cache and ledger answer alone. */
  readonly mayAsk: () => boolean;
  readonly ledger: Pick<Ledger, 'entries'>;
  readonly clock: Clock;
  /** World time, ms. */
  readonly worldNow: () => number;
  readonly memory: Memory;
  readonly vocabulary: Vocabulary;
  readonly calls: Pick<CallRecord, 'read'>;
}

type QueryChannels = Pick<
  CoreChannels,
  | 'timeline.read'
  | 'timelines.read'
  | 'factors.read'
  | 'factors.page'
  | 'regime.read'
  | 'regime.page'
  | 'episodes.read'
  | 'validation.read'
  | 'instruments.read'
>;

export function createQueryHandlers({
  client,
  mayAsk,
  ledger,
  clock,
  worldNow,
  memory,
  vocabulary,
  calls,
}: QueryHandlerDeps): Handlers<QueryChannels> {
  const timelines = createTimelineReader({ client, mayAsk, ledger, now: worldNow, memory, vocabulary });
  const factors = createFactorReader({ client, mayAsk, now: worldNow });
  const regimes = createRegimeReader(client, mayAsk);
  const readInstruments = createInstrumentReader({ client, mayAsk, clock });
  return {
    'timeline.read': ({ symbol }) => timelines.one(symbol),
    'timelines.read': ({ symbols }) => timelines.many(symbols),
    'factors.read': ({ symbol }) => memory.one('factors.read', symbol, () => factors.read(symbol)),
    'factors.page': (ask) => memory.page('factors.page', ask, () => factors.page(ask)),
    'regime.read': ({ symbol, at }) =>
      at === undefined ? memory.one('regime.read', symbol, () => regimes.read(symbol)) : regimes.read(symbol, at),
    'regime.page': (ask) => memory.page('regime.page', ask, () => regimes.page(ask)),
    'episodes.read': createEpisodeReader({ client, mayAsk, vocabulary }),
    'validation.read': () => calls.read(),
    'instruments.read': () => memory.one('instruments.read', '', readInstruments),
  };
}
