// Main, core: posts a notification to a channel of Discord, by a webhook.
// https://discord.com/developers/docs/resources/webhook#execute-webhook
import { message } from '../../../../shared/text/message.ts';
import { type Channel, cut, ONE_DAY, requiredSecret } from './channel.ts';
import { post } from './http.ts';

/** Of the bar beside the text; the title says the state in words. */
const COLOR = { low: 0x5b8c6e, normal: 0xc9922e, critical: 0xd1495b };

export const discord: Channel<'discord'> = {
  retriedFor: ONE_DAY,
  secretOwner: () => 'webhook',
  async send(_, { title, body, urgency }, secret, ports) {
    // wait: Discord answers after it has stored the message, and says why it did not.
    const url = `${requiredSecret(secret)}?wait=true`;
    const embed = { title: cut(title, 256), description: cut(body, 4096), color: COLOR[urgency] };
    // No name in a text from outside notifies anybody.
    const { host } = await post(ports, {
      url,
      body: JSON.stringify({ username: 'Barograph', embeds: [embed], allowed_mentions: { parse: [] } }),
      secret,
    });
    return { outcome: 'sent', detail: message('delivery.taken', { host }) };
  },
};
