// Service, proxy: sessions of the dashboard; a one-time token is traded for one, once.
// Token and session end with their key. Only digests are stored, so that neither the store nor the time of a lookup
// reveals a session.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import { MINUTE_MS } from '../../shared/lib/time.ts';
import { DASHBOARD_SCOPES, type DashboardScope, formSession } from '../../shared/wire/dashboard.ts';
import { type KeyScope, scopeCovers } from '../../shared/wire/keys.ts';
import type { Logger } from '../logger.ts';

/** An unused token expires after this. */
const TOKEN_LIFE_MS = 10 * MINUTE_MS;
/** Long enough for a monitor that is signed in once a month. */
export const SESSION_LIFE_MS = 30 * 24 * 60 * MINUTE_MS;
/**
 * Of tokens and of sessions; one more ends the oldest of the key that has most, so that no key ends those of
 * another.
 */
const MOST = 200;
const SECRET_BYTES = 32;

export interface DashboardSession {
  readonly scopes: readonly DashboardScope[];
  /** Wall ms. */
  readonly expires: number;
  /** Id of the key that made its link; null for the link that the service printed. */
  readonly key: string | null;
}

export interface DashboardSessions {
  /**
   * A new one-time token for a session of these scopes.
   * @param key id of the key that asks for it; null: the service itself
   */
  issue(scopes: readonly DashboardScope[], key: string | null): string;
  /** @returns null where the token is unknown, used or too old, or its key has ended */
  trade(token: string): (DashboardSession & { readonly session: string }) | null;
  /** What a session may do now; null where it is unknown or over, or its key has ended. */
  find(session: string): DashboardSession | null;
  /** @throws what the store threw: the session is over now, and could be back after a restart */
  end(session: string): void;
}

/** Where sessions outlive the process, as far as its store does. */
export interface SessionStore {
  read(): string | null;
  write(text: string): void;
}

export interface SessionDeps {
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Buffer;
  readonly store: SessionStore;
  readonly logger: Logger;
  /** The scope of a live key, by its id; null where it has ended. Asked at every request. */
  readonly scopeOfKey: (id: string) => KeyScope | null;
}

const StoredSchema = z.array(
  z.tuple([
    z.string(),
    z.object({ scopes: z.array(z.enum(DASHBOARD_SCOPES)), expires: z.number(), key: z.string().nullable() }),
  ]),
);

/** What a key needs to give a scope. */
const NEEDED: Readonly<Record<DashboardScope, KeyScope>> = {
  read: 'read',
  trigger: 'read',
  subscriptions: 'webhooks',
  account: 'account',
};
/** Of these scopes, what a key of this scope may do. */
export const withinKey = (scopes: readonly DashboardScope[], key: KeyScope): DashboardScope[] =>
  scopes.filter((scope) => scopeCovers(key, NEEDED[scope]));

const digest = (secret: string): string => createHash('sha256').update(secret).digest('base64');

export function createDashboardSessions({
  clock,
  randomBytes,
  store,
  logger,
  scopeOfKey,
}: SessionDeps): DashboardSessions {
  const tokens = new Map<string, DashboardSession>();
  const sessions = new Map<string, DashboardSession>(readStored(store.read()));
  const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');
  const live = (one: DashboardSession | undefined): DashboardSession | null => {
    if (one === undefined || one.expires <= clock.now()) return null;
    if (one.key === null) return one;
    const scope = scopeOfKey(one.key);
    return scope === null ? null : { ...one, scopes: withinKey(one.scopes, scope) };
  };
  const put = (map: Map<string, DashboardSession>, secret: string, one: DashboardSession): string => {
    map.set(digest(secret), one);
    if (map.size > MOST) endOldest(map);
    return secret;
  };
  const save = (): void => {
    for (const [name, one] of sessions) if (live(one) === null) sessions.delete(name);
    store.write(JSON.stringify([...sessions]));
  };
  const trySave = (): void => {
    try {
      save();
    } catch (error) {
      logger.warn(
        { error: messageOf(error) },
        'sessions of the dashboard cannot be written; new ones end with this run',
      );
    }
  };

  return {
    issue: (scopes, key) => put(tokens, newSecret(), { scopes, key, expires: clock.now() + TOKEN_LIFE_MS }),
    trade(token) {
      const name = digest(token);
      const found = live(tokens.get(name));
      tokens.delete(name);
      if (found === null) return null;
      const { scopes, key } = found;
      const expires = clock.now() + SESSION_LIFE_MS;
      const session = put(sessions, formSession(newSecret()), { scopes, key, expires });
      trySave();
      return { session, scopes, expires, key };
    },
    find: (session) => live(sessions.get(digest(session))),
    end(session) {
      if (sessions.delete(digest(session))) save();
    },
  };
}

/** Ends the oldest of the key that has most. */
function endOldest(map: Map<string, DashboardSession>): void {
  const names = Map.groupBy(map.keys(), (name) => map.get(name)?.key ?? null);
  const most = [...names.values()].reduce((heaviest, some) => (some.length > heaviest.length ? some : heaviest));
  if (most[0] !== undefined) map.delete(most[0]);
}

/** Sessions that cannot be read are over. */
function readStored(text: string | null): [string, DashboardSession][] {
  try {
    return StoredSchema.parse(JSON.parse(text ?? '[]'));
  } catch {
    return [];
  }
}
