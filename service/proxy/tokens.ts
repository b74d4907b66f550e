// Service, proxy: the dashboard's tokens: one signs backend requests, one is a browser session.
// They are valid in this process only.
import { jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../shared/lib/clock.ts';

/** Lifetime of a backend token, and its maximum age for reuse, s. */
const BACKEND_LIFE_S = 60;
const BACKEND_REUSE_S = 20;
const SESSION_LIFE_S = 12 * 3_600;

type Audience = 'backend' | 'session';

export interface ProxyTokens {
  /** A token for a request to the backend; a new one every 20 s, each valid for 60 s. */
  forBackend(): Promise<string>;
  forSession(): Promise<string>;
  /** Reports whether `token` is ours, for this audience, and not expired. */
  holds(token: string, audience: Audience): Promise<boolean>;
}

/** @param secret 32 bytes from a cryptographic source */
export function createProxyTokens(secret: Uint8Array, clock: Clock): ProxyTokens {
  const now = (): number => Math.floor(clock.now() / 1_000);
  const sign = (audience: Audience, life: number): Promise<string> =>
    new SignJWT()
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience(audience)
      .setIssuedAt(now())
      .setExpirationTime(now() + life)
      .sign(secret);
  let current: { readonly at: number; readonly token: Promise<string> } | null = null;
  return {
    forBackend() {
      const age = current === null ? Number.NaN : now() - current.at;
      if (current === null || !(age >= 0 && age < BACKEND_REUSE_S))
        current = { at: now(), token: sign('backend', BACKEND_LIFE_S) };
      return current.token;
    },
    forSession: () => sign('session', SESSION_LIFE_S),
    holds: (token, audience) =>
      jwtVerify(token, secret, {
        audience,
        algorithms: ['HS256'],
        currentDate: new Date(clock.now()),
        requiredClaims: ['exp', 'iat'],
      }).then(
        () => true,
        () => false,
      ),
  };
}
