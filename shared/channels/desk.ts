// Pure: the channels of a desk: who this monitor says deals with an alert, and whether that is shared.
import { z } from 'zod';
import { MessageSchema } from '../text/message.ts';
import { DeskActSchema } from '../wire/desk.ts';
import { TimestampSchema } from '../wire/primitives.ts';
import { intent, query } from './channel.ts';

/** null: the desk is off. */
const NameSchema = DeskActSchema.shape.by.nullable();
const DeskViewSchema = z.strictObject({
  by: NameSchema,
  /** Acts that the service does not have yet. */
  waiting: z.number().int().min(0),
  /** Of the last exchange, this computer's time; null: none yet. */
  synced_at: TimestampSchema.nullable(),
  /** Why the last exchange failed; null: it did not. */
  problem: MessageSchema.nullable(),
});
export type DeskView = z.infer<typeof DeskViewSchema>;

export const deskChannels = {
  'desk.read': query(z.strictObject({}), DeskViewSchema),
  'desk.save': intent(z.strictObject({ by: NameSchema }), z.strictObject({})),
};
