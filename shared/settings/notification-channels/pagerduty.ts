// Pure: the settings of a channel to a service of PagerDuty, by its Events API.
import { z } from 'zod';
import { defineChannel, ServerSchema, serverField } from './channel-kind.ts';

export const pagerduty = defineChannel({
  name: 'PagerDuty',
  schema: z.strictObject({ kind: z.literal('pagerduty'), server: ServerSchema }),
  fields: [serverField('https://events.pagerduty.com')],
  secret: {
    label: 'Integration key',
    help: 'Of the service: Integrations, Events API V2. In Europe the server is https://events.eu.pagerduty.com.',
    pattern: /^[A-Za-z0-9]{32}$/,
    problem: '32 letters and digits.',
    isRequired: true,
  },
});
