// Main, host: channels besides the desktop: a topic of an ntfy server, and mail. What they answer is said as they said it; secrets never appear in it.
import { createHash } from 'node:crypto';
import type { Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { NotificationChannel } from '../../shared/settings/alert-rules.ts';
import type { ChannelMessage, FetchLike, NotificationChannels } from '../core/ports.ts';

/** Whoever has not answered by then has not taken it, ms: below the time after which a dispatch is tried again. */
const TIMEOUT = 10_000;
const MAX_ANSWER = 200;
/** https://docs.ntfy.sh/publish/#message-priority */
const PRIORITY = { low: 2, normal: 3, critical: 5 };
const LOOPBACK = new Set(['127.0.0.1', '::1', '[::1]', 'localhost']);

/** The same for every attempt, so that the other side can tell a repetition. ntfy takes 64 letters, digits, dashes. */
const sequenceOf = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 32);

export function createNotificationChannels(fetch: FetchLike, clock: Clock): NotificationChannels {
  return {
    send: (channel, message, secret) =>
      channel.kind === 'ntfy' ? publish(channel, message, secret, fetch, clock) : mail(channel, message, secret),
  };
}

type Ntfy = Extract<NotificationChannel, { kind: 'ntfy' }>;
type Mail = Extract<NotificationChannel, { kind: 'mail' }>;

/** https://docs.ntfy.sh/publish/#publish-as-json; `secret`: an access token. */
async function publish(
  { url }: Ntfy,
  message: ChannelMessage,
  secret: string | null,
  fetch: FetchLike,
  clock: Clock,
): Promise<string> {
  const { origin, host, pathname } = new URL(url);
  const { id, title, body, urgency } = message;
  const abort = new AbortController();
  const cancel = clock.after(TIMEOUT, () => abort.abort());
  try {
    const answer = await fetch(`${origin}/`, {
      method: 'POST',
      // A redirect would carry the token elsewhere.
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
      },
      body: JSON.stringify({
        topic: pathname.slice(1),
        title,
        message: body === '' ? title : body,
        priority: PRIORITY[urgency],
        sequence_id: sequenceOf(id),
      }),
      signal: abort.signal,
    });
    if (answer.ok) {
      await answer.body?.cancel();
      return `${host} took it.`;
    }
    const said = (await answer.text()).slice(0, MAX_ANSWER);
    const cure = answer.status === 401 || answer.status === 403 ? ' Set an access token for this outlet.' : '';
    throw new Error(`${host} answered ${answer.status}${said === '' ? '' : ` (${said})`}.${cure}`);
  } catch (error) {
    if (abort.signal.aborted) throw new Error(`${host} did not answer within ${TIMEOUT / 1000} s.`);
    throw error;
  } finally {
    cancel();
  }
}

async function mail(channel: Mail, message: ChannelMessage, secret: string | null): Promise<string> {
  const { host, port, secure, user, from, to } = channel;
  // Loaded when a mail is due: it is large.
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
}
