// Test harness: replaces the messages in a value by their texts, for assertions on a user's text.
import { MessageSchema, textOf } from '../../shared/text/message.ts';

// biome-ignore lint/suspicious/noExplicitAny: assertions alone read the result.
export function withTexts(value: unknown): any {
  const found = MessageSchema.safeParse(value);
  if (found.success) return textOf(found.data);
  if (Array.isArray(value)) return value.map(withTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withTexts(each)]));
}
