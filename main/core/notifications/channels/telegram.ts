// Main, core: sends a notification to a chat of Telegram, by a bot.
// https://core.telegram.org/bots/api#sendmessage
import { message } from '../../../../shared/text/message.ts';
import { type Channel, cut, ONE_DAY, requiredSecret } from './channel.ts';
import { post } from './http.ts';

/** Characters of a message that Telegram takes, with room for tags. */
const LONGEST = 4000;
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const telegram: Channel<'telegram'> = {
  retriedFor: ONE_DAY,
  secretOwner: ({ server }) => server,
  async send({ server, chat }, { title, body, urgency }, secret, ports) {
    const heading = cut(title, 300);
    const { host } = await post(ports, {
      url: `${server}/bot${requiredSecret(secret)}/sendMessage`,
      body: JSON.stringify({
        chat_id: chat,
        text: `<b>${escaped(heading)}</b>${body === '' ? '' : `\n${escaped(cut(body, LONGEST - heading.length))}`}`,
        parse_mode: 'HTML',
        link_preview_options: { is_disabled: true },
        disable_notification: urgency === 'low',
      }),
      secret,
    });
    return { outcome: 'sent', detail: message('delivery.taken', { host }) };
  },
};
