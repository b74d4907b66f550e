// Test harness: the minimum of RFC 5321 for one mail.
import { type AddressInfo, createServer, type Server } from 'node:net';

export interface MailServer {
  readonly port: number;
  /** What the client has said, line by line. */
  readonly lines: readonly string[];
  close(): void;
}

/** @param answers in place of "250 ok", by verb */
export async function startMailServer(answers: Readonly<Record<string, string>> = {}): Promise<MailServer> {
  const lines: string[] = [];
  const server = createServer((socket) => {
    let inData = false;
    let rest = '';
    socket.on('error', () => undefined);
    socket.write('220 test\r\n');
    socket.on('data', (chunk) => {
      rest += chunk;
      for (let end = rest.indexOf('\r\n'); end !== -1; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        lines.push(line);
        if (inData && line !== '.') continue;
        inData = line === 'DATA';
        const verb = line.split(' ')[0] ?? '';
        socket.write(`${answers[verb] ?? (inData ? '354 go on' : verb === 'QUIT' ? '221 bye' : '250 ok')}\r\n`);
      }
    });
  });
  return { port: await listening(server), lines, close: () => void server.close() };
}

/** @returns its port, on loopback */
export const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
