// Pure: the English of messages about profiles, keys and connection tests.
import { type AppFeed, FEED_LABELS } from '../../../domain/price-feeds.ts';
import { KEY_PREFIXES } from '../../../wire/keys.ts';

type Environment = keyof typeof KEY_PREFIXES;
const KEYCHAINS: Readonly<Record<string, string>> = {
  darwin: 'macOS Keychain',
  win32: 'Windows Credential Manager',
};
const keychainName = (platform: string): string => `the system's keychain (${KEYCHAINS[platform] ?? 'Secret Service'})`;

export const keysMessages = {
  'tier.keychain': ({ platform }: { platform: string }) => keychainName(platform),
  'tier.passphrase': () => 'a file encrypted with a passphrase',
  'tier.session': () => 'this session only',

  // Sources of a profile's data, as its menu shows them.
  'source.market': ({ seed }: { seed: number | null }) =>
    seed === null ? 'Simulated market' : `Simulated market · seed ${seed}`,
  'source.feed': ({ feed }: { feed: AppFeed }) => `Live prices of ${FEED_LABELS[feed]}`,
  'source.scenario': ({ scenario }: { scenario: string }) => `Simulated market · ${scenario}`,
  'source.own_prices': ({ name }: { name: string }) => `Own prices · ${name}`,
  'source.with_key': ({ host, ending }: { host: string; ending: string }) => `${host} · key …${ending}`,
  'source.without_key': ({ host }: { host: string }) => `${host} · no key`,

  // The state of a profile's key.
  'key.own': () => 'The service inside the app has a key of its own, new at every start.',
  'key.none': () => 'No key is saved.',
  'key.of_run': () => 'The key comes from BAROGRAPH_KEY and is used for this run only.',
  'key.kept': ({ tier }: { tier: string }) => `The key is kept in ${tier}.`,
  'key.old': ({ days }: { days: number }) =>
    `It is ${days} days old: request a new one from the service, set it here, then revoke the old one.`,
  'key.pending': ({ tier }: { tier: string }) => `Waiting for the key from ${tier}.`,
  'key.gone': ({ tier, day }: { tier: string; day: string }) =>
    `The key saved in ${tier} on ${day} is no longer there; another keyring may be in use. Set the key again.`,

  // Results of a change.
  'key.saved': ({ name, tier }: { name: string; tier: string }) =>
    `The key of ${name} was saved in ${tier} and read back.`,
  'key.saved_session': ({ name, tier }: { name: string; tier: string }) => `The key of ${name} is kept in ${tier}.`,
  'key.left': ({ tier, why }: { tier: string; why: string }) => `The copy in ${tier} could not be deleted: ${why}`,
  'key.not_tried': ({ why }: { why: string }) => `It was not tested: ${why}`,
  'key.unknown_prefix': () =>
    'Its prefix is unknown, so Barograph cannot tell whether it is for sandbox or production.',
  'key.bad_checksum': () => 'Its checksum is wrong: if you typed it by hand, check it again.',
  'key.forgotten': ({ name }: { name: string }) => `The key of ${name} was deleted from this computer.`,
  'key.abandoned': ({ name }: { name: string }) =>
    `The keys of ${name} were given up with the lost passphrase. Everything else is as it was. Save a new key.`,
  'key.absent': ({ name, tier }: { name: string; tier: string }) => `There was no key of ${name} in ${tier}.`,
  'key.already_there': ({ name, tier }: { name: string; tier: string }) =>
    `The keys of ${name} are already kept in ${tier}.`,
  'key.moved': ({ name, tier }: { name: string; tier: string }) => `The keys of ${name} are now kept in ${tier}.`,
  'vault.unlocked': () => 'The passphrase vault is open for this run.',

  // Reasons why a key was not accepted.
  'key.refused': ({ why }: { why: string }) => `The service does not accept this key. ${why} Nothing was changed.`,
  /** The user may override it. */
  'key.untried_unchanged': ({ why }: { why: string }) =>
    `The key could not be tested: ${why} Nothing was changed; the previous key is still in use.`,
  'key.not_needed': ({ name }: { name: string }) =>
    `${name} listens to the service inside the app, which has a key of its own.`,
  'key.by_dashboard': ({ name }: { name: string }) =>
    `${name} connects through a dashboard, which signs its requests: no key is sent or kept. Where it asks you to sign in, give its one-time link.`,
  'key.elsewhere': () =>
    'Nothing was changed. Keys can also be kept in a file encrypted with a passphrase (passphrase), or for this session only (session).',

  // Reasons why a vault does not open.
  'vault.not_read_back': ({ tier }: { tier: string }) => `The key stored in ${tier} could not be read back.`,
  'vault.locked': () =>
    'The passphrase vault is locked. Its passphrase is needed; where that is lost, see Settings, Keys.',
  'vault.wrong_passphrase': () =>
    'The passphrase does not open the passphrase vault. Type it again; if it is lost, so are the keys in it.',
  'vault.damaged': ({ path }: { path: string }) =>
    `The passphrase vault ${path} is damaged. Move it away and set the keys again.`,
  'keychain.unusable': ({ platform, why }: { platform: string; why: string }) => {
    const name = keychainName(platform);
    return `${name.charAt(0).toUpperCase()}${name.slice(1)} cannot be used: ${why}.`;
  },
  'keychain.late': ({ seconds }: { seconds: number }) =>
    `it did not answer within ${seconds} s; if it is locked, unlock it and try again`,
  'keychain.unreadable': () => 'its answer cannot be read',
  'keychain.confused': () => 'it answered another request',

  // Checks of a connection.
  'check.forgotten': () => 'The tested key is no longer in memory. Paste it again.',
  'check.other_key': ({ named, environment }: { named: string; environment: Environment }) =>
    `This is a ${named} key. Nothing was sent. Use a key that begins with ${KEY_PREFIXES[environment]}.`,
  'check.other_environment': ({ host, named, expected }: { host: string; named: string; expected: string }) =>
    `${host} is ${named === 'sandbox' ? 'a sandbox' : 'production'}, and this profile is for ${expected}. No key was sent.`,
  'check.no_key': () => 'No key was given. The profile waits until there is one.',
  'check.answered': ({ host }: { host: string }) => `${host} answered`,
  'check.nameless': ({ host }: { host: string }) => `${host} answered, and does not say what it is`,
  'check.took_tls': ({ ms }: { ms: number }) => `${ms} ms, TLS checked`,
  'check.took_local': ({ ms }: { ms: number }) => `${ms} ms, this computer, no TLS needed`,
  'check.dashboard': () => 'The dashboard signs; no key is sent',
  'check.key_accepted': ({ header }: { header: string }) => `Key accepted as ${header}`,
  'check.key_refused': ({ why }: { why: string }) => `The service does not accept this key. ${why}`,
  'check.key_kept': ({ why }: { why: string }) => `${why} The key was not sent.`,
  'check.key_untried': ({ why }: { why: string }) => `The key could not be tested. ${why}`,
  'check.no_time': () => 'The service does not report its time',
  'check.clocks_agree': ({ seconds }: { seconds: number }) => `Clock agrees within ${seconds} s`,
  'check.clocks_differ': ({ seconds }: { seconds: number }) =>
    `Clocks differ by ${seconds} s. Set this computer's clock.`,
  'check.stream': () => 'Stream: first byte received',
  'check.took': ({ ms }: { ms: number }) => `${ms} ms`,
  'check.no_stream': ({ why }: { why: string }) => `Stream: ${why}`,
  'check.stream_ended': () => 'It ended before the first byte.',
  'check.stream_silent': ({ seconds }: { seconds: number }) => `No data arrived within ${seconds} s.`,
  'check.polled': () => 'Barograph polls every few seconds instead',
};
