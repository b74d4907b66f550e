// Pure: the id by which rules name a notification channel.
import { z } from 'zod';

export const ChannelIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and dashes, at most 40')
  // The ledger's name of the desktop.
  .refine((id) => id !== 'desktop', { error: 'must not be desktop' });
