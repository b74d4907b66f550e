// Test: channels against their receivers: requests to an ntfy server, mail over SMTP.

import { createServer } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test } from 'vitest';
import { message, plainMessage, textOf } from '../../../../shared/text/message.ts';
import { listening, startMailServer } from '../../../../test/harness/mail-server.ts';
import { createManualClock, type ManualClock } from '../../../../test/harness/manual-clock.ts';
import type { FetchLike, NotificationOutcome, NotificationRequest } from '../../ports.ts';
import { type ChannelPorts, type Delivery, type Destination, pauseOf } from './channel.ts';
import { channelOf } from './channels.ts';

const ntfy = { kind: 'ntfy', url: 'https://ntfy.example:8443/desk', answers: null } as const;
const notification: NotificationRequest = {
  id: 'barograph:evt_1',
  title: 'SPY is High Risk',
  body: 'From Elevated at 10:30. 3 × the base rate.',
  urgency: 'critical',
  silent: false,
  symbol: 'SPY',
};
const noFetch: FetchLike = () => Promise.reject(new Error('no web here'));

const portsOf = ({
  fetch = noFetch,
  clock = createManualClock(),
  outcome = { tier: 'system', detail: plainMessage('taken') },
}: Receivers): ChannelPorts => ({
  fetch,
  clock,
  notifier: { show: async () => outcome, status: () => ({ tier: outcome.tier, detail: plainMessage('') }) },
});
const send = (destination: Destination, secret: string | null, receivers: Receivers = {}): Promise<Delivery> =>
  channelOf(destination).send(destination, notification, secret, portsOf(receivers));
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
      'ntfy.example:8443 answered 403 ({"error":"forbidden"}). Set the secret of this channel in Settings, Channels.',
    );
    await expect(refused).rejects.not.toThrow('tk_secret');
    const byOther = message('delivery.refused', { host: 'chat.example', status: 403, said: '' });
    expect(textOf(byOther)).toBe('chat.example answered 403.');
  });

  test('a redirect is a refusal', async () => {
    const fetch = answering(() => new Response(null, { status: 302, headers: { location: 'https://evil.example' } }));
    await expect(send(ntfy, 'tk_secret', { fetch })).rejects.toThrow('answered 302');
  });

  test('what the network refuses is said with the host, not in the words of its library', async () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:8443'), { code: 'ECONNREFUSED' });
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
    await expect(send(ntfy, null, { fetch })).rejects.toThrow(
      /^ntfy\.example:8443 does not answer: nothing listens there\.$/,
    );
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

/** What each receiver gets, as its documentation of 2026-11 says. */
interface Receiver {
  readonly destination: Destination;
  readonly secret: string;
  readonly url: string;
  readonly body: object;
}
const RECEIVERS: readonly Receiver[] = [
  {
    destination: { kind: 'telegram', chat: '-100123', server: 'https://api.telegram.org', answers: true },
    secret: `123456:${'A'.repeat(35)}`,
    url: `https://api.telegram.org/bot123456:${'A'.repeat(35)}/sendMessage`,
    body: {
      chat_id: '-100123',
      text: '<b>SPY is High Risk</b>\nFrom Elevated at 10:30. 3 × the base rate.',
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
      disable_notification: false,
    },
  },
  {
    destination: { kind: 'slack' },
    secret: 'https://hooks.slack.com/services/T1/B1/x1',
    url: 'https://hooks.slack.com/services/T1/B1/x1',
    body: { text: '*SPY is High Risk*\nFrom Elevated at 10:30. 3 × the base rate.' },
  },
  {
    destination: { kind: 'discord' },
    secret: `https://discord.com/api/webhooks/1/${'a'.repeat(68)}`,
    url: `https://discord.com/api/webhooks/1/${'a'.repeat(68)}?wait=true`,
    body: {
      username: 'Barograph',
      embeds: [{ title: notification.title, description: notification.body, color: 0xd1495b }],
      allowed_mentions: { parse: [] },
    },
  },
  {
    destination: { kind: 'teams' },
    secret: 'https://prod-1.westeurope.logic.azure.com/workflows/1/triggers/manual/paths/invoke?sig=x',
    url: 'https://prod-1.westeurope.logic.azure.com/workflows/1/triggers/manual/paths/invoke?sig=x',
    body: { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive' }] },
  },
  {
    destination: { kind: 'pagerduty', server: 'https://events.pagerduty.com' },
    secret: 'k'.repeat(32),
    url: 'https://events.pagerduty.com/v2/enqueue',
    body: {
      routing_key: 'k'.repeat(32),
      event_action: 'trigger',
      dedup_key: expect.stringMatching(/^[0-9a-f]{32}$/),
      payload: { summary: notification.title, source: 'Barograph', severity: 'critical', component: 'SPY' },
    },
  },
  {
    destination: { kind: 'pushover', user: 'u'.repeat(30), server: 'https://api.pushover.net' },
    secret: 't'.repeat(30),
    url: 'https://api.pushover.net/1/messages.json',
    body: { token: 't'.repeat(30), user: 'u'.repeat(30), title: notification.title, priority: 1 },
  },
];

describe.each(RECEIVERS)('$destination.kind', ({ destination, secret, url, body }) => {
  test('a receiver gets title and text as its documentation says, and a secret that it echoes is hidden', async () => {
    let request: { url: string; body: unknown } | null = null;
    const fetch: FetchLike = async (address, init = {}) => {
      request = { url: address, body: JSON.parse(String(init.body)) };
      return Response.json({ ok: true });
    };
    const host = new URL(url).host;
    expect(await send(destination, secret, { fetch })).toEqual({
      outcome: 'sent',
      detail: message('delivery.taken', { host }),
    });
    expect(request).toMatchObject({ url, body });
    const echo: FetchLike = async () => new Response(`no: ${secret}`, { status: 400 });
    const refusal = String(await send(destination, secret, { fetch: echo }).catch(String));
    expect(refusal).toContain(`${host} answered 400`);
    expect(refusal).not.toContain(secret);
  });

  test('a channel without its secret sends nothing, and the refusal says where to set it', async () => {
    await expect(send(destination, null)).rejects.toThrow('This channel has no secret. Set it in Settings, Channels.');
  });
});

test('PagerDuty is told of an acknowledgement and of the end, under the key of the alert', async () => {
  const bodies: { readonly event_action: string; readonly dedup_key: string }[] = [];
  const fetch: FetchLike = async (_url, init = {}) => {
    bodies.push(JSON.parse(String(init.body)));
    return Response.json({ status: 'success' }, { status: 202 });
  };
  const pagerduty = { kind: 'pagerduty', server: 'https://events.pagerduty.com' } as const;
  await send(pagerduty, 'k'.repeat(32), { fetch });
  for (const settlement of ['acknowledged', 'over'] as const)
    await channelOf(pagerduty).settle?.(
      pagerduty,
      { id: notification.id, settlement, text: '', title: '', receipt: null },
      'k'.repeat(32),
      portsOf({ fetch }),
    );
  expect(bodies.map(({ event_action }) => event_action)).toEqual(['trigger', 'acknowledge', 'resolve']);
  expect(new Set(bodies.map(({ dedup_key }) => dedup_key)).size).toBe(1);
});

test.each([
  ['a header', new Response('slow', { status: 429, headers: { 'retry-after': '30' } }), 30_000],
  ['the body of Telegram', Response.json({ ok: false, parameters: { retry_after: 7 } }, { status: 429 }), 7_000],
  ['a header that asks for a day', new Response('', { status: 503, headers: { 'retry-after': '86400' } }), 600_000],
  ['no receiver', new Response('', { status: 500 }), 0],
])('a pause is kept that %s asks for', async (_, answer, pause) => {
  const refusal: unknown = await send({ kind: 'slack' }, 'https://hooks.slack.com/services/T/B/x', {
    fetch: async () => answer.clone(),
  }).catch((error: unknown) => error);
  expect(pauseOf(refusal)).toBe(pause);
});

test('texts from outside are shortened and escaped, so that they neither break a message nor notify anybody', async () => {
  const bodies: Record<string, string> = {};
  for (const { destination, secret } of RECEIVERS) {
    const fetch: FetchLike = async (_url, init = {}) => {
      bodies[destination.kind] = String(init.body);
      return Response.json({ ok: true });
    };
    const hostile = {
      ...notification,
      title: `<b>&[x](https://evil.example) @everyone ${'t'.repeat(2000)}`,
      body: '<i>'.repeat(20_000),
    };
    await channelOf(destination).send(destination, hostile, secret, portsOf({ fetch }));
  }
  const text = (kind: string): string => JSON.parse(bodies[kind] ?? '').text;
  expect(text('telegram')).toMatch(/^<b>&lt;b&gt;&amp;\[x\]/);
  expect(text('slack')).toMatch(/^\*&lt;b&gt;&amp;/);
  expect(bodies.teams).toContain(String.raw`\\[x\\](https`);
  // Telegram counts the text without its tags and entities.
  expect(
    text('telegram')
      .replaceAll(/<\/?b>/g, '')
      .replaceAll(/&\w+;/g, 'x').length,
  ).toBeLessThanOrEqual(4096);
  expect(Buffer.byteLength(bodies.teams ?? '')).toBeLessThan(28_000);
  expect(JSON.parse(bodies.discord ?? '').embeds[0].description.length).toBeLessThanOrEqual(4096);
  expect(JSON.parse(bodies.pushover ?? '').message.length).toBeLessThanOrEqual(1024);
});

describe('webhook', () => {
  const url = 'https://hooks.example/x?y=1';
  const secret = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`;
  const sent: { headers: Headers; body: string }[] = [];
  const fetch: FetchLike = async (_url, init = {}) => {
    sent.push({ headers: new Headers(init.headers), body: String(init.body) });
    return new Response(null, { status: 204 });
  };
  afterEach(() => void sent.splice(0));

  test('a webhook is signed so that the library of its receiver accepts it, and is unsigned without a secret', async () => {
    await send({ kind: 'webhook', url, template: null }, secret, { fetch });
    await send({ kind: 'webhook', url, template: null }, null, { fetch });
    const [signed, unsigned] = sent;
    const headers = Object.fromEntries(signed?.headers ?? []);
    // The clock of the test is not that of the library, which refuses old messages.
    const verified = new Webhook(secret).sign(
      headers['webhook-id'] ?? '',
      new Date(Number(headers['webhook-timestamp']) * 1000),
      signed?.body ?? '',
    );
    expect(headers['webhook-signature']).toBe(verified);
    expect(JSON.parse(signed?.body ?? '')).toMatchObject({
      type: 'notification',
      data: { title: notification.title, body: notification.body, urgency: 'critical', symbol: 'SPY', revision: 1 },
    });
    expect(unsigned?.headers.has('webhook-signature')).toBe(false);
  });

  test('a webhook sends its own template: JSON is escaped as JSON, other text is sent as text', async () => {
    await send({ kind: 'webhook', url, template: '{"text": "{{title}} \\"{{body}}\\""}' }, null, { fetch });
    await send({ kind: 'webhook', url, template: 'about {{symbol}}: {{title}}' }, null, { fetch });
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({ text: `${notification.title} "${notification.body}"` });
    expect([sent[1]?.body, sent[1]?.headers.get('content-type')]).toEqual([
      'about SPY: SPY is High Risk',
      'text/plain; charset=utf-8',
    ]);
  });
});

describe('mail', () => {
  const opened: { close(): unknown }[] = [];
  afterEach(() => {
    for (const server of opened.splice(0)) server.close();
  });
  const serve = async (answers?: Readonly<Record<string, string>>) => {
    const server = await startMailServer(answers);
    opened.push(server);
    return server;
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

  test('a mail is sent with subject and text, under the same message id at every attempt', async () => {
    const { lines, port } = await serve();
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
    const server = createServer((socket) => {
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
    opened.push(server);
    const port = await listening(server);
    await expect(send(channel(port), null)).rejects.toThrow(/refused the mail/);
    await expect.poll(() => isClosed).toBe(true);
    expect(sent).toBeLessThan(1_000_000);
  });

  test('a server that is slow without end has ten seconds, and an echoed password is hidden before it is shortened', async () => {
    const clock = createManualClock();
    let isConnected = false;
    let isClosed = false;
    const server = createServer((socket) => {
      isConnected = true;
      socket.on('error', () => undefined);
      socket.on('close', () => {
        isClosed = true;
      });
    });
    opened.push(server);
    const sending = send(channel(await listening(server)), null, { clock });
    const refusal = expect(sending).rejects.toThrow(/10 s/);
    await expect.poll(() => isConnected).toBe(true);
    await clock.advance(10_000);
    await refusal;
    await expect.poll(() => isClosed).toBe(true);
    const password = 'correct-horse-battery-staple';
    const { port } = await serve({ RCPT: `550 ${'no '.repeat(58)}${password}` });
    const said = await send(channel(port), password).catch((error: unknown) => String(error));
    expect(said).toContain('no no');
    expect(said).not.toContain('correct');
  });

  test('the server’s refusal is shown', async () => {
    const { port } = await serve({ RCPT: '550 no such user' });
    await expect(send(channel(port), null)).rejects.toThrow(/refused the mail: .*550 no such user/);
  });
});
