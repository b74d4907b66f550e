// Test: pictures as Discord, Slack, ntfy and mail get them. The fakes check what they get against the documentation:
// https://discord.com/developers/docs/resources/webhook#edit-webhook-message,
// https://docs.slack.dev/reference/methods/files.getUploadURLExternal,
// https://docs.ntfy.sh/publish/#attach-local-file, read 2026-11-30. None was tried against the vendor.
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startMailServer } from '../../../../test/harness/mail-server.ts';
import { createManualClock } from '../../../../test/harness/manual-clock.ts';
import type { FetchLike } from '../../ports.ts';
import { type ChannelPorts, type ChannelRequest, type DestinationOf, sequenceOf } from './channel.ts';
import { discord } from './discord.ts';
import { mail } from './mail.ts';
import { ntfy } from './ntfy.ts';
import { slack } from './slack.ts';

const PNG = Buffer.from('89504e470d0a1a0a00', 'hex');
const picture = { png: PNG, fileName: 'BRK_B.png' };
const notification: ChannelRequest = {
  id: 'barograph:evt_1',
  title: 'BRK.B is High Risk',
  body: 'From Elevated at 10:30. 3 × the base rate.\nSecond line.',
  urgency: 'critical',
  silent: false,
  symbol: 'BRK.B',
  answerToken: 'x'.repeat(22),
};
const portsOf = (fetch: FetchLike): ChannelPorts => ({
  fetch,
  clock: createManualClock(),
  notifier: { show: () => Promise.reject(new Error('no desktop')), status: () => ({ tier: 'in_app' }) as never },
});

describe('Discord', () => {
  const WEBHOOK = `https://discord.com/api/webhooks/1/${'a'.repeat(68)}`;
  const EmbedSchema = z.strictObject({
    title: z.string().max(256),
    description: z.string().max(4096),
    color: z.int(),
    image: z.strictObject({ url: z.templateLiteral(['attachment://', z.string()]) }).optional(),
  });
  const mentions = z.strictObject({ parse: z.array(z.never()) });
  const ExecuteSchema = z.strictObject({
    username: z.string().max(80),
    embeds: z.array(EmbedSchema).max(10),
    allowed_mentions: mentions,
  });
  const EditSchema = z.strictObject({
    embeds: z.array(EmbedSchema).max(10),
    attachments: z.array(z.strictObject({ id: z.int(), filename: z.string() })),
    allowed_mentions: mentions,
  });
  /** Messages by id, with the bytes of their file. */
  const messages = new Map<string, { embed: z.infer<typeof EmbedSchema>; file: Buffer | null }>();
  afterEach(() => messages.clear());
  const fake: FetchLike = async (url, init = {}) => {
    if (init.method === 'POST' && url === `${WEBHOOK}?wait=true`) {
      const [embed] = ExecuteSchema.parse(JSON.parse(String(init.body))).embeds;
      if (embed === undefined) return Response.json({ message: 'Cannot send an empty message' }, { status: 400 });
      messages.set('90000000000000001', { embed, file: null });
      // The answer names other ids before its own, and repeats the text.
      return Response.json({ author: { id: '5' }, embeds: [embed], id: '90000000000000001', channel_id: '7' });
    }
    const [, id = ''] = new RegExp(`^${WEBHOOK}/messages/(\\d+)$`).exec(url) ?? [];
    if (init.method !== 'PATCH' || !messages.has(id))
      return Response.json({ message: 'Unknown Message' }, { status: 404 });
    const form = await new Response(init.body ?? null, { headers: init.headers ?? {} }).formData();
    const edit = EditSchema.parse(JSON.parse(String(form.get('payload_json'))));
    const file = form.get('files[0]');
    const [embed] = edit.embeds;
    if (!(file instanceof File) || embed === undefined)
      return Response.json({ message: 'Invalid form' }, { status: 400 });
    // An image of an embed is one of the attachments of this edit, and the file has its name.
    expect([embed.image?.url, edit.attachments]).toEqual([
      `attachment://${file.name}`,
      [{ id: 0, filename: file.name }],
    ]);
    messages.set(id, { embed, file: Buffer.from(await file.arrayBuffer()) });
    return Response.json({ id });
  };

  test('a picture joins the message that was sent, whose text stays', async () => {
    const long = { ...notification, body: 'y'.repeat(4096) };
    const sent = await discord.send({ kind: 'discord' }, long, WEBHOOK, portsOf(fake));
    expect(sent.receipt).toBe('90000000000000001');
    const added = { notification: long, picture, receipt: sent.receipt ?? null };
    await discord.addPicture?.({ kind: 'discord' }, added, WEBHOOK, portsOf(fake));
    const [message] = messages.values();
    expect([message?.embed.title, message?.embed.description, message?.file?.equals(PNG)]).toEqual([
      notification.title,
      long.body,
      true,
    ]);
  });

  test('a message whose name is not known gets none', async () => {
    const added = { notification, picture, receipt: null };
    await expect(discord.addPicture?.({ kind: 'discord' }, added, WEBHOOK, portsOf(fake))).rejects.toThrow(
      'did not name',
    );
  });
});

