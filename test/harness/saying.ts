// Test: compares a message (shared/text/message.ts) by the text that a user reads.
import { type Message, MessageSchema, textOf } from '../../shared/text/message.ts';

/** An asymmetric matcher, to be cast where a Message is expected. */
export const saying = (expected: string | RegExp): Message =>
  ({
    asymmetricMatch(found: unknown): boolean {
      const parsed = MessageSchema.safeParse(found);
      if (!parsed.success) return false;
      const text = textOf(parsed.data);
      return typeof expected === 'string' ? text === expected : expected.test(text);
    },
    toString: () => 'saying',
    toAsymmetricMatcher: () => `saying ${String(expected)}`,
  }) as unknown as Message;
