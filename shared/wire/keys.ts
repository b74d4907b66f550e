// Pure: the format of API keys. Only the prefix has meaning. A wrong checksum is only a warning.

export type Environment = 'sandbox' | 'production';

export const KEY_PREFIXES: Readonly<Record<Environment, string>> = { sandbox: 'svc_test_', production: 'svc_live_' };

/**
 * Scopes in ascending order; each includes those before it. `account` manages keys and terms of its account.
 */
export const KEY_SCOPES = ['read', 'webhooks', 'account'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];
export const scopeCovers = (scope: KeyScope, needed: KeyScope): boolean =>
  KEY_SCOPES.indexOf(scope) >= KEY_SCOPES.indexOf(needed);

/** A key that a command line may carry: sandbox only. */
export const GIVEN_KEY_PATTERN = /^svc_test_[A-Za-z0-9]{16,200}$/;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_LENGTH = 6;
const BODY_LENGTH = 32;

/** How many random bytes `formKey` needs. */
export const KEY_ENTROPY_BYTES = 32;

/** The environment that a key's prefix names, or null for a foreign prefix. */
export function keyEnvironment(key: string): Environment | null {
  if (key.startsWith(KEY_PREFIXES.sandbox)) return 'sandbox';
  if (key.startsWith(KEY_PREFIXES.production)) return 'production';
  return null;
}

/**
 * A new key: prefix, 32 characters of [A-Za-z0-9] (about 190 bits), checksum of six.
 * @param entropy KEY_ENTROPY_BYTES bytes from a cryptographic source
 */
export function formKey(environment: Environment, entropy: Uint8Array): string {
  if (entropy.length < KEY_ENTROPY_BYTES) throw new RangeError(`a key needs ${KEY_ENTROPY_BYTES} random bytes`);
  let rest = entropy.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let body = '';
  while (body.length < BODY_LENGTH) {
    body += ALPHABET.charAt(Number(rest % 62n));
    rest /= 62n;
  }
  return `${KEY_PREFIXES[environment]}${body}${checksum(body)}`;
}

/** False when an issued key was mistyped. Other keys have no checksum, so a client only warns. */
export function checksumHolds(key: string): boolean {
  const environment = keyEnvironment(key);
  if (environment === null) return false;
  const rest = key.slice(KEY_PREFIXES[environment].length);
  return (
    rest.length === BODY_LENGTH + CHECKSUM_LENGTH && checksum(rest.slice(0, BODY_LENGTH)) === rest.slice(BODY_LENGTH)
  );
}

/** The only part of a key that may be shown: its last four characters. */
export const keyEnding = (key: string): string => key.slice(-4);

function checksum(body: string): string {
  let value = crc32(body);
  let text = '';
  for (let position = 0; position < CHECKSUM_LENGTH; position++) {
    text = ALPHABET.charAt(value % 62) + text;
    value = Math.floor(value / 62);
  }
  return text;
}

/** CRC-32 (IEEE 802.3) of ASCII text. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** Age at which a production key should be replaced, days: keys are to be replaced monthly or quarterly. */
export const KEY_ROTATION_DAYS = 90;
