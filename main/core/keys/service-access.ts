// Main, core: the client with the profile's key, and the check whether requests are allowed.
import type { Client } from '../../../client/client.ts';
import type { Interceptor } from '../../../client/request.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import { withoutRefusedFilters } from '../compat/refused-filters.ts';
import { withTheirSymbols } from '../compat/their-symbols.ts';
import type { Vocabulary } from '../compat/vocabulary.ts';
import { type ServiceSource, startMessage } from '../connection/service-source.ts';
import { type ConnectionStore, mayAsk } from '../connection/state.ts';
import type { CoreContext } from '../module.ts';
import { createPeer } from '../profiles/peer.ts';
import { createKeyedClient, type KeyInUse } from './keyed-client.ts';
import type { ProfileKeys } from './profile-keys.ts';

export interface ServiceAccess {
  readonly url: string;
  readonly client: Client;
  /** False while a request would be pointless or wrong. */
  mayAsk(): boolean;
  /** Message about why requests are not allowed. */
  unavailableReason(): Message;
}

export interface ServiceAccessDeps {
  readonly context: CoreContext;
  readonly source: ServiceSource;
  readonly keys: ProfileKeys | null;
  readonly connection: ConnectionStore;
  readonly vocabulary: Vocabulary;
  /** Receives every response. */
  readonly interceptor: Interceptor;
}

export function createServiceAccess(deps: ServiceAccessDeps): ServiceAccess {
  const { context, source, keys, connection, vocabulary, interceptor } = deps;
  const { ports, guard, events, profile } = context;
  // A service that starts with this program will be on this computer.
  const url = (): string => {
    const start = source.status();
    return start.kind === 'ready' ? start.service.baseUrl : 'http://127.0.0.1';
  };
  const inUse = (): KeyInUse => {
    const start = source.status();
    if (start.kind !== 'ready') return { key: null, reason: startMessage(source) };
    return keys?.inUse() ?? { key: start.service.key, reason: null };
  };
  const { client: keyed, use } = createKeyedClient({
    baseUrl: url,
    first: inUse(),
    profile,
    peer: createPeer(profile, ports.settings, ports.host?.listener),
    fetch: ports.fetch,
    clock: guard.clock,
    interceptor,
  });
  const client = withTheirSymbols(withoutRefusedFilters(keyed), vocabulary);
  keys?.onChange(() => {
    use(inUse());
    events.signal('keyChanged');
  });
  source.onChange(() => {
    if (source.status().kind === 'ready') use(inUse());
  });
  return {
    get url() {
      return url();
    },
    client,
    mayAsk: () => mayAsk(connection.current()),
    unavailableReason() {
      const { phase, outage } = connection.current();
      if (phase.name === 'refused') return phase.message;
      return outage?.cause ?? (phase.name === 'waiting' ? phase.cause : null) ?? message('connection.no_answer_yet');
    },
  };
}
