// Main, Node shell: sessions of windows. The page exchanges a one-time token for a session, once.
// Only digests are stored, so that the time of a lookup does not depend on how much of it was guessed. A
// session proves itself by HMACs under its digest (`shared/channels/link-proof.ts`).
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { SESSION_ID_TEXT } from '../../shared/channels/link-proof.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import { TOKEN_LIFE } from '../host/launch-page.ts';

export interface Sessions {
  /** A new token for a window on `profile`. */
  issue(profile: string): string;
  /** @returns the session, or null where the token is unknown, used or too old */
  trade(token: string): string | null;
  /** The session with this id, or null where it is unknown. */
  find(id: string): { readonly profile: string; sign(text: string): string } | null;
}

const newSecret = (): string => randomBytes(32).toString('base64url');
const digest = (secret: string): string => createHash('sha256').update(secret).digest('base64');

export function createSessions(clock: Clock): Sessions {
  const tokens = new Map<string, { profile: string; forget: () => void }>();
  const sessions = new Map<string, NonNullable<ReturnType<Sessions['find']>>>();
  return {
    issue(profile) {
      const token = newSecret();
      const name = digest(token);
      tokens.set(name, { profile, forget: clock.after(TOKEN_LIFE, () => tokens.delete(name)) });
      return token;
    },
    trade(token) {
      const name = digest(token);
      const found = tokens.get(name);
      if (found === undefined) return null;
      tokens.delete(name);
      found.forget();
      const session = newSecret();
      const key = createHash('sha256').update(session).digest('hex');
      const sign = (text: string): string => createHmac('sha256', key).update(text).digest('hex');
      sessions.set(sign(SESSION_ID_TEXT), { profile: found.profile, sign });
      return session;
    },
    find: (id) => sessions.get(id) ?? null,
  };
}
