// Pure: the settings of a channel to a channel of Slack, by an incoming webhook, whose address is the secret; or by a
// bot of the user, which can send pictures.
import { z } from 'zod';
import { addressPattern, defineChannel, PictureSchema, pictureField } from './channel-kind.ts';

const WEBHOOK = addressPattern('\\/(services|workflows|triggers)\\/[A-Za-z0-9/_-]{1,300}');

export const slack = defineChannel({
  name: 'Slack',
  schema: z.strictObject({
    kind: z.literal('slack'),
    /** Where the bot writes; null or absent: an incoming webhook. */
    channel: z
      .string()
      .regex(/^[CGD][A-Z0-9]{6,20}$/, 'must be the id of a channel, like C0123456789')
      .nullable()
      .optional(),
    picture: PictureSchema,
  }),
  fields: [
    {
      name: 'channel',
      label: 'Id of the channel, for a bot; empty: a webhook',
      type: 'text',
      initial: '',
      placeholder: 'C0123456789',
      problem: 'The id at the end of the details of the channel, like C0123456789.',
    },
    { ...pictureField, label: `${pictureField.label} (bot only)` },
  ],
  secret: {
    label: 'Address of the incoming webhook',
    help: 'api.slack.com/apps: your app, Incoming Webhooks. Of a bot its token, with chat:write and files:write.',
    pattern: new RegExp(`${WEBHOOK.source}|^xoxb-[A-Za-z0-9-]{20,300}$`),
    problem: 'As Slack gave it, like https://hooks.slack.com/services/T…/B…/… or xoxb-…',
    isRequired: true,
  },
});
