// Main, core: posts a notification to a channel of Discord, by a webhook.
// https://discord.com/developers/docs/resources/webhook#execute-webhook
import { z } from 'zod';
import { refused } from '../../../../shared/channels/channel.ts';
import { message } from '../../../../shared/text/message.ts';
import { type Channel, type ChannelRequest, cut, ONE_DAY, requiredSecret } from './channel.ts';
import { formWithFile, parsedAnswer, post } from './http.ts';

const MessageSchema = z.object({ id: z.string().regex(/^\d{1,25}$/) });
/** The answer repeats the message: most bytes read of it. */
const LONGEST_MESSAGE = 64 * 1024;
/** Of the bar beside the text; the title says the state in words. */
const COLOR = { low: 0x5b8c6e, normal: 0xc9922e, critical: 0xd1495b };

export const discord: Channel<'discord'> = {
  retriedFor: ONE_DAY,
  secretOwner: () => 'webhook',
  async send(_, notification, secret, ports) {
    // wait: Discord answers after it has stored the message, and says why it did not.
    const url = `${requiredSecret(secret)}?wait=true`;
    const embed = embedOf(notification);
    // No name in a text from outside notifies anybody.
    const { host, answer } = await post(ports, {
      url,
      body: JSON.stringify({ username: 'Barograph', embeds: [embed], allowed_mentions: { parse: [] } }),
      secret,
      mostRead: LONGEST_MESSAGE,
    });
    const detail = message('delivery.taken', { host });
    const sent = MessageSchema.safeParse(parsedAnswer(answer)).data;
    return { outcome: 'sent', detail, ...(sent === undefined ? {} : { receipt: sent.id }) };
  },
  // https://discord.com/developers/docs/resources/webhook#edit-webhook-message
  async addPicture(_, { notification, picture, receipt }, secret, ports) {
    if (receipt === null) throw refused(message('picture.no_message'));
    const payload = {
      embeds: [{ ...embedOf(notification), image: { url: `attachment://${picture.fileName}` } }],
      attachments: [{ id: 0, filename: picture.fileName }],
      allowed_mentions: { parse: [] },
    };
    const form = await formWithFile({ payload_json: JSON.stringify(payload) }, 'files[0]', picture);
    await post(ports, { url: `${requiredSecret(secret)}/messages/${receipt}`, method: 'PATCH', ...form, secret });
  },
};

const embedOf = ({ title, body, urgency }: ChannelRequest) => ({
  title: cut(title, 256),
  description: cut(body, 4096),
  color: COLOR[urgency],
});
