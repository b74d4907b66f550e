// Main, core: sends a notification as a mail over an SMTP server.
import { Socket } from 'node:net';
import { refused } from '../../../../shared/channels/channel.ts';
import { isLoopback } from '../../../../shared/lib/loopback.ts';
import { messageOf } from '../../../../shared/lib/result.ts';
import { message } from '../../../../shared/text/message.ts';
import {
  type Channel,
  type ChannelPorts,
  type ChannelRequest,
  type Delivery,
  type DestinationOf,
  MAX_ANSWER,
  ONE_DAY,
  sequenceOf,
  shownRefusal,
  TIMEOUT,
} from './channel.ts';

export const mail: Channel<'mail'> = {
  retriedFor: ONE_DAY,
  secretOwner: ({ user, host }) => `${user ?? ''}@${host}`,
  waitsForPicture: true,
  send,
};

const messageIdOf = (id: string): string => `<${sequenceOf(id)}@barograph.invalid>`;

async function send(
  { host, port, secure, user, from, to }: DestinationOf<'mail'>,
  { id, title, body, revision = 1, picture }: ChannelRequest,
  secret: string | null,
  { clock }: ChannelPorts,
): Promise<Delivery> {
  // Loaded with the first mail, because the library is large.
  const { createTransport } = await import('nodemailer');
  const socket = new Socket();
  let isLate = false;
  const cancel = clock.after(TIMEOUT, () => {
    isLate = true;
    socket.destroy(new Error('no answer in time'));
  });
  const transport = createTransport({
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port,
    secure,
    requireTLS: !secure && !isLoopback(host),
    ...(user === null ? {} : { auth: { user, pass: secret ?? '' } }),
    connectionTimeout: TIMEOUT,
    greetingTimeout: TIMEOUT,
    socketTimeout: TIMEOUT,
    // Limits for a server that sends without end, slowly or fast.
    socket,
    maxResponseSize: MAX_ANSWER,
  });
  try {
    await transport.sendMail({
      from: { name: 'Barograph', address: from },
      to,
      subject: title,
      text: `${body === '' ? title : body}\n`,
      // A receiver discards a second mail with the same id, and shows a further revision with the first.
      messageId: messageIdOf(revision === 1 ? id : `${id}#${revision}`),
      ...(picture === undefined
        ? {}
        : {
            attachments: [{ filename: picture.fileName, content: picture.png, contentDisposition: 'inline' as const }],
          }),
      ...(revision === 1 ? {} : { inReplyTo: messageIdOf(id), references: messageIdOf(id) }),
    });
    return { outcome: 'sent', detail: message('delivery.mail_taken', { host, to }) };
  } catch (error) {
    if (isLate) throw refused(message('delivery.timeout', { host, seconds: TIMEOUT / 1000 }));
    const why = shownRefusal(messageOf(error), secret);
    throw refused(message('delivery.mail_refused', { host, port, why }));
  } finally {
    cancel();
    transport.close();
    socket.destroy();
  }
}
