// Main, core: tries a new key with one request before it replaces another one.
import type { FetchLike } from '../../../client/request.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { Profile } from '../profiles/settings.ts';
import { createKeyedClient } from './keyed-client.ts';

/** accepted; refused: the service does not know it; untried: no result, for the reason in `message`. */
export type ProbeResult =
  | { readonly outcome: 'accepted'; readonly message: null }
  | { readonly outcome: 'refused' | 'untried'; readonly message: string };
export type KeyProbe = (key: string) => Promise<ProbeResult>;

export function createKeyProbe(profile: Profile, fetch: FetchLike, clock: Clock): KeyProbe {
  return async (key) => {
    const { baseUrl } = profile;
    if (baseUrl === null) return { outcome: 'untried', message: 'there is no address' };
    const { client } = createKeyedClient({ baseUrl, first: { key, reason: null }, profile, fetch, clock });
    const answer = await client.page('snapshot', { query: { limit: 1 } });
    client.close();
    if (answer.ok) return { outcome: 'accepted', message: null };
    const { kind, message } = answer.error;
    return { outcome: kind === 'unauthorized' ? 'refused' : 'untried', message: message };
  };
}
