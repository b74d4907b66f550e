// Service, webhooks: resolves names by the name servers of this computer.
// Must not use getaddrinfo: it blocks one of four threads per name, and a few dead name servers would delay
// every other delivery.
import { Resolver as NameServers } from 'node:dns/promises';
import type { Resolver } from './target.ts';

const TRY_MS = 2_000;
const TRIES = 2;

/** @param servers name servers as `address:port`; default: those of this computer */
export function createResolve(servers?: readonly string[]): Resolver {
  return async (name) => {
    const resolver = new NameServers({ timeout: TRY_MS, tries: TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    throw four.status === 'rejected' ? four.reason : new Error('no address');
  };
}
