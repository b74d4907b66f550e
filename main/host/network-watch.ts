// Main, host: notices that the computer changed its network (another Wi-Fi, a cable, a VPN): whatever is open may be dead, though nobody says so.
import type { NetworkInterfaceInfo } from 'node:os';
import { type Cancel, type Clock, every } from '../../shared/lib/clock.ts';

export type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>;

/** Between two looks, ms. */
const POLL_INTERVAL = 2_000;

/** @param read the computer's interfaces, as `os.networkInterfaces` tells them */
export function watchNetwork(clock: Clock, read: () => Interfaces, onChange: () => void): Cancel {
  let last = outward(read);
  return every(clock, POLL_INTERVAL, () => {
    const now = outward(read);
    // What went and was not replaced is no network to try yet.
    const isNew = now !== last && now !== '';
    last = now;
    if (isNew) onChange();
  });
}

/** The addresses by which other computers could be reached; "" where there are none, or nobody can say. */
function outward(read: () => Interfaces): string {
  try {
    return Object.entries(read())
      .flatMap(([name, addresses]) =>
        // Temporary IPv6 addresses change by the hour without anything having happened.
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
