// Service, network: the proxies that are trusted to report the address of a client. Pure.
import { BlockList, isIP, isIPv6 } from 'node:net';
import { plainAddress } from './address.ts';

/** Whether an address is that of a trusted proxy. */
export type ProxyTrust = (address: string) => boolean;

/**
 * @param text addresses and networks, separated by commas: `10.0.0.4,10.1.0.0/16`
 * @returns an error message, or the check
 */
export function parseTrustedProxies(text: string): string | ProxyTrust {
  const list = new BlockList();
  for (const part of text.split(',').map((one) => one.trim())) {
    const [, address = '', digits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(part) ?? [];
    const family = isIP(address);
    const most = family === 6 ? 128 : 32;
    const prefix = digits === undefined ? most : Number(digits);
    if (family === 0 || prefix > most || address.includes('%'))
      return 'It must be addresses or networks of proxies, like 10.0.0.4,10.1.0.0/16.';
    if (prefix === 0) return `${part} is every address there is; name those of the proxy alone.`;
    list.addSubnet(address, prefix, family === 6 ? 'ipv6' : 'ipv4');
  }
  return (address) => {
    const plain = plainAddress(address);
    return isIP(plain) !== 0 && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  };
}
