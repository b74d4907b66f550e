// Main, core: the permitted targets of the relay, and their filters.
// Targets are programs on this computer and in its own network, unless the user allowed more.
import ipaddr from 'ipaddr.js';
import type { TargetFilter } from '../../../shared/channels/relay.ts';
import type { State } from '../../../shared/domain/states.ts';
import { type Message, message } from '../../../shared/text/message.ts';

const NEAR: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

/**
 * True for this computer and for networks that the Internet does not route. Not for link-local ones: clouds
 * serve credentials there.
 */
export function isNear(address: string): boolean {
  return ipaddr.isValid(address) && NEAR.has(ipaddr.process(address).range());
}

const bareHost = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');
const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);
export const isThisComputer = (url: URL): boolean =>
  isLocalName(bareHost(url)) || (ipaddr.isValid(bareHost(url)) && ipaddr.process(bareHost(url)).range() === 'loopback');

/**
 * Checks an address before it is stored. A name is checked again at every attempt, by its resolved address.
 * @param own port of this relay, which may not be a target
 * @returns why it may not be a target; null: it may
 */
export function targetProblem(text: string, allowPublic: boolean, own: number | null): Message | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.port === '0')
    return message('target.not_url', { url: text });
  if (url.username !== '' || url.password !== '') return message('target.password');
  if (isThisComputer(url) && own !== null && portOf(url) === own) return message('target.own');
  const host = bareHost(url);
  if (ipaddr.isValid(host) && !isNear(host) && !allowPublic) return message('target.public', { host });
  return null;
}

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

/** The fields of an event that a filter reads. */
export interface FilterableEvent {
  readonly event: string;
  readonly symbol: string | null;
  /** signal.* only. */
  readonly state: State | null;
}

export const passes = ({ events, symbols, states }: TargetFilter, { event, symbol, state }: FilterableEvent): boolean =>
  (events === null || events.includes(event)) &&
  (symbols === null || symbol === null || symbols.includes(symbol)) &&
  (states === null || state === null || states.includes(state));
