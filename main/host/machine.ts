// Main, host: the machine's facilities that the application needs. A shell passes them in.
import type { ListenerReader } from '../../client/key-gate.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { FindProxy } from '../../shared/lib/proxy.ts';
import type { KeychainStarter } from '../core/keys/keychain.ts';
import type { FetchLike } from '../core/ports.ts';
import type { Interfaces } from './network-watch.ts';

export interface Machine {
  readonly clock: Clock;
  readonly random: () => number;
  readonly platform: NodeJS.Platform;
  readonly environment: NodeJS.ProcessEnv;
  readonly fetch: FetchLike;
  /** The proxy of an address, for `fetch` and the service inside the app; absent: none. */
  readonly findProxy?: FindProxy;
  /** The computer's network interfaces; absent: changes of the network are not noticed. */
  readonly interfaces?: () => Interfaces;
  /** Finds whose program listens at an address of this computer; absent: unknown. */
  readonly listener?: ListenerReader;
  /** Starts the process that asks the system's keychain. */
  readonly startKeychain: KeychainStarter;
}
