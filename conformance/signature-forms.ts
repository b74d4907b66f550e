// Conformance: the accepted forms of X-Service-Signature (section 6.1 leaves the form open).
import { createHmac, timingSafeEqual } from 'node:crypto';

const keysOf = (secret: string): readonly (readonly [name: string, key: Buffer])[] => {
  const bare = secret.replace(/^whsec_/, '');
  const decoded = Buffer.from(bare, 'base64');
  return [
    ['', Buffer.from(secret, 'utf8')],
    ...(decoded.length > 0 ? [[', keyed on the decoded secret', decoded] as const] : []),
  ];
};
const equal = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

/** @returns the form, like "hex" or "base64 with the prefix sha256=", or null when no form fits the secret */
export function signatureForm(header: string, secret: string, body: Buffer): string | null {
  for (const value of header.split(/[\s,]+/).filter((part) => part !== '')) {
    const [, prefix = '', bare = ''] = /^(sha256=|v1=)?(.*)$/.exec(value) ?? [];
    const suffix = prefix === '' ? '' : ` with the prefix ${prefix}`;
    for (const [keyed, key] of keysOf(secret)) {
      const mac = createHmac('sha256', key).update(body).digest();
      if (/^[0-9a-f]{64}$/i.test(bare) && equal(Buffer.from(bare, 'hex'), mac)) return `hex${suffix}${keyed}`;
      if (/^[\w+/-]{43}=?$/.test(bare) && equal(Buffer.from(bare, 'base64'), mac)) return `base64${suffix}${keyed}`;
    }
  }
  return null;
}
