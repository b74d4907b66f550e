// Pure: the settings of a channel to a channel of Discord, by a webhook: its address is the secret.
import { z } from 'zod';
import { addressPattern, defineChannel, PictureSchema, pictureField } from './channel-kind.ts';

export const discord = defineChannel({
  name: 'Discord',
  schema: z.strictObject({ kind: z.literal('discord'), picture: PictureSchema }),
  fields: [pictureField],
  secret: {
    label: 'Address of the webhook',
    help: 'Edit the channel in Discord, Integrations, Webhooks, Copy Webhook URL.',
    pattern: addressPattern('\\/api\\/webhooks\\/\\d{1,25}\\/[A-Za-z0-9_-]{20,200}'),
    problem: 'As Discord gave it, like https://discord.com/api/webhooks/1…/…',
    isRequired: true,
  },
});
