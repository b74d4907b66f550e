// Service, routes: opaque cursors, signed and bound to their list and filters.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../refusal.ts';

export interface Cursors {
  /** @param scope the list and its filters; a cursor is valid for the same scope only */
  seal(scope: object, position: readonly (string | number)[]): string;
  /** @throws Refusal invalid_request for a cursor that this service did not issue for this scope */
  open(scope: object, cursor: string): (string | number)[];
}

const MAC_BYTES = 12;

export function createCursors(secret: Uint8Array): Cursors {
  const mac = (scope: object, position: string): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify(scope))
      .update('\n')
      .update(position)
      .digest()
      .subarray(0, MAC_BYTES);

  return {
    seal(scope, position) {
      const text = JSON.stringify(position);
      return Buffer.concat([mac(scope, text), Buffer.from(text, 'utf8')]).toString('base64url');
    },
    open(scope, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const text = bytes.subarray(MAC_BYTES).toString('utf8');
      const given = bytes.subarray(0, MAC_BYTES);
      const whole = bytes.toString('base64url') === cursor && given.length === MAC_BYTES;
      if (!whole || !timingSafeEqual(given, mac(scope, text))) {
        throw new Refusal(
          'invalid_request',
          'after: is not a cursor of this list; use the next_cursor of the previous page, with the same filters, or leave it out',
        );
      }
      return JSON.parse(text) as (string | number)[];
    },
  };
}
