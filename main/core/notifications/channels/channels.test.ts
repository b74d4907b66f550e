// Test: channels against their receivers: requests to an ntfy server, mail over SMTP.

import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { message, plainMessage, textOf } from '../../../../shared/text/message.ts';
import { createManualClock, type ManualClock } from '../../../../test/harness/manual-clock.ts';
import type { FetchLike, NotificationOutcome, NotificationRequest } from '../../ports.ts';
import type { Delivery, Destination } from './channel.ts';
import { channelOf } from './channels.ts';

const ntfy = { kind: 'ntfy', url: 'https://ntfy.example:8443/desk' } as const;
const notification: NotificationRequest = {
  id: 'barograph:evt_1',
  title: 'SPY is High Risk',
  body: 'From Elevated at 10:30. 3 × the base rate.',
  urgency: 'critical',
  silent: false,
  symbol: 'SPY',
};
const noFetch: FetchLike = () => Promise.reject(new Error('no web here'));

function send(
  destination: Destination,
  secret: string | null,
  {
    fetch = noFetch,
    clock = createManualClock(),
    outcome = { tier: 'system', detail: plainMessage('taken') },
  }: Receivers = {},
): Promise<Delivery> {
  const notifier = { show: async () => outcome, status: () => ({ tier: outcome.tier, detail: plainMessage('') }) };
  return channelOf(destination).send(destination, notification, secret, { fetch, clock, notifier });
}
interface Receivers {
  readonly fetch?: FetchLike;
  readonly clock?: ManualClock;
  readonly outcome?: NotificationOutcome;
}

test('the desktop shows it, or is away; it needs no secret and is retried without end', async () => {
  const desktop = { kind: 'desktop' } as const;
  expect(await send(desktop, null)).toEqual({ outcome: 'shown', detail: plainMessage('taken') });
  const outcome = { tier: 'in_app', detail: plainMessage('no bus') } as const;
  expect(await send(desktop, null, { outcome })).toEqual({ outcome: 'away', detail: plainMessage('no bus') });
  expect(channelOf(desktop).secretOwner(desktop)).toBeNull();
  expect([channelOf(desktop).retriedFor, channelOf(ntfy).retriedFor]).toEqual([Number.POSITIVE_INFINITY, 86_400_000]);
});

describe('ntfy', () => {
  const requests: { url: string; init: RequestInit }[] = [];
  const answering = (answer: () => Response | Promise<Response>): FetchLike => {
    return async (url, init = {}) => {
      requests.push({ url, init });
      return answer();
    };
  };
  afterEach(() => void requests.splice(0));

  test('a refusal is read up to 4 KB, and an echoed token is hidden before it is shortened', async () => {
    const secret = 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2';
    const echo = `Not allowed: ${'x'.repeat(160)} ${secret} ${Buffer.from(`user:${secret}`).toString('base64')}`;
    const refusal = await send(ntfy, secret, { fetch: answering(() => new Response(echo, { status: 403 })) }).catch(
      String,
    );
    expect(String(refusal)).not.toContain(secret.slice(0, 8));
    let chunks = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        chunks += 1;
        controller.enqueue(new TextEncoder().encode('y'.repeat(1024)));
      },
    });
    await send(ntfy, secret, { fetch: answering(() => new Response(endless, { status: 500 })) }).catch(String);
    expect(chunks).toBeLessThan(8);
  });

  test('title, text and priority as JSON to the root; the token in a header; no redirect is followed', async () => {
    const fetch = answering(() => Response.json({ id: 'x' }));
    const delivery = { outcome: 'sent', detail: message('delivery.taken', { host: 'ntfy.example:8443' }) };
    expect(await send(ntfy, 'tk_secret', { fetch })).toEqual(delivery);
    const [first] = requests;
    expect(first?.url).toBe('https://ntfy.example:8443/');
    expect(first?.init).toMatchObject({ method: 'POST', redirect: 'manual' });
    expect(new Headers(first?.init.headers).get('authorization')).toBe('Bearer tk_secret');
    const body = JSON.parse(String(first?.init.body));
    expect(body).toMatchObject({ topic: 'desk', title: notification.title, message: notification.body, priority: 5 });
    await send(ntfy, null, { fetch });
    expect(JSON.parse(String(requests[1]?.init.body)).sequence_id).toBe(body.sequence_id);
    expect(body.sequence_id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(new Headers(requests[1]?.init.headers).has('authorization')).toBe(false);
  });

  test('a refusal is shown with its remedy, without the secret', async () => {
    const fetch = answering(() => Response.json({ error: 'forbidden' }, { status: 403 }));
    const refused = send(ntfy, 'tk_secret', { fetch });
    await expect(refused).rejects.toThrow(
      'ntfy.example:8443 answered 403 ({"error":"forbidden"}). Set an access token for this channel.',
    );
    await expect(refused).rejects.not.toThrow('tk_secret');
    const byOther = message('delivery.refused', { host: 'chat.example', status: 403, said: '' });
    expect(textOf(byOther)).toBe('chat.example answered 403.');
  });

  test('a redirect is a refusal', async () => {
    const fetch = answering(() => new Response(null, { status: 302, headers: { location: 'https://evil.example' } }));
    await expect(send(ntfy, 'tk_secret', { fetch })).rejects.toThrow('answered 302');
  });

  test('silence times out', async () => {
    const clock = createManualClock();
    const hang: FetchLike = (_, init) =>
      new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
    const sent = send(ntfy, null, { fetch: hang, clock });
    const outcome = expect(sent).rejects.toThrow('ntfy.example:8443 did not answer within 10 s.');
    await clock.advance(10_000);
    await outcome;
  });
});

