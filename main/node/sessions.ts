// Main, Node shell: who may open a window. A one-time token in an address is traded once, by the page, for a session; the session opens the link.
// Only digests are kept, so that looking one up takes no time that depends on how much of it was guessed.
import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../../shared/lib/clock.ts';

export interface Sessions {
  /** A new token for a window on `profile`. */
  issue(profile: string): string;
  /** @returns the session, or null where the token is unknown, used or too old */
  trade(token: string): string | null;
  /** The profile that a session shows, or null where it is unknown. */
  profileOf(session: string): string | null;
}

/** A token that nobody has used is forgotten after this, ms. */
export const TOKEN_LIFE = 60_000;

export const newSecret = (): string => randomBytes(32).toString('base64url');
const digest = (secret: string): string => createHash('sha256').update(secret).digest('base64');

export function createSessions(clock: Clock): Sessions {
  const tokens = new Map<string, { profile: string; forget: () => void }>();
  const sessions = new Map<string, string>();
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
      sessions.set(digest(session), found.profile);
      return session;
    },
    profileOf: (session) => sessions.get(digest(session)) ?? null,
  };
}
