// Test harness: Telegram's Bot API, as far as a channel needs it. It refuses what the real one refuses.
// https://core.telegram.org/bots/api, read 2026-11-30.
import { z } from 'zod';
import type { FetchLike } from '../../main/core/ports.ts';
import type { ManualClock } from './manual-clock.ts';

export const BOT_TOKEN = `123456:${'A'.repeat(35)}`;
export const TELEGRAM = 'https://telegram.example';

const ButtonSchema = z.strictObject({ text: z.string().min(1).max(64), callback_data: z.string().min(1).max(64) });
const MarkupSchema = z.strictObject({ inline_keyboard: z.array(z.array(ButtonSchema)) });
const withoutTags = (html: string): string => html.replaceAll(/<[^>]*>/g, '').replaceAll(/&\w+;/g, ' ');
/** A member of a form that holds JSON. */
const jsonOf = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema);
const METHODS = {
  sendMessage: z.strictObject({
    chat_id: z.string(),
    text: z.string().min(1),
    parse_mode: z.literal('HTML'),
    link_preview_options: z.strictObject({ is_disabled: z.boolean() }),
    disable_notification: z.boolean(),
    reply_markup: MarkupSchema.optional(),
  }),
  editMessageReplyMarkup: z.strictObject({ chat_id: z.string(), message_id: z.int(), reply_markup: MarkupSchema }),
  // Of a form: every member is text. A caption has 1,024 characters after its tags were read, a photo 10 MB.
  editMessageMedia: z.strictObject({
    chat_id: z.string(),
    message_id: z.string().transform(Number),
    media: jsonOf(
      z.strictObject({
        type: z.literal('photo'),
        media: z.templateLiteral(['attach://', z.string()]),
        caption: z.string().refine((text) => withoutTags(text).length <= 1024, 'caption is too long'),
        parse_mode: z.literal('HTML'),
      }),
    ),
    reply_markup: jsonOf(MarkupSchema).optional(),
    picture: z.instanceof(File).refine(({ size, type }) => size <= 10_000_000 && type === 'image/png'),
  }),
  deleteMessage: z.strictObject({ chat_id: z.string(), message_id: z.int() }),
  answerCallbackQuery: z.strictObject({
    callback_query_id: z.string(),
    text: z.string().max(200),
    show_alert: z.boolean(),
  }),
  getUpdates: z.strictObject({
    offset: z.int(),
    timeout: z.int().max(50),
    allowed_updates: z.array(z.literal('callback_query')),
  }),
};

interface ChatMessage {
  readonly chat: string;
  text: string;
  hasPicture: boolean;
  buttons: z.infer<typeof MarkupSchema>['inline_keyboard'];
}

export interface FakeTelegram {
  readonly fetch: FetchLike;
  /** By the number of the message; deleted ones are gone. */
  readonly messages: Map<number, ChatMessage>;
  /** What was said to who pressed a button. */
  readonly said: string[];
  /** Somebody presses the button of that label under the newest message. */
  press(label: string, from?: { readonly username: string; readonly chat?: number }): void;
  /** A press with this data, as a forger would send it. */
  forge(data: string, chat?: number): void;
  /** Updates that were never confirmed: the program ended before it asked again. */
  unconfirmed(): number;
  isAway: boolean;
  /** How long a change of a message takes, ms. */
  editTime: number;
}

export const CHAT = 4711;

