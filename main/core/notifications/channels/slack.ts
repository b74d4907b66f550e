// Main, core: posts a notification to a channel of Slack, by an incoming webhook or by a bot, which also sends pictures.
// https://api.slack.com/messaging/webhooks, https://api.slack.com/reference/surfaces/formatting#escaping
import { z } from 'zod';
import { refused } from '../../../../shared/channels/channel.ts';
import { message } from '../../../../shared/text/message.ts';
import {
  type Channel,
  type ChannelPorts,
  type ChannelRequest,
  cut,
  ONE_DAY,
  requiredSecret,
  shownRefusal,
  withoutTags,
} from './channel.ts';
import { parsedAnswer, post } from './http.ts';

const HOST = 'slack.com';
/** The answer repeats the message: most bytes read of it. */
const LONGEST_ANSWER = 64 * 1024;
const SentSchema = z.object({ ts: z.string().regex(/^\d{1,20}\.\d{1,20}$/) });
/** Where a file is sent: an address of Slack. */
const UploadSchema = z.object({
  upload_url: z.url({ protocol: /^https$/, hostname: /\.slack\.com$/ }),
  file_id: z.string(),
});

export const slack: Channel<'slack'> = {
  retriedFor: ONE_DAY,
  secretOwner: ({ channel = null }) => (channel === null ? 'webhook' : `https://${HOST}`),
  async send({ channel = null }, notification, secret, ports) {
    if (requiredSecret(secret).startsWith('xoxb-') !== (channel !== null))
      throw refused(message('delivery.slack_secret'));
    const text = textOf(notification);
    if (channel !== null) {
      const sent = await call(ports, secret, 'chat.postMessage', { channel, text }, SentSchema);
      return { outcome: 'sent', detail: message('delivery.taken', { host: HOST }), receipt: sent.ts };
    }
    const { host } = await post(ports, { url: requiredSecret(secret), body: JSON.stringify({ text }), secret });
    return { outcome: 'sent', detail: message('delivery.taken', { host }) };
  },
  // An incoming webhook takes no files.
  takesPicture: ({ channel = null }) => channel !== null,
  // https://docs.slack.dev/messaging/working-with-files#upload: a message that was sent gets no file, so the picture is
  // the first reply in its thread.
  async addPicture({ channel = null }, { picture, receipt }, secret, ports) {
    if (channel === null || receipt === null) throw refused(message('picture.no_message'));
    const { png, fileName } = picture;
    const file = { filename: fileName, length: String(png.length) };
    const { upload_url, file_id } = await call(ports, secret, 'files.getUploadURLExternal', file, UploadSchema);
    const headers = { 'content-type': 'application/octet-stream' };
    await post(ports, { url: upload_url, headers, body: new Uint8Array(png), secret });
    const files = JSON.stringify([{ id: file_id, title: fileName }]);
    const shared = { files, channel_id: channel, thread_ts: receipt };
    await call(ports, secret, 'files.completeUploadExternal', shared, z.object({}));
  },
};

const textOf = ({ title, body }: ChannelRequest): string =>
  `*${withoutTags(cut(title, 300))}*${body === '' ? '' : `\n${withoutTags(cut(body, 3000))}`}`;

/** A method of the Web API, which says a refusal in an answer 200. */
async function call<Answer>(
  ports: ChannelPorts,
  secret: string | null,
  method: string,
  fields: Readonly<Record<string, string>>,
  schema: z.ZodType<Answer>,
): Promise<Answer> {
  const { host, answer } = await post(ports, {
    url: `https://${HOST}/api/${method}`,
    headers: {
      authorization: `Bearer ${requiredSecret(secret)}`,
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    },
    body: new URLSearchParams(fields).toString(),
    secret,
    mostRead: LONGEST_ANSWER,
  });
  const parsed = parsedAnswer(answer);
  const isAccepted = z.object({ ok: z.literal(true) }).safeParse(parsed).success;
  const read = schema.safeParse(parsed);
  if (isAccepted && read.success) return read.data;
  throw refused(message('delivery.refused', { host, status: 200, said: shownRefusal(answer, secret) }));
}
