// Main, core: reads the service's feeds of prices, stops their history, answers price questions, raises a symbol.
import type { Client } from '../../../client/client.ts';
import { refused } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { FeedChannels } from '../../../shared/channels/feeds.ts';
import { message } from '../../../shared/text/message.ts';
import { FeedSchema } from '../../../shared/wire/feeds.ts';
import { cannotShow, problemMessage } from '../compat/refusals.ts';

export interface FeedHandlerDeps {
  readonly client: Pick<Client, 'read' | 'page'>;
  readonly mayAsk: () => boolean;
  /** Reads the signals now. */
  readonly refresh: () => void;
}

const WHAT = message('feed.list');

export function createFeedHandlers({ client, mayAsk, refresh }: FeedHandlerDeps): Handlers<FeedChannels> {
  /** A foreign service has no such endpoint, and is asked once. */
  let isUnsupported = false;
  const act = async (request: () => ReturnType<Client['read']>): Promise<Record<string, never>> => {
    if (!mayAsk()) throw refused(message('subscription.nothing_changed'));
    const answer = await request();
    if (!answer.ok) throw refused(problemMessage(answer.error));
    return {};
  };
  return {
    async 'feeds.read'() {
      if (isUnsupported) return { feeds: [] };
      const answer = mayAsk() ? await client.page('feeds') : null;
      if (answer?.ok) return { feeds: answer.value.rows.flatMap((row) => FeedSchema.safeParse(row).data ?? []) };
      const { kind, status = null } = answer?.error ?? { kind: null };
      isUnsupported = kind === 'not_found' || status === 405 || status === 501;
      if (isUnsupported) return { feeds: [] };
      throw cannotShow(WHAT, null, answer?.error ?? null);
    },
    'feeds.stop_history': ({ name, stopped }) =>
      act(() => client.read('setFeedHistory', { params: { name }, body: { stopped } })),
    async 'prices.answer'({ symbol, date, answer: body }) {
      await act(() => client.read('answerPrice', { params: { symbol, date }, body }));
      refresh();
      return {};
    },
    'sandbox.raise': ({ symbol }) => act(() => client.read('trigger', { body: { event: 'signal.high_risk', symbol } })),
  };
}
