// Pure: the settings of a channel that sends mail over an SMTP server.
import { z } from 'zod';
import { defineChannel, PictureSchema, pictureField } from './channel-kind.ts';

const ADDRESS_PROBLEM = 'An address, like desk@example.com.';

export const mail = defineChannel({
  name: 'Mail',
  schema: z.strictObject({
    kind: z.literal('mail'),
    host: z.string().regex(/^[A-Za-z0-9.:[\]-]{1,253}$/, 'must be the name of a mail server'),
    port: z.number().int().min(1).max(65_535),
    /** TLS from the first byte (465); otherwise STARTTLS is required, except on this computer. */
    secure: z.boolean(),
    user: z.string().min(1).max(200).nullable(),
    from: z.email().max(254),
    to: z.email().max(254),
    picture: PictureSchema,
  }),
  fields: [
    {
      name: 'host',
      label: 'Mail server',
      type: 'text',
      initial: '',
      problem: 'The name of a server, like smtp.example.com.',
    },
    { name: 'port', label: 'Port', type: 'number', initial: '465', problem: 'A port, 1 to 65535.' },
    { name: 'secure', label: 'TLS from the start (port 465)', type: 'check', initial: true, problem: '' },
    { name: 'from', label: 'From', type: 'text', initial: '', problem: ADDRESS_PROBLEM },
    { name: 'to', label: 'To', type: 'text', initial: '', problem: ADDRESS_PROBLEM },
    { name: 'user', label: 'User, empty: none', type: 'text', initial: '', problem: 'At most 200 characters.' },
    pictureField,
  ],
  secret: {
    label: 'Password',
    help: 'That of the user; many providers want a password of its own for each program.',
    pattern: /^.{1,500}$/,
    problem: 'At most 500 characters.',
    isRequired: false,
  },
});
