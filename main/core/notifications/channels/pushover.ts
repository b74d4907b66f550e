// Main, core: sends a notification to the devices of a user of Pushover.
// https://pushover.net/api#messages
import { message } from '../../../../shared/text/message.ts';
import { bodyOf, type Channel, cut, ONE_DAY, requiredSecret } from './channel.ts';
import { post } from './http.ts';

/** 1 passes the quiet hours of the phone. */
const PRIORITY = { low: -1, normal: 0, critical: 1 };

export const pushover: Channel<'pushover'> = {
  retriedFor: ONE_DAY,
  secretOwner: ({ server }) => server,
  async send({ server, user }, notification, secret, ports) {
    const { host } = await post(ports, {
      url: `${server}/1/messages.json`,
      body: JSON.stringify({
        token: requiredSecret(secret),
        user,
        title: cut(notification.title, 250),
        message: cut(bodyOf(notification), 1024),
        priority: PRIORITY[notification.urgency],
      }),
      secret,
    });
    return { outcome: 'sent', detail: message('delivery.taken', { host }) };
  },
};
