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

/** Where sessions outlive the process, as far as its store does. Nodes of a cluster share it. */
export interface SessionStore {
  read(): string | null;
  /** Atomic. `change` may run again where another node wrote first, so it changes nothing else. */
  update(change: (text: string | null) => string): void;
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
  /** Begun while the store took nothing: they last as long as this process. */
  const unsaved = new Map<string, DashboardSession>();
  /** Ended while the store took nothing, and still in it. */
  const ended = new Set<string>();
  let known = { text: '', sessions: new Map<string, DashboardSession>() };
  /** Asked at every request: another node may have begun or ended one. */
  const stored = (name: string): DashboardSession | undefined => {
    const text = store.read() ?? '[]';
    if (text !== known.text) known = { text, sessions: readStored(text) };
    return ended.has(name) ? undefined : known.sessions.get(name);
  };
  const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');
  const live = (one: DashboardSession | undefined): DashboardSession | null => {
    if (one === undefined || one.expires <= clock.now()) return null;
    if (one.key === null) return one;
    const scope = scopeOfKey(one.key);
    return scope === null ? null : { ...one, scopes: withinKey(one.scopes, scope) };
  };
  const put = (map: Map<string, DashboardSession>, name: string, one: DashboardSession): void => {
    map.set(name, one);
    if (map.size > MOST) endOldest(map);
  };
  /** Changes the sessions of the store; those that are over leave it. */
  const update = (change: (sessions: Map<string, DashboardSession>) => void): void =>
    store.update((text) => {
      const sessions = readStored(text);
      for (const [name, one] of sessions) if (ended.has(name) || live(one) === null) sessions.delete(name);
      change(sessions);
      return JSON.stringify([...sessions]);
    });
  const begin = (name: string, one: DashboardSession): void => {
    try {
      update((sessions) => put(sessions, name, one));
    } catch (error) {
      logger.warn(
        { error: messageOf(error) },
        'sessions of the dashboard cannot be written; new ones end with this run',
      );
      put(unsaved, name, one);
    }
  };

  return {
    issue(scopes, key) {
      const token = newSecret();
      put(tokens, digest(token), { scopes, key, expires: clock.now() + TOKEN_LIFE_MS });
      return token;
    },
    trade(token) {
      const name = digest(token);
      const found = live(tokens.get(name));
      tokens.delete(name);
      if (found === null) return null;
      const { scopes, key } = found;
      const expires = clock.now() + SESSION_LIFE_MS;
      const session = formSession(newSecret());
      begin(digest(session), { scopes, key, expires });
      return { session, scopes, expires, key };
    },
    find(session) {
      const name = digest(session);
      return live(unsaved.get(name) ?? stored(name));
    },
    end(session) {
      const name = digest(session);
      if (unsaved.delete(name) || stored(name) === undefined) return;
      ended.add(name);
      update((sessions) => sessions.delete(name));
      ended.delete(name);
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
function readStored(text: string | null): Map<string, DashboardSession> {
  try {
    return new Map(StoredSchema.parse(JSON.parse(text ?? '[]')));
  } catch {
    return new Map();
  }
}
