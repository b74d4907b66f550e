// Pure: the proof that a service knows a key, before the key is sent to it.
// The service stores the SHA-256 of a key; an HMAC-SHA256 under that hash proves this without revealing it.
import { z } from 'zod';

/** 32 random bytes of the client, against replay of earlier proofs. */
export const NonceSchema = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits');
export const KeyIdSchema = z.string().regex(/^key_[0-9a-f]{12}$/, 'must be key_ and 12 hexadecimal digits');
export const ProofSchema = z.object({
  proof: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({
      description:
        'HMAC-SHA256 in hexadecimal, keyed on the hexadecimal SHA-256 of the key. An unknown key gets an answer of the same form that does not verify.',
      example: '5e'.repeat(32),
    }),
});

/** Names a key without revealing it. @param digest SHA-256 of the key, in hexadecimal */
export const keyIdOf = (digest: string): string => `key_${digest.slice(0, 12)}`;

/** The text that a service signs. @param origin the address to which the client would send the key */
export const proofText = (origin: string, keyId: string, nonce: string): string =>
  ['barograph service proof 1', origin, keyId, nonce].join('\n');

/** Compares two texts in constant time for their length. */
export function isSameText(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index += 1) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}
