// Service, webhooks: resolves names by the name servers of this computer.
// Must not use getaddrinfo: it blocks one of four threads per name, and a few dead name servers would delay
// every other delivery.
import { Resolver as NameServers } from 'node:dns/promises';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import type { Resolver } from './target.ts';

const TRY_MS = 2_000;
const TRIES = 2;
/**
 * How long a family that has addresses waits for the other one. Name servers that drop questions for AAAA would
 * otherwise delay every delivery by all their tries; what is not known is not connected to either.
 */
const OTHER_FAMILY_MS = 500;

/** @param servers name servers as `address:port`; default: those of this computer */
export function createResolve(clock: Clock, servers?: readonly string[]): Resolver {
  return async (name) => {
    const resolver = new NameServers({ timeout: TRY_MS, tries: TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const waits: Cancel[] = [];
    const asked = async (answer: Promise<string[]>): Promise<string[]> => {
      const ofFamily = await answer;
      if (ofFamily.length > 0) waits.push(clock.after(OTHER_FAMILY_MS, () => resolver.cancel()));
      return ofFamily;
    };
    const [four, six] = await Promise.allSettled([asked(resolver.resolve4(name)), asked(resolver.resolve6(name))]);
    for (const stopWaiting of waits) stopWaiting();
    const addresses = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    throw four.status === 'rejected' ? four.reason : new Error('no address');
  };
}
