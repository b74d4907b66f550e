// Main, core: publishes a notification to a topic of an ntfy server.
import { type ChannelSender, sequenceOf, TIMEOUT } from './channel-sender.ts';

const MAX_ANSWER = 200;
/** https://docs.ntfy.sh/publish/#message-priority */
const PRIORITY = { low: 2, normal: 3, critical: 5 };

/** https://docs.ntfy.sh/publish/#publish-as-json; `secret`: an access token. */
export const publishToNtfy: ChannelSender<'ntfy'> = async ({ url }, message, secret, { fetch, clock }) => {
  const { origin, host, pathname } = new URL(url);
  const { id, title, body, urgency } = message;
  const abort = new AbortController();
  const cancel = clock.after(TIMEOUT, () => abort.abort());
  try {
    const answer = await fetch(`${origin}/`, {
      method: 'POST',
      // A redirect would send the token elsewhere.
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
};