/** @param otherwise answers requests to other servers */
export function createFakeTelegram(clock: ManualClock, otherwise: FetchLike): FakeTelegram {
  const messages = new Map<number, ChatMessage>();
  const said: string[] = [];
  const updates: { update_id: number; callback_query: object }[] = [];
  let [lastMessage, lastUpdate] = [0, 0];
  let wake: () => void = () => undefined;
  const ok = (result: unknown): Response => Response.json({ ok: true, result });
  const refuse = (status: number, description: string): Response =>
    Response.json({ ok: false, error_code: status, description }, { status });

  const update = (data: string, chat: number, username: string): void => {
    lastUpdate += 1;
    const from = { id: 7, is_bot: false, first_name: 'Ann', username };
    const message = { message_id: lastMessage, date: 0, chat: { id: chat, type: 'private' } };
    updates.push({
      update_id: lastUpdate,
      callback_query: { id: String(lastUpdate), from, message, chat_instance: '1', data },
    });
    wake();
  };
  const answers: { readonly [Method in keyof typeof METHODS]: (input: never) => Response | Promise<Response> } = {
    sendMessage({ chat_id, text, reply_markup }: z.infer<typeof METHODS.sendMessage>) {
      lastMessage += 1;
      messages.set(lastMessage, {
        chat: chat_id,
        text,
        hasPicture: false,
        buttons: reply_markup?.inline_keyboard ?? [],
      });
      return ok({ message_id: lastMessage, date: 0, chat: { id: Number(chat_id), type: 'private' }, text });
    },
    async editMessageReplyMarkup({ message_id, reply_markup }: z.infer<typeof METHODS.editMessageReplyMarkup>) {
      if (telegram.editTime > 0) await new Promise<void>((resolve) => clock.after(telegram.editTime, resolve));
      const found = messages.get(message_id);
      if (found === undefined) return refuse(400, 'Bad Request: message to edit not found');
      found.buttons = reply_markup.inline_keyboard;
      return ok(true);
    },
    editMessageMedia({ message_id, media, reply_markup }: z.infer<typeof METHODS.editMessageMedia>) {
      const found = messages.get(message_id);
      if (found === undefined) return refuse(400, 'Bad Request: message to edit not found');
      // Without a markup, the buttons go.
      Object.assign(found, { text: media.caption, hasPicture: true, buttons: reply_markup?.inline_keyboard ?? [] });
      return ok({ message_id });
    },
    deleteMessage({ message_id }: z.infer<typeof METHODS.deleteMessage>) {
      return messages.delete(message_id) ? ok(true) : refuse(400, 'Bad Request: message to delete not found');
    },
    answerCallbackQuery({ text }: z.infer<typeof METHODS.answerCallbackQuery>) {
      said.push(text);
      return ok(true);
    },
    async getUpdates({ offset, timeout }: z.infer<typeof METHODS.getUpdates>) {
      updates.splice(0, updates.length, ...updates.filter(({ update_id }) => update_id >= offset));
      if (updates.length === 0)
        await new Promise<void>((resolve) => {
          const cancel = clock.after(timeout * 1000, resolve);
          wake = () => {
            cancel();
            resolve();
          };
        });
      return ok(updates);
    },
  };
  const isMethod = (name: string): name is keyof typeof METHODS => Object.hasOwn(METHODS, name);

  const telegram: FakeTelegram = {
    messages,
    said,
    isAway: false,
    editTime: 0,
    async fetch(url, init = {}) {
      const { origin, pathname } = new URL(url);
      if (origin !== TELEGRAM) return otherwise(url, init);
      if (telegram.isAway) throw new TypeError('fetch failed');
      const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(pathname) ?? [];
      if (token !== BOT_TOKEN) return refuse(401, 'Unauthorized');
      if (!isMethod(method)) return refuse(404, 'Not Found');
      const input = METHODS[method].safeParse(await inputOf(init));
      if (!input.success) return refuse(400, `Bad Request: ${z.prettifyError(input.error)}`);
      const answered = answers[method](input.data as never);
      return Promise.race([answered, aborted(init.signal)]);
    },
    press(label, { username, chat = CHAT } = { username: 'ann' }) {
      const button = [...messages.values()]
        .at(-1)
        ?.buttons.flat()
        .find(({ text }) => text === label);
      if (button === undefined) throw new Error(`no button ${label}`);
      update(button.callback_data, chat, username);
    },
    forge: (data, chat = CHAT) => update(data, chat, 'mallory'),
    unconfirmed: () => updates.length,
  };
  return telegram;
}

const aborted = (signal: AbortSignal | null | undefined): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));

async function inputOf({ body, headers }: RequestInit): Promise<unknown> {
  if (typeof body === 'string') return JSON.parse(body);
  const form = await new Response(body ?? null, headers === undefined ? {} : { headers }).formData();
  return Object.fromEntries(form);
}
