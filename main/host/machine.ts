// Main, host: the machine's facilities that the application needs. A shell passes them in.
import type { ListenerReader } from '../../client/key-gate.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { KeychainStarter } from '../core/keys/keychain.ts';
import type { FetchLike } from '../core/ports.ts';
import type { ProxyResolver } from './network-path.ts';
import type { Interfaces } from './network-watch.ts';

export interface Machine {
  readonly clock: Clock;
  readonly random: () => number;
  readonly platform: NodeJS.Platform;
  readonly environment: NodeJS.ProcessEnv;
  readonly fetch: FetchLike;
  /** Names the proxy that `fetch` uses for an address; absent: it uses none. */
  readonly findProxy?: ProxyResolver;
  /** The computer's network interfaces; absent: changes of the network are not noticed. */
  readonly interfaces?: () => Interfaces;
  /** Finds whose program listens at an address of this computer; absent: unknown. */
  readonly listener?: ListenerReader;
  /** Starts the process that asks the system's keychain. */
  readonly startKeychain: KeychainStarter;
}
