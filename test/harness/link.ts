// Test harness: calls a running app over its link like its page: token, session, socket.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import { type Answer, AnswerSchema } from '../../shared/channels/channel.ts';
import { SESSION_ID_TEXT, windowProofText } from '../../shared/channels/link-proof.ts';
import { textOf } from '../../shared/text/message.ts';

export interface AppLink {
  /** The value of the answer. @throws where it is a refusal */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every form
  call(name: string, payload?: object): Promise<any>;
  /** Every frame received. */
  received(): string;
  close(): void;
}

/** The frames by which a window proves that it knows its session. */
export function handshakeOf(session: string, host: string) {
  const key = createHash('sha256').update(session).digest('hex');
  const sign = (text: string): string => createHmac('sha256', key).update(text).digest('hex');
  const nonce = randomBytes(32).toString('hex');
  return {
    hello: JSON.stringify({ session: sign(SESSION_ID_TEXT), nonce }),
    answer: (frame: string): string => {
      const { challenge } = JSON.parse(frame);
      return JSON.stringify({ proof: sign(windowProofText({ host, nonce, challenge })) });
    },
  };
}

/** @param address with its one-time token */
export async function openLink(address: string): Promise<AppLink> {
  const { origin, hash } = new URL(address);
  const token = hash.slice('#t='.length);
  const granted = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  const { session } = await granted.json();
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/link`);
  const waiting = new Map<number, (answer: Answer) => void>();
  let [all, last] = ['', 0];
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the link was closed')));
    const handshake = handshakeOf(session, new URL(origin).host);
    socket.on('open', () => socket.send(handshake.hello));
    socket.on('message', (data) => {
      const text = String(data);
      all += text;
      const frame = JSON.parse(text);
      if (frame.challenge !== undefined) socket.send(handshake.answer(text));
      if (frame.ready === true) resolve();
      waiting.get(frame.id)?.(AnswerSchema.parse(frame.answer));
    });
  });
  return {
    async call(name, payload = {}) {
      const id = ++last;
      const answer = await new Promise<Answer>((resolve) => {
        waiting.set(id, resolve);
        socket.send(JSON.stringify({ id, name, payload }));
      });
      if (answer.ok) return answer.value;
      throw new Error(`${name}: ${textOf(answer.error.message)}`);
    },
    received: () => all,
    close: () => socket.terminate(),
  };
}
