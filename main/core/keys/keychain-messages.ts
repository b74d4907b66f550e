// Main, core: the messages between app and keychain process: one request, one answer, private.
import { z } from 'zod';

const item = { service: z.string().min(1), account: z.string().min(1) };

export const KeychainRequestSchema = z.discriminatedUnion('verb', [
  z.strictObject({ verb: z.literal('get'), ...item }),
  z.strictObject({ verb: z.literal('set'), ...item, password: z.string() }),
  z.strictObject({ verb: z.literal('delete'), ...item }),
  z.strictObject({ verb: z.literal('find'), service: item.service }),
]);
export type KeychainRequest = z.infer<typeof KeychainRequestSchema>;

export const KeychainReplySchema = z.discriminatedUnion('verb', [
  z.strictObject({ verb: z.literal('get'), password: z.string().nullable() }),
  z.strictObject({ verb: z.literal('set') }),
  z.strictObject({ verb: z.literal('delete'), deleted: z.boolean() }),
  z.strictObject({
    verb: z.literal('find'),
    found: z.array(z.strictObject({ account: z.string(), password: z.string() })),
  }),
  z.strictObject({ verb: z.literal('failed'), message: z.string() }),
]);
export type KeychainReply = z.infer<typeof KeychainReplySchema>;
