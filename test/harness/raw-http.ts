// Test harness: raw HTTP: sends any bytes, and parses the answer strictly.
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Limit for a connection whose client has finished sending. */
const TIMEOUT_MS = 30_000;

/** Sends the bytes, half-closes, and reads until the other side closes or `enough` is true. */
export function sendRaw(port: number, bytes: Buffer, enough: (text: string) => boolean = () => false): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    const late = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the connection stays open after ${JSON.stringify(bytes.toString('latin1').slice(0, 300))}`));
    }, TIMEOUT_MS);
    socket.on('connect', () => socket.end(bytes));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (enough(text)) socket.destroy();
    });
    // A server may close before it has read everything: its answer still counts.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(late);
      resolve(text);
    });
  });
}

/**
 * The answers in the text, without interim ones.
 * @throws Error for an incomplete HTTP answer
 */
export function readAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    const [line = '', ...fields] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
    if (end === -1 || !Number.isInteger(status))
      throw new Error(`this is no HTTP answer: ${JSON.stringify(rest.slice(0, 300))}`);
    const headers = Object.fromEntries(
      fields.map((field) => [
        field.slice(0, field.indexOf(':')).toLowerCase(),
        field.slice(field.indexOf(':') + 1).trim(),
      ]),
    );
    const length =
      status < 200 || status === 204 || status === 304 ? 0 : Number(headers['content-length'] ?? rest.length);
    const body = Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString('utf8');
    rest = rest.slice(end + 4 + length);
    if (status >= 200) answers.push({ status, headers, body });
  }
  return answers;
}
