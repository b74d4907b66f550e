// Test: channels against their receivers: requests to an ntfy server, mail over SMTP.
import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createManualClock } from '../../../../test/harness/manual-clock.ts';
import type { ChannelMessage, FetchLike } from '../../ports.ts';
import { createNotificationChannels } from './channels.ts';

const ntfy = { kind: 'ntfy', url: 'https://ntfy.example:8443/desk' } as const;
const message: ChannelMessage = {
  id: 'barograph:evt_1',
  title: 'SPY is High Risk',
  body: 'From Elevated at 10:30. 3 × the base rate.',
  urgency: 'critical',
};

describe('ntfy', () => {
  const requests: { url: string; init: RequestInit }[] = [];
  const answering = (answer: () => Response | Promise<Response>): FetchLike => {
    return async (url, init = {}) => {
      requests.push({ url, init });
      return answer();
    };
  };
  afterEach(() => void requests.splice(0));

  test('title, text and priority as JSON to the root; the token in a header; no redirect is followed', async () => {
    const channels = createNotificationChannels(
      answering(() => Response.json({ id: 'x' })),
      createManualClock(),
    );
    expect(await channels.send(ntfy, message, 'tk_secret')).toBe('ntfy.example:8443 took it.');
    const [first] = requests;
    expect(first?.url).toBe('https://ntfy.example:8443/');
    expect(first?.init).toMatchObject({ method: 'POST', redirect: 'manual' });
    expect(new Headers(first?.init.headers).get('authorization')).toBe('Bearer tk_secret');
    const body = JSON.parse(String(first?.init.body));
    expect(body).toMatchObject({ topic: 'desk', title: message.title, message: message.body, priority: 5 });
    await channels.send(ntfy, message, null);
    expect(JSON.parse(String(requests[1]?.init.body)).sequence_id).toBe(body.sequence_id);
    expect(body.sequence_id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(new Headers(requests[1]?.init.headers).has('authorization')).toBe(false);
  });

  test('a refusal is shown with its remedy, without the secret', async () => {
    const channels = createNotificationChannels(
      answering(() => Response.json({ error: 'forbidden' }, { status: 403 })),
      createManualClock(),
    );
    const refused = channels.send(ntfy, message, 'tk_secret');
    await expect(refused).rejects.toThrow(
      'ntfy.example:8443 answered 403 ({"error":"forbidden"}). Set an access token for this outlet.',
    );
    await expect(refused).rejects.not.toThrow('tk_secret');
  });

  test('a redirect is a refusal', async () => {
    const channels = createNotificationChannels(
      answering(() => new Response(null, { status: 302, headers: { location: 'https://evil.example' } })),
      createManualClock(),
    );
    await expect(channels.send(ntfy, message, 'tk_secret')).rejects.toThrow('answered 302');
  });

  test('silence times out', async () => {
    const clock = createManualClock();
    const hang: FetchLike = (_, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
    const sent = createNotificationChannels(hang, clock).send(ntfy, message, null);
    const outcome = expect(sent).rejects.toThrow('ntfy.example:8443 did not answer within 10 s.');
    await clock.advance(10_000);
    await outcome;
  });
});

describe('mail', () => {
  let server: Server | null = null;
  afterEach(() => void server?.close());

  /** As little of RFC 5321 as one mail needs. */
  const serve = (lines: string[], answers: Readonly<Record<string, string>> = {}): Promise<number> => {
    server = createServer((socket) => {
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
    return new Promise((resolve) => {
      server?.listen(0, '127.0.0.1', () => {
        const address = server?.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  };
  const channel = (port: number) =>
    ({
      kind: 'mail',
      host: '127.0.0.1',
      port,
      secure: false,
      user: null,
      from: 'desk@example.com',
      to: 'me@example.com',
    }) as const;
  const channels = createNotificationChannels(() => Promise.reject(new Error('no web here')), createManualClock());

  test('is sent with subject and text, under the same message id at every attempt', async () => {
    const lines: string[] = [];
    const port = await serve(lines);
    expect(await channels.send(channel(port), message, null)).toBe('127.0.0.1 took it for me@example.com.');
    await channels.send(channel(port), message, null);
    expect(lines).toContain('RCPT TO:<me@example.com>');
    expect(lines).toContain('Subject: SPY is High Risk');
    const ids = lines.filter((line) => line.startsWith('Message-ID:'));
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  test('the server’s refusal is shown', async () => {
    const port = await serve([], { RCPT: '550 no such user' });
    await expect(channels.send(channel(port), message, null)).rejects.toThrow(
      /did not take the mail: .*550 no such user/,
    );
  });
});
