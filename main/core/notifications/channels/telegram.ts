// Main, core: sends a notification to a chat of Telegram, by a bot, with buttons to answer it.
// https://core.telegram.org/bots/api#sendmessage
import { refused } from '../../../../shared/channels/channel.ts';
import { message } from '../../../../shared/text/message.ts';
import { texts } from '../../../../shared/text/texts.ts';
import { buttonData, CHANNEL_ANSWERS, SETTLED_DATA } from '../channel-press.ts';
import {
  type Channel,
  type ChannelPorts,
  type ChannelRequest,
  cut,
  ONE_DAY,
  requiredSecret,
  withoutTags,
} from './channel.ts';
import { formWithFile, post } from './http.ts';

/** Characters of a message that Telegram takes, with room for tags. */
const LONGEST = 4000;
/** Characters of a caption that Telegram takes, after its tags were read. */
const LONGEST_CAPTION = 1024;

export const telegram: Channel<'telegram'> = {
  retriedFor: ONE_DAY,
  secretOwner: ({ server }) => server,
  async send({ server, chat, answers }, notification, secret, ports) {
    const { urgency, receipt } = notification;
    const { host, answer } = await call(ports, server, secret, 'sendMessage', {
      chat_id: chat,
      text: textOf(notification),
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
      disable_notification: urgency === 'low',
      ...(answers ? buttonsOf(notification) : {}),
    });
    // One message a notification: this one has all that the earlier one said.
    if (receipt !== undefined)
      await call(ports, server, secret, 'deleteMessage', { chat_id: chat, message_id: Number(receipt) }).catch(
        () => undefined,
      );
    const [, sent] = /"message_id"\s*:\s*(\d{1,15})/.exec(answer) ?? [];
    const detail = message('delivery.taken', { host });
    return { outcome: 'sent', detail, ...(sent === undefined ? {} : { receipt: sent }) };
  },
  // https://core.telegram.org/bots/api#editmessagemedia: it may add a photo to a message of text, whose text becomes
  // the caption. It makes no sound, and the message keeps its place and its name.
  async addPicture({ server, chat, answers }, { notification, picture, receipt }, secret, ports) {
    const { title, body } = notification;
    if (receipt === null || title.length + 1 + body.length > LONGEST_CAPTION) throw refused(message('picture.long'));
    const media = { type: 'photo', media: 'attach://picture', caption: textOf(notification), parse_mode: 'HTML' };
    const { reply_markup } = answers ? buttonsOf(notification) : {};
    const fields = {
      chat_id: chat,
      message_id: receipt,
      media: JSON.stringify(media),
      // Without them, the buttons would go.
      ...(reply_markup === undefined ? {} : { reply_markup: JSON.stringify(reply_markup) }),
    };
    const url = methodUrl(server, secret, 'editMessageMedia');
    await post(ports, { url, ...(await formWithFile(fields, 'picture', picture)), secret });
  },
  async settle({ server, chat }, { receipt, text }, secret, ports) {
    if (receipt === null) return;
    // In place of the buttons: what became of it.
    await call(ports, server, secret, 'editMessageReplyMarkup', {
      chat_id: chat,
      message_id: Number(receipt),
      reply_markup: { inline_keyboard: [[{ text: cut(text, 60), callback_data: SETTLED_DATA }]] },
    });
  },
};

const methodUrl = (server: string, secret: string | null, method: string): string =>
  `${server}/bot${requiredSecret(secret)}/${method}`;
const call = (ports: ChannelPorts, server: string, secret: string | null, method: string, body: object) =>
  post(ports, { url: methodUrl(server, secret, method), body: JSON.stringify(body), secret });

function textOf({ title, body }: ChannelRequest): string {
  const heading = cut(title, 300);
  return `<b>${withoutTags(heading)}</b>${body === '' ? '' : `\n${withoutTags(cut(body, LONGEST - heading.length))}`}`;
}

const buttonsOf = ({ answerToken }: ChannelRequest) =>
  answerToken === undefined ? {} : { reply_markup: buttons(answerToken) };

function buttons(token: string) {
  const [acknowledge, snooze, close, why] = CHANNEL_ANSWERS.map((answer) => ({
    text: texts.notifications.phoneAnswers[answer],
    callback_data: buttonData(answer, token),
  }));
  return {
    inline_keyboard: [
      [acknowledge, why],
      [snooze, close],
    ],
  };
}
