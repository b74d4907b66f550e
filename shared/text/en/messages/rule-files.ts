// Pure: the English of messages about a file of rules, and about each rule that is imported from one.

const isSeveral = (names: string): boolean => names.includes(', ');
const isOrAre = (names: string): string => (isSeveral(names) ? 'are' : 'is');
const itOrThem = (names: string): string => (isSeveral(names) ? 'them' : 'it');

export const ruleFileMessages = {
  'rule_file.invalid': ({ why }: { why: string }) =>
    `This is not a file of rules: ${why}. Choose a file that Barograph exported.`,
  'rule_file.newer': ({ version }: { version: number }) =>
    `A newer version of Barograph wrote this file (format ${version}). Update Barograph, then import it again.`,
  'rule_import.invalid': ({ why }: { why: string }) => `${why}. Correct it in the file, then import it again.`,
  'rule_import.unknown_fields': ({ fields }: { fields: string }) =>
    `This version of Barograph does not know ${fields}. Update Barograph, or remove that from the file.`,
  'rule_import.known': ({ id }: { id: string }) => `It is already here, as ${id}.`,
  'rule_import.fresh_id': ({ taken, id }: { taken: string; id: string }) =>
    `The id ${taken} is taken. Its id is ${id}.`,
  'rule_import.other_name': ({ kind, id, here, name }: { kind: Kind; id: string; here: string; name: string }) =>
    `The ${KINDS[kind]} ${id} is called ${here} here and ${name} in the file. Check that it is the right one.`,
  'rule_import.no_list': ({ lists }: { lists: string }) =>
    `${isSeveral(lists) ? 'Its watchlists' : 'The watchlist'} ${lists} ${isOrAre(lists)} not here. Add a list of that name, then import it again.`,
  'rule_import.lists': ({ lists }: { lists: string }) =>
    `It covers the other lists only: ${lists} ${isOrAre(lists)} not here. Add a list of that name, then choose it in the rule.`,
  'rule_import.channels': ({ channels }: { channels: string }) =>
    `Without ${channels}, not set up here. Set ${itOrThem(channels)} up in Settings, Channels, then add ${itOrThem(channels)} to the rule.`,
  'rule_import.profiles': ({ profiles }: { profiles: string }) =>
    `The profile ${profiles} is not here. The rule applies in the others that it names.`,
  'rule_import.no_profile': ({ profiles }: { profiles: string }) =>
    `Its profiles are not here (${profiles}), so it applies in every profile. Choose profiles in the rule.`,
  'rule_import.off': ({ why }: { why: string }) => `Disabled: ${why}`,
};

const KINDS = { list: 'watchlist', channel: 'channel' };
type Kind = keyof typeof KINDS;
