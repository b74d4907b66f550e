// Main, core: publishes a notification to a topic of an ntfy server, with buttons to answer it.
// https://docs.ntfy.sh/publish/#publish-as-json
import { message } from '../../../../shared/text/message.ts';
import { texts } from '../../../../shared/text/texts.ts';
import { buttonData } from '../channel-press.ts';
import { bodyOf, type Channel, type ChannelPorts, ONE_DAY, sequenceOf } from './channel.ts';
import { post } from './http.ts';

/** https://docs.ntfy.sh/publish/#message-priority */
const PRIORITY = { low: 2, normal: 3, critical: 5 };

export const ntfy: Channel<'ntfy'> = {
  retriedFor: ONE_DAY,
  secretOwner: ({ url }) => new URL(url).origin,
  async send({ url, answers }, notification, secret, ports) {
    const { id, title, urgency, answerToken } = notification;
    const { host } = await publish(ports, url, secret, {
      title,
      message: bodyOf(notification),
      priority: PRIORITY[urgency],
      sequence_id: sequenceOf(id),
      ...actionsIn(answers, answerToken),
    });
    return { outcome: 'sent', detail: message('delivery.taken', { host }) };
  },
  // https://docs.ntfy.sh/publish/#attach-local-file. The same sequence and priority: the phone shows it in place of the
  // first, and its app makes a sound once. A server without a store of attachments refuses it with 400.
  async addPicture({ url, answers }, { notification, picture }, secret, ports) {
    const { id, title, urgency, answerToken } = notification;
    const { actions } = actionsIn(answers, answerToken);
    await post(ports, {
      url,
      method: 'PUT',
      headers: {
        ...authorization(secret),
        'content-type': 'image/png',
        'x-filename': picture.fileName,
        'x-title': headerText(title),
        'x-message': headerText(bodyOf(notification)),
        'x-priority': String(PRIORITY[urgency]),
        'x-sequence-id': sequenceOf(id),
        ...(actions === undefined ? {} : { 'x-actions': headerText(JSON.stringify(actions)) }),
      },
      body: new Uint8Array(picture.png),
      secret,
    });
  },
  async settle({ url }, { id, title, text }, secret, ports) {
    // The same sequence: the phone shows it in place of the alert, without buttons and without a sound.
    const sequence_id = sequenceOf(id);
    await publish(ports, url, secret, { title, message: text, priority: 1, sequence_id });
  },
};

const authorization = (secret: string | null): Readonly<Record<string, string>> =>
  secret === null ? {} : { authorization: `Bearer ${secret}` };

/** A header has no line breaks and few letters; ntfy reads RFC 2047. */
const headerText = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;

function publish(ports: ChannelPorts, url: string, secret: string | null, body: object) {
  const { origin, pathname } = new URL(url);
  return post(ports, {
    url: `${origin}/`,
    headers: authorization(secret),
    body: JSON.stringify({ topic: pathname.slice(1), ...body }),
    secret,
  });
}

const actionsIn = (answers: string | null, token: string | undefined) =>
  answers === null || token === undefined ? {} : { actions: actionsOf(answers, token) };

/**
 * ntfy shows three buttons at most: https://docs.ntfy.sh/publish/#send-http-request. The phone publishes without the
 * access token, which never leaves this computer.
 */
const actionsOf = (url: string, token: string) =>
  (['acknowledge', 'snooze', 'snooze_close'] as const).map((answer) => ({
    action: 'http',
    label: texts.notifications.phoneAnswers[answer],
    url,
    method: 'POST',
    body: buttonData(answer, token),
    clear: true,
  }));
