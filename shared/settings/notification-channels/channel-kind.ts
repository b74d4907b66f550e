// Pure: what a kind of notification channel declares: its settings, their fields in a form, and its secret.
import { z } from 'zod';

/** A member of the settings of a channel, as the form asks for it. */
export interface ChannelField<Name = string> {
  readonly name: Name;
  readonly label: string;
  /** lines: text of several lines. */
  readonly type: 'text' | 'lines' | 'number' | 'check';
  /** Value in the form of a new channel. */
  readonly initial: string | boolean;
  readonly placeholder?: string;
  /** What a valid value looks like; shown where the schema refuses one. */
  readonly problem: string;
}

/** A token, password or address that is kept in the keychain, never in the settings. */
export interface ChannelSecret {
  readonly label: string;
  /** Where the user finds it. */
  readonly help: string;
  readonly pattern: RegExp;
  /** What a valid one looks like. */
  readonly problem: string;
  /** False: many receivers need none. */
  readonly isRequired: boolean;
}

export interface ChannelKind<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly schema: Schema;
  readonly fields: readonly ChannelField[];
  readonly secret: ChannelSecret | null;
}

/** Checks that the declaration of a kind has a field for each member of its settings. */
export const defineChannel = <Schema extends z.ZodObject>(
  definition: Omit<ChannelKind<Schema>, 'fields'> & {
    readonly fields: readonly ChannelField<Exclude<Extract<keyof z.infer<Schema>, string>, 'kind'>>[];
  },
): ChannelKind<Schema> => definition;

/** TLS, except on this computer. */
const ORIGIN = 'https:\\/\\/[A-Za-z0-9.-]{1,253}|http:\\/\\/(127\\.0\\.0\\.1|\\[::1\\]|localhost)';
/** An address that begins with a server, and ends as `end` says. */
export const addressPattern = (end: string): RegExp => new RegExp(`^(${ORIGIN})(:\\d{1,5})?${end}$`);
export const ServerSchema = z.string().regex(addressPattern(''), 'must be https://SERVER (http on this computer only)');
export const serverField = (initial: string): ChannelField<'server'> => ({
  name: 'server',
  label: 'Server',
  type: 'text',
  initial,
  problem: 'An address without a path, like https://example.com.',
});

/** Whether its messages get a picture of their symbol; absent: they do. */
export const PictureSchema = z.boolean().optional();
export const pictureField: ChannelField<'picture'> = {
  name: 'picture',
  label: 'Picture of price, breach line and states',
  type: 'check',
  initial: true,
  problem: '',
};
