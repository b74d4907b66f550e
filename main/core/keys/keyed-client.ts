// Main, core: the client of a profile, whose key may change. Without a valid key it sends nothing.
import { checkService, type Service } from '../../../client/address.ts';
import { type Client, createClient, createRefusingClient } from '../../../client/client.ts';
import type { Peer } from '../../../client/key-gate.ts';
import { problem, type ServiceProblem, WITHOUT_KEY } from '../../../client/problem.ts';
import type { FetchLike, Interceptor } from '../../../client/request.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { err, type Result } from '../../../shared/lib/result.ts';
import { type Message, textOf } from '../../../shared/text/message.ts';
import { withoutEcho } from '../compat/echo.ts';
import type { Profile } from '../profiles/settings.ts';

/** The key and its permission. */
export interface KeyInUse {
  readonly key: string | null;
  /** Why no request may be sent; null where one may. */
  readonly reason: Message | null;
}

export interface KeyedClient {
  readonly client: Client;
  /** Aborts running calls and continues with another key. */
  use(next: KeyInUse): void;
}

export interface KeyedClientOptions {
  /** Read at each change of the key. */
  readonly baseUrl: () => Service['baseUrl'];
  readonly first: KeyInUse;
  readonly profile: Profile;
  readonly peer: Peer;
  readonly fetch: FetchLike;
  readonly clock: Clock;
  /** Receives every response. */
  readonly interceptor?: Interceptor;
}

export function createKeyedClient({
  baseUrl,
  first,
  profile,
  peer,
  fetch,
  clock,
  interceptor,
}: KeyedClientOptions): KeyedClient {
  const asker = { name: `profile ${profile.name}`, environment: profile.environment };
  let key: string | null = null;
  let isClosed = false;

  const make = (next: KeyInUse): Client => {
    key = next.key;
    if (next.reason !== null) return createRefusingClient(problem('not_sent', textOf(next.reason)));
    const address = checkService({ baseUrl: baseUrl(), key }, asker);
    return address.ok
      ? createClient({
          base: address.value,
          key,
          mode: profile.mode,
          peer,
          fetch,
          clock,
          interceptor,
        })
      : createRefusingClient(address.error);
  };
  let now = make(first);

  /**
   * An echo of the key in the service's error must not enter ledger, log or window. A 401 to a request
   * without a key is marked, so that no message asks the user to replace a key.
   */
  const withoutKey = async <Value>(
    pending: Promise<Result<Value, ServiceProblem>>,
  ): Promise<Result<Value, ServiceProblem>> => {
    const used = key;
    const answer = await pending;
    if (answer.ok) return answer;
    const { message, code, beginning, ...rest } = answer.error;
    // A dashboard signs requests itself, so no key is missing there.
    const isWithoutKey = used === null && rest.kind === 'unauthorized' && profile.mode !== 'proxy';
    return err({
      ...rest,
      message: withoutEcho(message, used),
      code: isWithoutKey ? WITHOUT_KEY : withoutEcho(code, used),
      ...(beginning === undefined ? {} : { beginning: withoutEcho(beginning, used) }),
    });
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
