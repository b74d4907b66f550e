// Main, core: sends a notification as a mail over an SMTP server.
import { messageOf } from '../../../../shared/lib/result.ts';
import { type ChannelSender, sequenceOf, TIMEOUT } from './channel-sender.ts';

const LOOPBACK = new Set(['127.0.0.1', '::1', '[::1]', 'localhost']);

export const sendMail: ChannelSender<'mail'> = async (channel, message, secret) => {
  const { host, port, secure, user, from, to } = channel;
  // Loaded for the first mail: it is large.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port,
    secure,
    requireTLS: !secure && !LOOPBACK.has(host),
    ...(user === null ? {} : { auth: { user, pass: secret ?? '' } }),
    connectionTimeout: TIMEOUT,
    greetingTimeout: TIMEOUT,
    socketTimeout: TIMEOUT,
  });
  try {
    const { id, title, body } = message;
    await transport.sendMail({
      from: { name: 'Barograph', address: from },
      to,
      subject: title,
      text: `${body === '' ? title : body}\n`,
      messageId: `<${sequenceOf(id)}@barograph.invalid>`,
    });
    return `${host} took it for ${to}.`;
  } catch (error) {
    throw new Error(`${host}:${port} did not take the mail: ${messageOf(error)}`);
  } finally {
    transport.close();
  }
};
