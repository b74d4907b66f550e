// Main, host: notices a change of network (Wi-Fi, cable, VPN): open connections may be dead.
import type { NetworkInterfaceInfo } from 'node:os';
import { type Cancel, type Clock, every } from '../../shared/lib/clock.ts';

export type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>;

/** Poll interval, ms. */
const POLL_INTERVAL = 2_000;

/** @param read returns `os.networkInterfaces()` */
export function watchNetwork(clock: Clock, read: () => Interfaces, onChange: () => void): Cancel {
  let last = outward(read);
  return every(clock, POLL_INTERVAL, () => {
    const now = outward(read);
    // Without any address there is nothing to reconnect to.
    const isNew = now !== last && now !== '';
    last = now;
    if (isNew) onChange();
  });
}

/**
 * Addresses by which other computers could reach this one; "" where there are none, or the system fails.
 */
function outward(read: () => Interfaces): string {
  try {
    return Object.entries(read())
      .flatMap(([name, addresses]) =>
        // Temporary IPv6 addresses change hourly without a change of network.
        (addresses ?? [])
          .filter(({ internal, family }) => !internal && family === 'IPv4')
          .map(({ address }) => `${name} ${address}`),
      )
      .sort()
      .join(',');
  } catch {
    return '';
  }
}
