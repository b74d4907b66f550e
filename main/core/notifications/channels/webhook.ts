// Main, core: posts a notification to an address, signed as Standard Webhooks describes.
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
import { createHmac } from 'node:crypto';
import {
  filledTemplate,
  isJsonTemplate,
  type TemplateValues,
} from '../../../../shared/settings/notification-channels/webhook.ts';
import { message } from '../../../../shared/text/message.ts';
import { timestamp } from '../../../../shared/wire/primitives.ts';
import { type Channel, ONE_DAY, sequenceOf } from './channel.ts';
import { post } from './http.ts';

export const webhook: Channel<'webhook'> = {
  retriedFor: ONE_DAY,
  secretOwner: ({ url }) => new URL(url).origin,
  async send({ url, template }, { id, title, body, urgency, symbol, revision = 1 }, secret, ports) {
    const now = ports.clock.now();
    const data = { title, body, urgency, symbol, id: sequenceOf(id), revision };
    const values: TemplateValues = { ...data, symbol: symbol ?? '', revision: String(revision), at: timestamp(now) };
    const payload =
      template === null
        ? JSON.stringify({ type: 'notification', timestamp: timestamp(now), data })
        : filledTemplate(template, values);
    // A receiver knows a repeated message by its id; a further revision is another message.
    const messageId = `${data.id}.${revision}`;
    const seconds = Math.floor(now / 1000);
    const isJson = template === null || isJsonTemplate(template);
    const { host } = await post(ports, {
      url,
      headers: {
        'content-type': isJson ? 'application/json' : 'text/plain; charset=utf-8',
        'webhook-id': messageId,
        'webhook-timestamp': String(seconds),
        ...(secret === null ? {} : { 'webhook-signature': signatureOf(`${messageId}.${seconds}.${payload}`, secret) }),
      },
      body: payload,
      secret,
    });
    return { outcome: 'sent', detail: message('delivery.taken', { host }) };
  },
};

const signatureOf = (signed: string, secret: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(signed)
    .digest('base64')}`;
