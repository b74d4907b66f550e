// Main, core: posts a notification to a channel of Slack, by an incoming webhook.
// https://api.slack.com/messaging/webhooks, https://api.slack.com/reference/surfaces/formatting#escaping
import { message } from '../../../../shared/text/message.ts';
import { type Channel, cut, ONE_DAY, requiredSecret, withoutTags } from './channel.ts';
import { post } from './http.ts';

export const slack: Channel<'slack'> = {
  retriedFor: ONE_DAY,
  secretOwner: () => 'webhook',
  async send(_, { title, body }, secret, ports) {
    const text = `*${withoutTags(cut(title, 300))}*${body === '' ? '' : `\n${withoutTags(cut(body, 3000))}`}`;
    const { host } = await post(ports, { url: requiredSecret(secret), body: JSON.stringify({ text }), secret });
    return { outcome: 'sent', detail: message('delivery.taken', { host }) };
  },
};
