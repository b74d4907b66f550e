// Pure: the settings of a channel to a chat of Telegram, by a bot of the user.
import { z } from 'zod';
import { defineChannel, PictureSchema, pictureField, ServerSchema, serverField } from './channel-kind.ts';

export const telegram = defineChannel({
  name: 'Telegram',
  schema: z.strictObject({
    kind: z.literal('telegram'),
    /** Number of the chat, negative for a group; or the name of a channel. */
    chat: z.string().regex(/^(-?\d{1,20}|@[A-Za-z]\w{3,31})$/, 'must be the number of a chat, or @NAME of a channel'),
    server: ServerSchema,
    /** Buttons under its messages, which the app then receives. */
    answers: z.boolean(),
    picture: PictureSchema,
  }),
  fields: [
    {
      name: 'chat',
      label: 'Chat',
      type: 'text',
      initial: '',
      placeholder: '123456789',
      problem: 'The number of the chat, negative for a group, or @name of a channel.',
    },
    { name: 'answers', label: 'Buttons to acknowledge and snooze', type: 'check', initial: true, problem: '' },
    pictureField,
    serverField('https://api.telegram.org'),
  ],
  secret: {
    label: 'Token of the bot',
    help: 'Write to @BotFather, /newbot. Then write to your bot, so that it may answer.',
    pattern: /^\d{3,20}:[A-Za-z0-9_-]{30,60}$/,
    problem: 'As @BotFather gave it, like 123456:ABC-DEF…',
    isRequired: true,
  },
});
