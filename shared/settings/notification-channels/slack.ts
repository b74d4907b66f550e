// Pure: the settings of a channel to a channel of Slack, by an incoming webhook: its address is the secret.
import { z } from 'zod';
import { addressPattern, defineChannel } from './channel-kind.ts';

export const slack = defineChannel({
  name: 'Slack',
  schema: z.strictObject({ kind: z.literal('slack') }),
  fields: [],
  secret: {
    label: 'Address of the incoming webhook',
    help: 'api.slack.com/apps: your app, Incoming Webhooks, Add New Webhook.',
    pattern: addressPattern('\\/(services|workflows|triggers)\\/[A-Za-z0-9/_-]{1,300}'),
    problem: 'As Slack gave it, like https://hooks.slack.com/services/T…/B…/…',
    isRequired: true,
  },
});
