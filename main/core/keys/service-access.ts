// Main, core: the client with the profile's key, and the check whether requests are allowed.
import type { Service } from '../../../client/address.ts';
import type { Client } from '../../../client/client.ts';
import type { Interceptor } from '../../../client/request.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import { withoutRefusedFilters } from '../compat/refused-filters.ts';
import { withTheirSymbols } from '../compat/their-symbols.ts';
import type { Vocabulary } from '../compat/vocabulary.ts';
import { type ConnectionStore, mayAsk } from '../connection/state.ts';
import type { CoreContext } from '../module.ts';
import { createPeer } from '../profiles/peer.ts';
import { createKeyedClient } from './keyed-client.ts';
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
  readonly service: Service;
  readonly keys: ProfileKeys | null;
  readonly connection: ConnectionStore;
  readonly vocabulary: Vocabulary;
  /** Receives every response. */
  readonly interceptor: Interceptor;
}

export function createServiceAccess(deps: ServiceAccessDeps): ServiceAccess {
  const { context, service, keys, connection, vocabulary, interceptor } = deps;
  const { ports, guard, events, profile } = context;
  const { client: keyed, use } = createKeyedClient({
    baseUrl: service.baseUrl,
    first: keys?.inUse() ?? { key: service.key, reason: null },
    profile,
    peer: createPeer(profile, ports.settings, ports.host?.listener),
    fetch: ports.fetch,
    clock: guard.clock,
    interceptor,
  });
  const client = withTheirSymbols(withoutRefusedFilters(keyed), vocabulary);
  keys?.onChange(() => {
    use(keys.inUse());
    events.signal('keyChanged');
  });
  return {
    url: service.baseUrl,
    client,
    mayAsk: () => mayAsk(connection.current()),
    unavailableReason() {
      const { phase, outage } = connection.current();
      if (phase.name === 'refused') return phase.message;
      return outage?.cause ?? (phase.name === 'waiting' ? phase.cause : null) ?? message('connection.no_answer_yet');
    },
  };
}
