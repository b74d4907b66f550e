// Main, core: the client of a profile, whose key may change while it runs. Until there is one that may be used, it sends nothing.
import { checkService, type Service } from '../../../client/address.ts';
import { type Client, createClient, createRefusingClient } from '../../../client/client.ts';
import { createCredentials } from '../../../client/credentials.ts';
import { problem, type ServiceProblem } from '../../../client/problem.ts';
import type { FetchLike, Interceptor } from '../../../client/request.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { err, type Result } from '../../../shared/lib/result.ts';
import type { Profile } from '../profiles/settings.ts';

/** What a client may use now. */
export interface KeyInUse {
  readonly key: string | null;
  /** Why nothing may be sent, as text; null where it may. */
  readonly reason: string | null;
}

export interface KeyedClient {
  readonly client: Client;
  /** Ends what is under way and goes on with another key. */
  use(next: KeyInUse): void;
}

export interface KeyedClientOptions {
  readonly baseUrl: Service['baseUrl'];
  readonly first: KeyInUse;
  readonly profile: Profile;
  readonly fetch: FetchLike;
  readonly clock: Clock;
  /** Sees what comes back. */
  readonly interceptor?: Interceptor;
}

export function createKeyedClient({
  baseUrl,
  first,
  profile,
  fetch,
  clock,
  interceptor,
}: KeyedClientOptions): KeyedClient {
  const asker = { name: `profile ${profile.name}`, environment: profile.environment };
  let key: string | null = null;
  let isClosed = false;

  const make = (next: KeyInUse): Client => {
    key = next.key;
    if (next.reason !== null) return createRefusingClient(problem('not_sent', next.reason));
    const address = checkService({ baseUrl, key }, asker);
    return address.ok
      ? createClient({
          base: address.value,
          credentials: createCredentials(key, profile.mode),
          fetch,
          clock,
          interceptor,
        })
      : createRefusingClient(address.error);
  };
  let now = make(first);

  /** A service that repeats the key in its complaint must not bring it into the ledger, the log or the window. */
  const withoutKey = async <Value>(
    pending: Promise<Result<Value, ServiceProblem>>,
  ): Promise<Result<Value, ServiceProblem>> => {
    const used = key;
    const answer = await pending;
    if (answer.ok || used === null || !answer.error.message.includes(used)) return answer;
    return err({ ...answer.error, message: answer.error.message.replaceAll(used, '[hidden]') });
  };

  return {
    client: {
      get baseUrl() {
        return now.baseUrl;
      },
      call: (name, ask) => withoutKey(now.call(name, ask)),
      read: (name, ask) => withoutKey(now.read(name, ask)),
      page: (name, ask) => withoutKey(now.page(name, ask)),
      openStream: (ask, headers, signal) => withoutKey(now.openStream(ask, headers, signal)),
      close() {
        isClosed = true;
        now.close();
      },
    },
    use(next) {
      now.close();
      now = make(next);
      if (isClosed) now.close();
    },
  };
}
