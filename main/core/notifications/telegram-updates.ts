// Main, core: receives presses of the buttons under messages of a Telegram bot, by long polling: no port is opened.
// https://core.telegram.org/bots/api#getupdates
import { z } from 'zod';
import { texts } from '../../../shared/text/texts.ts';
import { type AnswerPorts, pressOf, SETTLED_DATA } from './channel-press.ts';
import { receiveUntil } from './receive-until.ts';

/** A bot, and the channels whose messages it sends, by chat. */
export interface TelegramBot {
  readonly server: string;
  readonly token: string;
  readonly channels: ReadonlyMap<string, readonly { readonly id: string; readonly name: string }[]>;
}

/** How long Telegram holds a request that has no update, seconds. */
const HELD = 50;
const DEADLINE = (HELD + 15) * 1000;
/** Characters of an answer that Telegram shows. */
const LONGEST_ANSWER = 200;

const QuerySchema = z.object({
  id: z.string(),
  data: z.string().max(64),
  from: z.object({ first_name: z.string().optional(), username: z.string().optional() }),
  message: z.object({ chat: z.object({ id: z.number(), username: z.string().optional() }) }),
});
const UpdatesSchema = z.object({
  ok: z.literal(true),
  result: z.array(z.object({ update_id: z.number().int(), callback_query: z.unknown().optional() })),
});

/** Runs until the signal. Telegram repeats an update until it is confirmed, so that a crash loses none. */
export async function receiveTelegramUpdates(
  { server, token, channels }: TelegramBot,
  ports: AnswerPorts,
  signal: AbortSignal,
): Promise<void> {
  const { fetch, clock, onPress } = ports;
  const call = async (method: string, body: object): Promise<unknown> => {
    const late = new AbortController();
    const cancel = clock.after(DEADLINE, () => late.abort(new Error('no answer in time')));
    try {
      const answer = await fetch(`${server}/bot${token}/${method}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.any([signal, late.signal]),
      });
      if (!answer.ok) throw new Error(`${new URL(server).host} answered ${answer.status}`);
      return await answer.json();
    } finally {
      cancel();
    }
  };
  const handle = async (query: unknown): Promise<void> => {
    const read = QuerySchema.safeParse(query);
    if (!read.success) return;
    const { id, data, from, message } = read.data;
    const press = pressOf(data);
    // The bot may be in other chats, whose members must not answer.
    const { id: chat, username } = message.chat;
    const ofChat = channels.get(String(chat)) ?? channels.get(`@${username ?? ''}`);
    if (ofChat === undefined) return;
    const who = (from.username ?? from.first_name ?? '').slice(0, 60);
    let said: string | null = null;
    if (press !== null)
      for (const { id: channel, name: channelName } of ofChat)
        said ??= onPress({ ...press, id: `telegram:${id}`, who, channel, channelName });
    // Unanswered, a button seems to be at work for a minute: also one that says what became of an alert.
    await call('answerCallbackQuery', {
      callback_query_id: id,
      text: (said ?? texts.notifications.pressed[data === SETTLED_DATA ? 'over' : 'unknown']).slice(0, LONGEST_ANSWER),
      show_alert: press?.answer === 'why',
    }).catch(() => undefined);
  };

  let offset = 0;
  await receiveUntil(signal, { name: 'Telegram', secret: token }, ports, async (isWorking) => {
    const request = { offset, timeout: HELD, allowed_updates: ['callback_query'] };
    const { result } = UpdatesSchema.parse(await call('getUpdates', request));
    isWorking();
    for (const { update_id, callback_query } of result) {
      await handle(callback_query);
      offset = Math.max(offset, update_id + 1);
    }
  });
}
