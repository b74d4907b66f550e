// Pure: the English texts of the channels that carry notifications besides the desktop.
import { plural } from './plural.ts';

export const notificationChannels = {
  sub: 'where notifications go besides the desktop',
  why: 'A channel is set up once; the rules that should use it name it.',
  loading: 'Loading the channels',
  none: 'There are no channels yet: notifications stay on this desktop.',
  table: 'Channels',
  columns: { name: 'Channel', kind: 'Kind', rules: 'Used by', acts: 'Actions' },
  unused: 'no rule yet',
  rules: (names: readonly string[]) => names.join(', '),
  add: 'Add a channel',
  adding: 'New channel',
  editing: (name: string) => `Channel ${name}`,
  edit: 'Edit',
  editOf: (name: string) => `Edit ${name}`,
  remove: 'Remove',
  removeOf: (name: string) => `Remove ${name}`,
  removeAsk: (name: string) => `Remove the channel ${name}?`,
  removeWhy: (rules: number) =>
    rules === 0
      ? 'Its secret is deleted from the keychain.'
      : `${rules} ${plural(rules, 'rule notifies', 'rules notify')} the desktop alone from then on. Its secret is deleted from the keychain.`,
  test: 'Send a test',
  testOf: (name: string) => `Send a test to ${name}`,
  testing: 'Sending',
  tested: (detail: string) => `Accepted: ${detail}`,
  kind: 'Kind',
  name: 'Name',
  nameHint: 'My phone',
  secretKept: 'Goes to the keychain, and is never shown again. Leave it empty to keep the current one.',
  secretNew: 'Goes to the keychain, and is never shown again.',
  forSession: 'Keep it until Barograph ends instead: it must be typed again after that',
  save: 'Save channel',
  saved: 'Saved. Send a test to see that it arrives.',
  close: 'Close',
  invalidFields: (count: number) => `${count} ${plural(count, 'field needs', 'fields need')} fixing.`,
  problems: { name: 'A name of 1 to 60 characters.', secret: 'This kind of channel needs it.' },
};
