// Main, core: publishes a notification to a topic of an ntfy server.
import { readBody } from '../../../../client/body.ts';
import { refused } from '../../../../shared/channels/channel.ts';
import { message } from '../../../../shared/text/message.ts';
import type { NotificationRequest } from '../../ports.ts';
import {
  type Channel,
  type ChannelPorts,
  type Delivery,
  type DestinationOf,
  MAX_ANSWER,
  ONE_DAY,
  sequenceOf,
  shownRefusal,
  TIMEOUT,
} from './channel.ts';

/** https://docs.ntfy.sh/publish/#message-priority */
const PRIORITY = { low: 2, normal: 3, critical: 5 };

export const ntfy: Channel<'ntfy'> = {
  retriedFor: ONE_DAY,
  secretOwner: ({ url }) => url.replace(/^(https?:\/\/[^/]+).*$/, '$1'),
  send,
};

/** https://docs.ntfy.sh/publish/#publish-as-json; `secret`: an access token. */
async function send(
  { url }: DestinationOf<'ntfy'>,
  { id, title, body, urgency }: NotificationRequest,
  secret: string | null,
  { fetch, clock }: ChannelPorts,
): Promise<Delivery> {
  const { origin, host, pathname } = new URL(url);
  const abort = new AbortController();
  const cancel = clock.after(TIMEOUT, () => abort.abort());
  try {
    const answer = await fetch(`${origin}/`, {
      method: 'POST',
      // A redirect would send the token elsewhere.
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
      },
      body: JSON.stringify({
        topic: pathname.slice(1),
        title,
        message: body === '' ? title : body,
        priority: PRIORITY[urgency],
        sequence_id: sequenceOf(id),
      }),
      signal: abort.signal,
    });
    if (answer.ok) {
      await answer.body?.cancel();
      return { outcome: 'sent', detail: message('delivery.taken', { host }) };
    }
    const read = await readBody(answer, MAX_ANSWER, abort.signal, true);
    const text = read.ok ? read.value : '';
    const said = shownRefusal(text, secret, text.length >= MAX_ANSWER / 4);
    const refusal = { host, status: answer.status, said };
    const needsToken = answer.status === 401 || answer.status === 403;
    throw refused(needsToken ? message('delivery.token_refused', refusal) : message('delivery.refused', refusal));
  } catch (error) {
    if (abort.signal.aborted) throw refused(message('delivery.timeout', { host, seconds: TIMEOUT / 1000 }));
    throw error;
  } finally {
    cancel();
  }
}
