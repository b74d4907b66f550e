// Main, core: tries a new key with one request before its use, and signs in to a dashboard.
import { readDashboardAddress, signIn } from '../../../client/dashboard.ts';
import type { Peer } from '../../../client/key-gate.ts';
import type { FetchLike } from '../../../client/request.ts';
import { refused } from '../../../shared/channels/channel.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { plainMessage } from '../../../shared/text/message.ts';
import { isDashboardSession } from '../../../shared/wire/dashboard.ts';
import type { Profile } from '../profiles/settings.ts';
import { createKeyedClient } from './keyed-client.ts';

/** accepted; refused: the service does not know it; untried: no result, for the reason in `message`. */
export type ProbeResult =
  | { readonly outcome: 'accepted'; readonly message: null }
  | { readonly outcome: 'refused' | 'untried'; readonly message: string };
export type KeyProbe = (key: string) => Promise<ProbeResult>;

/** Exchanges the one-time link of a dashboard for a session; returns a session unchanged. */
export function createSignIn(fetch: FetchLike, clock: Clock): (link: string) => Promise<string> {
  return async (text) => {
    const link = isDashboardSession(text) ? null : readDashboardAddress(text);
    if (link === null) return text;
    const session = await signIn(link, fetch, clock.now);
    if (session.ok) return session.value;
    throw refused(plainMessage(session.error.message));
  };
}

export function createKeyProbe(profile: Profile, fetch: FetchLike, clock: Clock, peer: Peer): KeyProbe {
  return async (key) => {
    const { baseUrl } = profile;
    if (baseUrl === null) return { outcome: 'untried', message: 'there is no address' };
    const { client } = createKeyedClient({
      baseUrl: () => baseUrl,
      first: { key, reason: null },
      profile,
      peer,
      fetch,
      clock,
    });
    const answer = await client.page('snapshot', { query: { limit: 1 } });
    client.close();
    if (answer.ok) return { outcome: 'accepted', message: null };
    const { kind, code, message } = answer.error;
    // A service that cannot prove that it knows the key would refuse it, or is another program.
    const isRefused = kind === 'unauthorized' || (kind === 'unproven' && code !== 'unknown_owner');
    return { outcome: isRefused ? 'refused' : 'untried', message };
  };
}
