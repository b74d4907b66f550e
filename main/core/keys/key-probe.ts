// Main, core: tries a key before it takes the place of another one: one question to the service, with that key.
import type { FetchLike } from '../../../client/request.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { Profile } from '../profiles/settings.ts';
import { createKeyedClient } from './keyed-client.ts';

/** accepted; refused: the service does not know it; untried: nobody can say, and `words` tell why. */
export type Probed =
  | { readonly outcome: 'accepted'; readonly words: null }
  | { readonly outcome: 'refused' | 'untried'; readonly words: string };
export type KeyProbe = (key: string) => Promise<Probed>;

export function createKeyProbe(profile: Profile, fetch: FetchLike, clock: Clock): KeyProbe {
  return async (key) => {
    const { baseUrl } = profile;
    if (baseUrl === null) return { outcome: 'untried', words: 'there is no address' };
    const { client } = createKeyedClient({ baseUrl, first: { key, obstacle: null }, profile, fetch, clock });
    const answer = await client.page('snapshot', { query: { limit: 1 } });
    client.close();
    if (answer.ok) return { outcome: 'accepted', words: null };
    const { kind, message } = answer.error;
    return { outcome: kind === 'unauthorized' ? 'refused' : 'untried', words: message };
  };
}