describe('mail', () => {
  let server: Server | null = null;
  afterEach(() => void server?.close());

  /** The minimum of RFC 5321 for one mail. */
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
    return listen(server);
  };
  const listen = (on: Server): Promise<number> =>
    new Promise((resolve) => on.listen(0, '127.0.0.1', () => resolve((on.address() as AddressInfo).port)));
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

  test('is sent with subject and text, under the same message id at every attempt', async () => {
    const lines: string[] = [];
    const port = await serve(lines);
    expect(await send(channel(port), null)).toEqual({
      outcome: 'sent',
      detail: message('delivery.mail_taken', { host: '127.0.0.1', to: 'me@example.com' }),
    });
    await send(channel(port), null);
    expect(lines).toContain('RCPT TO:<me@example.com>');
    expect(lines).toContain('Subject: SPY is High Risk');
    const ids = lines.filter((line) => line.startsWith('Message-ID:'));
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  test.each([
    ['one line without end', () => 'x'.repeat(2_000)],
    ['a reply of lines without end', () => `250-${'x'.repeat(200)}\r\n`],
  ])('%s: the answer is read up to 4 KB, and the connection is closed', async (_, more) => {
    let sent = 0;
    let isClosed = false;
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        isClosed = true;
      });
      const write = (): void => {
        if (isClosed || sent > 1_000_000) return;
        sent += more().length;
        socket.write(more(), () => setImmediate(write));
      };
      write();
    });
    const port = await listen(server);
    await expect(send(channel(port), null)).rejects.toThrow(/refused the mail/);
    await expect.poll(() => isClosed).toBe(true);
    expect(sent).toBeLessThan(1_000_000);
  });

  test('a server that is slow without end has ten seconds, and an echoed password is hidden before it is shortened', async () => {
    const clock = createManualClock();
    let isConnected = false;
    let isClosed = false;
    server = createServer((socket) => {
      isConnected = true;
      socket.on('error', () => undefined);
      socket.on('close', () => {
        isClosed = true;
      });
    });
    const sending = send(channel(await listen(server)), null, { clock });
    const refusal = expect(sending).rejects.toThrow(/10 s/);
    await expect.poll(() => isConnected).toBe(true);
    await clock.advance(10_000);
    await refusal;
    await expect.poll(() => isClosed).toBe(true);
    const password = 'correct-horse-battery-staple';
    server?.close();
    const port = await serve([], { RCPT: `550 ${'no '.repeat(58)}${password}` });
    const said = await send(channel(port), password).catch((error: unknown) => String(error));
    expect(said).toContain('no no');
    expect(said).not.toContain('correct');
  });

  test('the server’s refusal is shown', async () => {
    const port = await serve([], { RCPT: '550 no such user' });
    await expect(send(channel(port), null)).rejects.toThrow(/refused the mail: .*550 no such user/);
  });
});
