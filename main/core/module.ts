// Main, core: the interface of a module, and functions that combine modules.

import type { CoreChannels } from '../../shared/channels/channels.ts';
import type { Handlers } from '../../shared/channels/ends.ts';
import type { CalendarOf } from '../../shared/domain/sessions.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { EventBus, Followers } from './events.ts';
import type { Guard } from './guard.ts';
import type { Logger, Ports } from './ports.ts';
import type { Profile } from './profiles/settings.ts';
import type { WorldClock } from './time/world-clock.ts';

export interface CoreModule {
  /** Handlers of the window's calls; each call has one module. */
  readonly handlers?: Partial<Handlers<CoreChannels>>;
  /** Followers of the core's events. */
  readonly on?: Followers;
  start?(): void | Promise<void>;
  stop?(): void | Promise<void>;
}

type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type HandlersOf<Module> = Module extends { readonly handlers: infer Own } ? Own : never;

/** Objects that every module may use. */
export interface CoreContext {
  readonly ports: Ports;
  /** Folder of this profile, with ledger and archive. ":memory:" keeps everything in memory. */
  readonly folder: string;
  /** Its clock is this computer's. */
  readonly guard: Guard;
  readonly events: EventBus;
  readonly profile: Profile;
  readonly world: WorldClock;
  readonly calendarOf: CalendarOf;
}

/** Subscribes the modules in the order of the list. */
export function subscribeModules(events: EventBus, modules: readonly CoreModule[]): void {
  for (const { on } of modules) if (on !== undefined) events.subscribe(on);
}

/** @throws Error when two modules answer the same call */
export function mergeHandlers<const Modules extends readonly CoreModule[]>(
  modules: Modules,
): Intersection<HandlersOf<Modules[number]>> {
  const merged: Record<string, unknown> = {};
  for (const { handlers = {} } of modules)
    for (const [name, handler] of Object.entries(handlers)) {
      if (Object.hasOwn(merged, name)) throw new Error(`two modules answer ${name}`);
      merged[name] = handler;
    }
  return merged as Intersection<HandlersOf<Modules[number]>>;
}

/** Starts the modules in the order of the list; slow starts run concurrently. */
export function startModules(modules: readonly CoreModule[], guard: Pick<Guard, 'go'>): void {
  for (const module of modules) {
    const started = module.start?.();
    if (started !== undefined) guard.go(started);
  }
}

/**
 * Stops the modules in reverse order, one by one. Logs failures and continues: the others must write their
 * data.
 */
export async function stopModules(modules: readonly CoreModule[], logger: Pick<Logger, 'error'>): Promise<void> {
  for (const module of modules.toReversed())
    try {
      await module.stop?.();
    } catch (error) {
      logger.error({ problem: messageOf(error) }, 'a module did not stop');
    }
}
