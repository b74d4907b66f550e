// Pure: a message for the user as data: a code with values. `textOf` renders it.
import { z } from 'zod';
import { texts } from './texts.ts';

type Catalog = (typeof texts)['messages'];
export type MessageCode = keyof Catalog;

/** A value that the catalog takes as text may be a message itself. */
type Values<Template> = Template extends (values: infer Given) => string
  ? { readonly [Name in keyof Given]: string extends Given[Name] ? Given[Name] | Message : Given[Name] }
  : never;
type MessageOf<Code extends MessageCode> =
  Parameters<Catalog[Code]> extends []
    ? { readonly code: Code }
    : { readonly code: Code; readonly values: Values<Catalog[Code]> };

export type Message = { [Code in MessageCode]: MessageOf<Code> }[MessageCode];

type Arguments<Code extends MessageCode> = Parameters<Catalog[Code]> extends [] ? [] : [values: Values<Catalog[Code]>];

/** @param values what the catalog's text of the code takes: numbers and times unformatted */
export const message = <Code extends MessageCode>(code: Code, ...[values]: Arguments<Code>): Message =>
  (values === undefined ? { code } : { code, values }) as Message;

/** Text that has no code: the service's own, or of an earlier version. */
export const plainMessage = (text: string): Message => message('text', { text });

/** Messages after each other, in this order. */
export const joinedMessages = (first: Message, ...more: readonly (Message | null)[]): Message =>
  more.reduce<Message>(
    (before, after) => (after === null ? before : message('joined', { first: before, second: after })),
    first,
  );

/** The message in the user's language. */
export function textOf(found: Message): string {
  const given = Object.entries('values' in found ? found.values : {});
  const values = Object.fromEntries(given.map(([name, value]) => [name, isMessage(value) ? textOf(value) : value]));
  return (texts.messages[found.code] as (values: object) => string)(values);
}

/** Empty where there is no message. */
export const optionalText = (found: Message | null): string => (found === null ? '' : textOf(found));

const isCode = (code: string): code is MessageCode => Object.hasOwn(texts.messages, code);

export const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  typeof value.code === 'string' &&
  isCode(value.code);

export const MessageSchema = z.strictObject({
  code: z.string().refine(isCode, 'No message has this code.'),
  values: z.record(z.string(), z.json()).optional(),
}) as unknown as z.ZodType<Message>;

/** A message as a column of text. */
export const storedMessage = (found: Message): string => JSON.stringify(found);

/**
 * Parses the result of `storedMessage`. Anything else, like a text of an earlier version or values that do
 * not fit, is kept as text.
 */
export function readStoredMessage(stored: string): Message {
  if (!stored.startsWith('{')) return plainMessage(stored);
  try {
    const found = MessageSchema.parse(JSON.parse(stored));
    // Throws where the values do not fit, because the stored message will be shown again and again.
    textOf(found);
    return found;
  } catch {
    return plainMessage(stored);
  }
}
