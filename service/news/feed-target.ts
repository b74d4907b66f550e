// Service, news: the addresses from which a feed may be fetched.
// A private address that the operator lists is allowed; a public name or a redirect that leads into a private
// network is not.
import ipaddr from 'ipaddr.js';
import { err, messageOf, ok, type Result } from '../../shared/lib/result.ts';
import type { Address } from '../network/request.ts';
import { addressOf, bareHost, classifyAddress, LOCAL_NAME, type Resolver } from '../webhooks/target.ts';

/**
 * @param named whether the address is in the list of feeds itself
 * @param isProxied whether a proxy connects, which resolves the name itself; this computer may be unable to
 * @returns the checked addresses; a direct connection uses no others
 */
export async function reachFeed(
  url: URL,
  named: boolean,
  resolve: Resolver,
  isProxied: boolean,
): Promise<Result<Address[], string>> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return err('must begin with https:// or http://');
  if (url.username !== '' || url.password !== '')
    return err('an address with a user name or a password is not accepted');
  const host = bareHost(url);
  const literal = ipaddr.isValid(host);
  if (LOCAL_NAME.test(host))
    return named ? ok([addressOf('127.0.0.1'), addressOf('::1')]) : err('it leads to this computer');
  if (literal)
    return named || classifyAddress(host) === 'public'
      ? ok([addressOf(host)])
      : err(`it leads to ${host}, an address of a private or reserved network`);
  let addresses: string[];
  try {
    addresses = await resolve(host);
  } catch (error) {
    return isProxied ? ok([]) : err(`${host} cannot be resolved: ${messageOf(error)}`);
  }
  const barred = addresses.find((address) => !ipaddr.isValid(address) || classifyAddress(address) !== 'public');
  if (barred !== undefined) return err(`${host} points to ${barred}, an address of a private or reserved network`);
  return ok(addresses.map(addressOf));
}
