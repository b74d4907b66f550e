// Service, webhooks: the allowed targets of deliveries.
// A target is checked at the subscription and again before every attempt, and the attempt connects to the
// checked addresses, so that a name cannot resolve elsewhere in between.
import ipaddr from 'ipaddr.js';
import { err, messageOf, ok, type Result } from '../../shared/lib/result.ts';
import type { Address } from '../network/request.ts';

/** All addresses of a name. @throws when it has none */
export type Resolver = (name: string) => Promise<string[]>;

export type Refusal = { readonly why: 'forbidden' | 'unresolved'; readonly message: string };

export interface TargetRules {
  readonly allowLoopback: boolean;
  readonly resolve: Resolver;
}

/** A name for this computer, whatever a name server answers (RFC 6761). */
export const LOCAL_NAME = /(^|\.)localhost\.?$/;

const forbidden = (message: string): Result<never, Refusal> => err({ why: 'forbidden', message });

/**
 * The URL parser has normalized every spelling of an IPv4 address (decimal, octal, hex) to dotted form, and
 * put IPv6 in brackets.
 */
export const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** What is assigned of IPv6 (RFC 4291); `range()` also calls everything unicast that it has no name for. */
const ASSIGNED_IPV6 = ipaddr.IPv6.parse('2000::');
const ASSIGNED_BITS = 3;

/** Only globally routed addresses are public; an IPv4 address embedded in an IPv6 one is checked as IPv4. */
export function classifyAddress(text: string): 'public' | 'loopback' | 'private' {
  const address = ipaddr.process(text);
  const range = address.range();
  if (range === 'loopback') return 'loopback';
  const isAssigned = address instanceof ipaddr.IPv4 || address.match(ASSIGNED_IPV6, ASSIGNED_BITS);
  return range === 'unicast' && isAssigned ? 'public' : 'private';
}

export const addressOf = (text: string): Address => ({
  address: text,
  family: ipaddr.parse(text).kind() === 'ipv4' ? 4 : 6,
});

/**
 * The current addresses of a target. Resolves names; every address must be allowed.
 * @param url an http or https address
 */
export async function reach(url: URL, { allowLoopback, resolve }: TargetRules): Promise<Result<Address[], Refusal>> {
  if (url.username !== '' || url.password !== '')
    return forbidden('an address with a user name or a password is not accepted');
  if (url.port === '0') return forbidden('port 0 is no address: nothing can listen there');
  const host = bareHost(url);
  const literal = ipaddr.isValid(host);
  if (LOCAL_NAME.test(host) || (literal && classifyAddress(host) === 'loopback')) {
    if (!allowLoopback)
      return forbidden(
        'this computer itself is no target here; the service allows it when it is started with --allow-loopback',
      );
    return ok(literal ? [addressOf(host)] : [addressOf('127.0.0.1'), addressOf('::1')]);
  }
  if (url.protocol !== 'https:') return forbidden('must begin with https://; http:// is for this computer only');
  if (literal) {
    return classifyAddress(host) === 'public'
      ? ok([addressOf(host)])
      : forbidden(`${host} is an address of a private or reserved network`);
  }
  let addresses: string[];
  try {
    addresses = await resolve(host);
  } catch (error) {
    return err({ why: 'unresolved', message: `${host} cannot be resolved: ${messageOf(error)}` });
  }
  const barred = addresses.find((address) => !ipaddr.isValid(address) || classifyAddress(address) !== 'public');
  if (barred !== undefined)
    return forbidden(`${host} points to ${barred}, an address of a private or reserved network`);
  return ok(addresses.map(addressOf));
}
