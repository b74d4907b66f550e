// Pure: the settings of a channel to a topic of an ntfy server.
import { z } from 'zod';
import { addressPattern, defineChannel, PictureSchema, pictureField } from './channel-kind.ts';

const TopicSchema = z
  .string()
  .regex(
    addressPattern('\\/[A-Za-z0-9_-]{1,64}'),
    'must be https://SERVER/TOPIC, without a user or a query (http on this computer only)',
  );

export const ntfy = defineChannel({
  name: 'ntfy',
  schema: z.strictObject({
    kind: z.literal('ntfy'),
    /** https://ntfy.sh/my-topic */
    url: TopicSchema,
    /** The topic to which its buttons publish, and which the app follows; null: no buttons. */
    answers: TopicSchema.nullable().default(null),
    picture: PictureSchema,
  }),
  fields: [
    {
      name: 'url',
      label: 'Address of the topic',
      type: 'text',
      initial: '',
      placeholder: 'https://ntfy.sh/my-topic',
      problem: 'The server and one topic, like https://ntfy.sh/my-topic.',
    },
    {
      name: 'answers',
      label: 'Topic for answers, empty: no buttons',
      type: 'text',
      initial: '',
      placeholder: 'https://ntfy.sh/my-answers',
      problem: 'Another topic, to which your phone may publish, like https://ntfy.sh/my-answers.',
    },
    pictureField,
  ],
  secret: {
    label: 'Access token',
    help: 'Only for a topic that is protected: Account, Access tokens.',
    pattern: /^\S{3,200}$/,
    problem: 'A token without blanks, like tk_…',
    isRequired: false,
  },
});
