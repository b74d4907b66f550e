// Main, core: publishes a notification to a topic of an ntfy server.
// https://docs.ntfy.sh/publish/#publish-as-json
import { message } from '../../../../shared/text/message.ts';
import { bodyOf, type Channel, ONE_DAY, sequenceOf } from './channel.ts';
import { post } from './http.ts';

/** https://docs.ntfy.sh/publish/#message-priority */
const PRIORITY = { low: 2, normal: 3, critical: 5 };

export const ntfy: Channel<'ntfy'> = {
  retriedFor: ONE_DAY,
  secretOwner: ({ url }) => new URL(url).origin,
  async send({ url }, notification, secret, ports) {
    const { origin, pathname } = new URL(url);
    const { host } = await post(ports, {
      url: `${origin}/`,
      headers: secret === null ? {} : { authorization: `Bearer ${secret}` },
      body: JSON.stringify({
        topic: pathname.slice(1),
        title: notification.title,
        message: bodyOf(notification),
        priority: PRIORITY[notification.urgency],
        sequence_id: sequenceOf(notification.id),
      }),
      secret,
    });
    return { outcome: 'sent', detail: message('delivery.taken', { host }) };
  },
};
