// Main, core: posts a message to a receiver over HTTP, and reads its answer.
import { readBody } from '../../../../client/body.ts';
import { whyNoAnswer } from '../../../../client/request.ts';
import { RefusedError, refused } from '../../../../shared/channels/channel.ts';
import { message } from '../../../../shared/text/message.ts';
import type { Picture } from '../../pictures/pictures.ts';
import { type ChannelPorts, MAX_ANSWER, PausedError, shownRefusal, TIMEOUT } from './channel.ts';

export interface Post {
  readonly url: string;
  /** Absent: POST. */
  readonly method?: 'POST' | 'PATCH' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, unless `headers` says otherwise. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** Hidden wherever the receiver echoes it. */
  readonly secret: string | null;
  /** Most bytes read of the answer; absent: 4 KB. */
  readonly mostRead?: number;
}

/** Longest pause that a receiver may ask for, ms. */
const LONGEST_PAUSE = 10 * 60_000;

/**
 * @returns the host, and the beginning of its answer
 * @throws RefusedError with the receiver's refusal, for the user; a PausedError where it asks for a pause
 */
export async function post(
  { fetch, clock }: ChannelPorts,
  { url, method = 'POST', headers, body, secret, mostRead = MAX_ANSWER }: Post,
): Promise<{ readonly host: string; readonly answer: string }> {
  const receiver = new URL(url);
  const { host } = receiver;
  const abort = new AbortController();
  const cancel = clock.after(TIMEOUT, () => abort.abort());
  try {
    const answer = await fetch(url, {
      method,
      // A redirect would send the secret elsewhere.
      redirect: 'manual',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal: abort.signal,
    });
    const read = await readBody(answer, mostRead, abort.signal, true);
    const text = read.ok ? read.value : '';
    if (answer.ok) return { host, answer: text };
    const said = shownRefusal(text, secret, text.length >= MAX_ANSWER / 4);
    const refusal = { host, status: answer.status, said };
    const isSecretRefused = answer.status === 401 || answer.status === 403;
    const why = isSecretRefused ? message('delivery.token_refused', refusal) : message('delivery.refused', refusal);
    const pause = pauseIn(answer.headers, text);
    throw pause === 0 ? refused(why) : new PausedError(why, pause);
  } catch (error) {
    if (abort.signal.aborted) throw refused(message('delivery.timeout', { host, seconds: TIMEOUT / 1000 }));
    if (error instanceof RefusedError) throw error;
    throw refused(message('delivery.unreachable', { host, why: whyNoAnswer(error, receiver) }));
  } finally {
    cancel();
  }
}

/** The pause that an answer asks for, ms; Telegram says it in its body. 0: none. */
function pauseIn(headers: Headers, text: string): number {
  const seconds = Number(headers.get('retry-after') ?? /"retry_after"\s*:\s*([\d.]{1,8})/.exec(text)?.[1]);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(LONGEST_PAUSE, seconds * 1000) : 0;
}

/** An answer of JSON; null: it is none, or was cut. */
export function parsedAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Body and header of a form with a file; as bytes, because not every way of a request takes a form. */
export async function formWithFile(
  fields: Readonly<Record<string, string>>,
  name: string,
  { png, fileName }: Picture,
): Promise<Required<Pick<Post, 'headers' | 'body'>>> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append(name, new Blob([new Uint8Array(png)], { type: 'image/png' }), fileName);
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? '';
  return { headers: { 'content-type': type }, body: new Uint8Array(await encoded.arrayBuffer()) };
}
