// Service, auth: tokens that sign the dashboard's requests to the backend, for this process only.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../shared/lib/clock.ts';
import { KEY_SCOPES, type KeyScope } from '../../shared/wire/keys.ts';

/** Lifetime of a token, and its maximum age for reuse, s. */
const LIFE_S = 60;
const REUSE_S = 20;

/** The caller on whose behalf a request is signed. */
export interface Grant {
  readonly scope: KeyScope;
  /** Id of the key that began the session; null: the dashboard itself. */
  readonly key: string | null;
}

export interface ProxyTokens {
  /** A token for a request to the backend; a new one every 20 s, each valid for 60 s. */
  forBackend(grant: Grant): string;
  /** The grant of a valid token of this process; null for any other. */
  grantOf(token: string): Grant | null;
}

const TokenSchema = z.object({ scope: z.enum(KEY_SCOPES), key: z.string().nullable(), iat: z.int() });

/** @param secret 32 bytes from a cryptographic source */
export function createProxyTokens(secret: Uint8Array, clock: Clock): ProxyTokens {
  const now = (): number => Math.floor(clock.now() / 1_000);
  const isFresh = ({ at }: { at: number }): boolean => now() >= at && now() - at < REUSE_S;
  const current = new Map<string, { readonly at: number; readonly token: string }>();
  const macOf = (payload: string): Buffer => createHmac('sha256', secret).update(payload).digest();
  const sign = (grant: Grant): string => {
    const payload = Buffer.from(JSON.stringify({ ...grant, iat: now() })).toString('base64url');
    return `dashboard.${payload}.${macOf(payload).toString('base64url')}`;
  };
  return {
    forBackend({ scope, key }) {
      const name = `${scope} ${key}`;
      const last = current.get(name);
      if (last !== undefined && isFresh(last)) return last.token;
      for (const [other, one] of current) if (!isFresh(one)) current.delete(other);
      const token = sign({ scope, key });
      current.set(name, { at: now(), token });
      return token;
    },
    grantOf(token) {
      const [kind, payload = '', mac = ''] = token.split('.');
      const given = Buffer.from(mac, 'base64url');
      const own = macOf(payload);
      if (kind !== 'dashboard' || given.length !== own.length || !timingSafeEqual(given, own)) return null;
      const { iat, ...grant } = TokenSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
      return now() >= iat && now() - iat < LIFE_S ? grant : null;
    },
  };
}
