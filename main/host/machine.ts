// Main, host: the machine's facilities that the application needs. A shell passes them in.
import { networkInterfaces } from 'node:os';
import type { ListenerReader } from '../../client/key-gate.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { FindProxy } from '../../shared/lib/proxy.ts';
import type { KeychainStarter } from '../core/keys/keychain.ts';
import type { FetchLike, ProcessStarter } from '../core/ports.ts';
import { createListenerReader } from './listener.ts';
import type { Interfaces } from './network-watch.ts';
import { systemClock } from './system-clock.ts';

export interface Machine extends PlainMachine {
  readonly fetch: FetchLike;
  /** The proxy of an address, for `fetch` and the service inside the app; absent: none. */
  readonly findProxy?: FindProxy;
  /** Starts the process that asks the system's keychain. */
  readonly startKeychain: KeychainStarter;
  /** Starts the process that draws a picture; absent: none is drawn. */
  readonly startPicture?: ProcessStarter<string>;
}

/** What Electron's main process has as any Node has it. */
export interface PlainMachine {
  readonly clock: Clock;
  readonly random: () => number;
  readonly platform: NodeJS.Platform;
  readonly environment: NodeJS.ProcessEnv;
  /** The computer's network interfaces; absent: changes of the network are not noticed. */
  readonly interfaces?: () => Interfaces;
  /** Finds whose program listens at an address of this computer; absent: unknown. */
  readonly listener?: ListenerReader;
}

export const plainMachine = (environment: NodeJS.ProcessEnv): PlainMachine => ({
  clock: systemClock,
  random: Math.random,
  platform: process.platform,
  environment,
  interfaces: networkInterfaces,
  listener: createListenerReader(),
});