describe('Slack', () => {
  const TOKEN = `xoxb-1-${'a'.repeat(24)}`;
  const CHANNEL = 'C0123456789';
  const bot = { kind: 'slack', channel: CHANNEL } as const;
  const METHODS: Readonly<Record<string, z.ZodType<Record<string, string>>>> = {
    'chat.postMessage': z.strictObject({ channel: z.literal(CHANNEL), text: z.string().max(40_000) }),
    'files.getUploadURLExternal': z.strictObject({
      filename: z.string().min(1),
      length: z.literal(String(PNG.length)),
    }),
    'files.completeUploadExternal': z.strictObject({
      files: z.literal(JSON.stringify([{ id: 'F1', title: 'BRK_B.png' }])),
      channel_id: z.literal(CHANNEL),
      thread_ts: z.literal('1700000000.000100'),
    }),
  };
  const UPLOAD = 'https://files.slack.com/upload/v1/ABC';
  const done: string[] = [];
  let isUploaded = false;
  afterEach(() => {
    done.splice(0);
    isUploaded = false;
  });
  /** @param upload where it tells a bot to send a file */
  const fake =
    (upload = UPLOAD): FetchLike =>
    async (url, init = {}) => {
      const headers = new Headers(init.headers);
      if (url === UPLOAD) {
        // The address is the permission: no token is sent there.
        isUploaded = !headers.has('authorization') && Buffer.from(init.body as Uint8Array).equals(PNG);
        return new Response('OK');
      }
      const [, method = ''] = /^https:\/\/slack\.com\/api\/([\w.]+)$/.exec(url) ?? [];
      if (headers.get('authorization') !== `Bearer ${TOKEN}`)
        return Response.json({ ok: false, error: 'invalid_auth' });
      const read = METHODS[method]?.safeParse(Object.fromEntries(new URLSearchParams(String(init.body))));
      if (read?.success !== true) return Response.json({ ok: false, error: 'invalid_arguments' });
      if (method === 'files.completeUploadExternal' && !isUploaded)
        return Response.json({ ok: false, error: 'file_not_found' });
      done.push(method);
      return Response.json({ ok: true, ts: '1700000000.000100', upload_url: upload, file_id: 'F1' });
    };

  test('a bot posts the text, and its picture is the first reply in the thread', async () => {
    const sent = await slack.send(bot, notification, TOKEN, portsOf(fake()));
    const added = { notification, picture, receipt: sent.receipt ?? null };
    await slack.addPicture?.(bot, added, TOKEN, portsOf(fake()));
    expect(done).toEqual(['chat.postMessage', 'files.getUploadURLExternal', 'files.completeUploadExternal']);
  });

  test('a refusal is in an answer 200, and no picture is sent to another host', async () => {
    await expect(slack.send(bot, notification, `xoxb-${'b'.repeat(30)}`, portsOf(fake()))).rejects.toThrow(
      'invalid_auth',
    );
    const added = { notification, picture, receipt: '1700000000.000100' };
    const elsewhere = slack.addPicture?.(bot, added, TOKEN, portsOf(fake('https://evil.example/upload')));
    await expect(elsewhere).rejects.toThrow('slack.com answered 200');
    expect(isUploaded).toBe(false);
  });

  test('a webhook takes no picture; a token without a channel and a webhook with one are refused', async () => {
    expect([slack.takesPicture?.({ kind: 'slack' }), slack.takesPicture?.(bot)]).toEqual([false, true]);
    const webhook = 'https://hooks.slack.com/services/T1/B1/x1';
    for (const [destination, secret] of [[{ kind: 'slack' }, TOKEN] as const, [bot, webhook] as const])
      await expect(slack.send(destination, notification, secret, portsOf(fake()))).rejects.toThrow(
        'needs the id of a channel',
      );
  });
});

