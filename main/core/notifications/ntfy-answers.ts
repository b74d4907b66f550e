// Main, core: receives presses of the buttons under ntfy messages: the phone publishes them to a second topic, which
// this follows. https://docs.ntfy.sh/subscribe/api/
import { z } from 'zod';
import { HOUR_MS, SECOND_MS } from '../../../shared/lib/time.ts';
import { type AnswerPorts, pressOf } from './channel-press.ts';
import { elapsed, receiveUntil } from './receive-until.ts';

/** The topic of answers, and the channels whose messages name it. */
export interface AnswerTopic {
  /** https://SERVER/TOPIC */
  readonly url: string;
  /** Access token; null: none. */
  readonly token: string | null;
  readonly channels: readonly { readonly id: string; readonly name: string }[];
}

/** A server says every 45 s that it is there. */
const SILENCE = 100 * SECOND_MS;
/** A press is read however long the program was not running, up to what ntfy keeps, ms. */
const KEPT = 12 * HOUR_MS;
const MOST_LINE = 16 * 1024;

const LineSchema = z.object({ id: z.string(), event: z.string(), message: z.string().optional() });

/** Runs until the signal. A press that was read before changes nothing. */
export async function followAnswerTopic(topic: AnswerTopic, ports: AnswerPorts, signal: AbortSignal): Promise<void> {
  const { fetch, clock } = ports;
  let since = String(Math.floor((clock.now() - KEPT) / SECOND_MS));
  const take = (line: string): void => {
    const read = LineSchema.safeParse(parsed(line));
    if (!read.success || read.data.event !== 'message') return;
    since = read.data.id;
    const press = pressOf(read.data.message ?? '');
    if (press === null) return;
    for (const { id: channel, name: channelName } of topic.channels)
      if (ports.onPress({ ...press, id: `ntfy:${read.data.id}`, who: '', channel, channelName }) !== null) return;
  };
  await receiveUntil(signal, { name: 'ntfy', secret: topic.token }, ports, async (isWorking) => {
    const silence = new AbortController();
    const watch = () => clock.after(SILENCE, () => silence.abort(new Error('silent for too long')));
    let cancel = watch();
    try {
      const answer = await fetch(`${topic.url}/json?since=${since}`, {
        redirect: 'manual',
        headers: topic.token === null ? {} : { authorization: `Bearer ${topic.token}` },
        signal: AbortSignal.any([signal, silence.signal]),
      });
      if (!answer.ok || answer.body === null) throw new Error(`${new URL(topic.url).host} answered ${answer.status}`);
      isWorking();
      for await (const line of linesOf(answer.body)) {
        cancel();
        cancel = watch();
        take(line);
      }
    } finally {
      cancel();
    }
    // A server that ends each connection at once must not be asked without a pause.
    await elapsed(clock, SECOND_MS, signal);
  });
}

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
};

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MOST_LINE) throw new Error('a line without end');
    yield* lines.filter((line) => line !== '');
  }
}
