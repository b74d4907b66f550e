// Pure: the settings of a channel to a channel of Microsoft Teams, by a workflow: its address is the secret.
import { z } from 'zod';
import { addressPattern, defineChannel } from './channel-kind.ts';

export const teams = defineChannel({
  name: 'Microsoft Teams',
  schema: z.strictObject({ kind: z.literal('teams') }),
  fields: [],
  secret: {
    label: 'Address of the workflow',
    help: 'In the channel: Workflows, "Send webhook alerts to a channel".',
    pattern: addressPattern('\\/\\S{10,900}'),
    problem: 'As Teams gave it, like https://….logic.azure.com/workflows/…',
    isRequired: true,
  },
});