describe('ntfy', () => {
  const topic: DestinationOf<'ntfy'> = {
    kind: 'ntfy',
    url: 'https://ntfy.example/desk',
    answers: 'https://ntfy.example/a',
  };
  /** RFC 2047, as the server reads every header. */
  const decoded = (text: string | null): string => {
    const [, base64 = ''] = /^=\?utf-8\?B\?([A-Za-z0-9+/=]+)\?=$/.exec(text ?? '') ?? [];
    return Buffer.from(base64, 'base64').toString();
  };

  test('a picture is an attachment under the sequence of its alert, with its title, text, priority and buttons', async () => {
    const got: { readonly url: string; readonly init: RequestInit }[] = [];
    const fetch: FetchLike = async (url, init = {}) => {
      got.push({ url, init });
      return Response.json({ id: 'x' });
    };
    await ntfy.addPicture?.(topic, { notification, picture, receipt: null }, 'tk_1', portsOf(fetch));
    const [{ url, init } = { url: '', init: {} as RequestInit }] = got;
    const headers = new Headers(init.headers);
    expect([url, init.method, Buffer.from(init.body as Uint8Array).equals(PNG)]).toEqual([topic.url, 'PUT', true]);
    expect(['x-filename', 'x-priority', 'x-sequence-id', 'authorization'].map((name) => headers.get(name))).toEqual([
      'BRK_B.png',
      '5',
      sequenceOf(notification.id),
      'Bearer tk_1',
    ]);
    expect([decoded(headers.get('x-title')), decoded(headers.get('x-message'))]).toEqual([
      notification.title,
      notification.body,
    ]);
    expect(JSON.parse(decoded(headers.get('x-actions')))).toMatchObject([
      { action: 'http', url: topic.answers, method: 'POST', clear: true },
      { action: 'http' },
      { action: 'http' },
    ]);
  });

  test('a server that takes no attachments refuses it, and its reason is shown', async () => {
    const refusal = { code: 40014, http: 400, error: 'invalid request: attachments not allowed' };
    const fetch: FetchLike = async () => Response.json(refusal, { status: 400 });
    const added = { notification, picture, receipt: null };
    await expect(ntfy.addPicture?.(topic, added, null, portsOf(fetch))).rejects.toThrow('attachments not allowed');
  });
});

test('a mail has its picture inline, beside the text', async () => {
  const server = await startMailServer();
  const address = {
    host: '127.0.0.1',
    port: server.port,
    secure: false,
    user: null,
    from: 'desk@example.com',
    to: 'me@example.com',
  };
  await mail.send(
    { kind: 'mail', ...address },
    { ...notification, picture },
    null,
    portsOf(() => Promise.reject(new Error())),
  );
  server.close();
  const sent = server.lines.join('\n');
  expect(sent).toContain('Content-Type: multipart/mixed');
  expect(sent).toMatch(/Content-Type: image\/png; name=BRK_B\.png/);
  expect(sent).toMatch(/Content-Disposition: inline; filename=BRK_B\.png/);
  expect(sent).toContain(PNG.toString('base64'));
  expect(sent).toContain('From Elevated at 10:30.');
});
