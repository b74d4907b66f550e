// Service, auth: tokens that sign the dashboard's requests to the backend, for this process only.
import { z } from 'zod';
import type { Clock } from '../../shared/lib/clock.ts';
import { KEY_SCOPES, type KeyScope } from '../../shared/wire/keys.ts';

/** Lifetime of a token, and its maximum age for reuse, s. */
const LIFE_S = 60;
const REUSE_S = 20;
const AUDIENCE = 'backend';

/** The caller on whose behalf a request is signed. */
export interface Grant {
  readonly scope: KeyScope;
  /** Id of the key that began the session; null: the dashboard itself. */
  readonly key: string | null;
}

export interface ProxyTokens {
  /** A token for a request to the backend; a new one every 20 s, each valid for 60 s. */
  forBackend(grant: Grant): Promise<string>;
  /** The grant of a valid token of this process; null for any other. */
  grantOf(token: string): Promise<Grant | null>;
}

/** A service without a dashboard, such as that of the app, never needs it. */
const loadJose = () => import('jose');

const GrantSchema = z.object({ scope: z.enum(KEY_SCOPES), key: z.string().nullable() });

/** @param secret 32 bytes from a cryptographic source */
export function createProxyTokens(secret: Uint8Array, clock: Clock): ProxyTokens {
  const now = (): number => Math.floor(clock.now() / 1_000);
  const isFresh = ({ at }: { at: number }): boolean => now() >= at && now() - at < REUSE_S;
  const current = new Map<string, { readonly at: number; readonly token: Promise<string> }>();
  const sign = async (grant: Grant): Promise<string> => {
    const at = now();
    const { SignJWT } = await loadJose();
    return new SignJWT({ ...grant })
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience(AUDIENCE)
      .setIssuedAt(at)
      .setExpirationTime(at + LIFE_S)
      .sign(secret);
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
    async grantOf(token) {
      const currentDate = new Date(clock.now());
      const { jwtVerify } = await loadJose();
      return jwtVerify(token, secret, {
        audience: AUDIENCE,
        algorithms: ['HS256'],
        currentDate,
        requiredClaims: ['exp', 'iat'],
      }).then(
        ({ payload }) => GrantSchema.safeParse(payload).data ?? null,
        () => null,
      );
    },
  };
}
