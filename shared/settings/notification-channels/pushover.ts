// Pure: the settings of a channel to the devices of a user of Pushover.
import { z } from 'zod';
import { defineChannel, ServerSchema, serverField } from './channel-kind.ts';

export const pushover = defineChannel({
  name: 'Pushover',
  schema: z.strictObject({
    kind: z.literal('pushover'),
    user: z.string().regex(/^[A-Za-z0-9]{30}$/, 'must be a user or group key'),
    server: ServerSchema,
  }),
  fields: [
    { name: 'user', label: 'User or group key', type: 'text', initial: '', problem: '30 letters and digits.' },
    serverField('https://api.pushover.net'),
  ],
  secret: {
    label: 'Token of the application',
    help: 'pushover.net: Create an Application/API Token.',
    pattern: /^[A-Za-z0-9]{30}$/,
    problem: '30 letters and digits.',
    isRequired: true,
  },
});
