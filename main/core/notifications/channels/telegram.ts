// Main, core: sends a notification to a chat of Telegram, by a bot, with buttons to answer it.
// https://core.telegram.org/bots/api#sendmessage
import { message } from '../../../../shared/text/message.ts';
import { texts } from '../../../../shared/text/texts.ts';
import { buttonData, CHANNEL_ANSWERS, SETTLED_DATA } from '../channel-press.ts';
import { type Channel, type ChannelPorts, cut, ONE_DAY, requiredSecret, withoutTags } from './channel.ts';
import { post } from './http.ts';

/** Characters of a message that Telegram takes, with room for tags. */
const LONGEST = 4000;

export const telegram: Channel<'telegram'> = {
  retriedFor: ONE_DAY,
  secretOwner: ({ server }) => server,
  async send({ server, chat, answers }, notification, secret, ports) {
    const { title, body, urgency, answerToken, receipt } = notification;
    const heading = cut(title, 300);
    const { host, answer } = await call(ports, server, secret, 'sendMessage', {
      chat_id: chat,
      text: `<b>${withoutTags(heading)}</b>${body === '' ? '' : `\n${withoutTags(cut(body, LONGEST - heading.length))}`}`,
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
      disable_notification: urgency === 'low',
      ...(answers && answerToken !== undefined ? { reply_markup: buttons(answerToken) } : {}),
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

const call = (ports: ChannelPorts, server: string, secret: string | null, method: string, body: object) =>
  post(ports, { url: `${server}/bot${requiredSecret(secret)}/${method}`, body: JSON.stringify(body), secret });

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
