// Faults: the desktop of a simulated life: takes notifications, is away, fails, or never answers.

import type { NotificationHistory, NotificationOutcome, NotificationRequest } from '../../main/core/ports.ts';
import type { Clock } from '../../shared/lib/clock.ts';
import type { Incarnation } from './core-simulation-lifeline.ts';
import { isAboutNoEvent } from './core-simulation-oracle.ts';

export interface SimulatedDesktop {
  /** slow: takes a notification at once, and answers later. */
  mood: 'well' | 'slow' | 'away' | 'fails' | 'hangs';
  /** Called where the desktop announces its return. */
  onReturn: () => void;
  /** Per id that the desktop took: the ids that it names, its own where the notification is about one event alone. */
  readonly taken: ReadonlyMap<string, readonly string[]>;
  /** Names that a later revision of an id no longer had. */
  readonly forgotten: readonly { readonly id: string; readonly name: string }[];
  /** Ids in the order in which the desktop took them, with repeats; isNews: it named what it had not named before. */
  readonly sequence: readonly { readonly id: string; readonly isNews: boolean }[];
  /** Per id, the title that the desktop took last. */
  readonly titles: ReadonlyMap<string, string>;
  /** Whether the ledger is in memory now; set by the program. */
  isInMemory: () => boolean;
  /** Taken since the ledger is in memory: they are lost with the program. */
  readonly unwritten: Set<string>;
  /** What the program's record of notifications tells. */
  history(): NotificationHistory;
  show(life: Incarnation, request: NotificationRequest): Promise<NotificationOutcome>;
}

/** How long a slow desktop takes to answer, ms: others join meanwhile. */
const SLOW = 2_500;

export function createDesktop(clock: Clock, say: (what: string) => void): SimulatedDesktop {
  const taken = new Map<string, readonly string[]>();
  const sequence: { readonly id: string; readonly isNews: boolean }[] = [];
  const forgotten: { readonly id: string; readonly name: string }[] = [];
  const titles = new Map<string, string>();
  const unwritten = new Set<string>();
  const open = new Set<string>();
  let newest: number | null = null;
  const desktop: SimulatedDesktop = {
    mood: 'well',
    onReturn: () => undefined,
    isInMemory: () => false,
    unwritten,
    taken,
    forgotten,
    sequence,
    titles,
    history: () => ({ shown: new Set([...taken.values()].flat()), open, newest }),
    async show(life, request) {
      life.call();
      if (desktop.mood === 'hangs') return new Promise(() => undefined);
      for (const id of request.names ?? [request.id]) open.add(id);
      if (desktop.mood === 'away') return { tier: 'in_app', detail: null };
      if (desktop.mood === 'fails') throw new Error('no bus');
      if (!desktop.isInMemory()) unwritten.clear();
      else for (const id of [request.id, ...(request.names ?? [])]) unwritten.add(id);
      const names = request.names ?? [request.id];
      const before = taken.get(request.id) ?? [];
      sequence.push({ id: request.id, isNews: names.some((name) => !before.includes(name)) });
      for (const name of before) if (!names.includes(name)) forgotten.push({ id: request.id, name });
      taken.set(request.id, names);
      titles.set(request.id, request.title);
      if (!isAboutNoEvent(request.id)) newest = clock.now();
      for (const id of request.names ?? [request.id]) open.delete(id);
      say(`took ${request.id}`);
      if (desktop.mood === 'slow') await new Promise<void>((resolve) => void clock.after(SLOW, resolve));
      return { tier: 'system', detail: null };
    },
  };
  return desktop;
}
