// Renderer: edits the watchlists: sends them to the core, and keeps the lists before, for Undo.
import { useEffect, useMemo } from 'react';
import { withList } from '../../shared/domain/watchlist-edits.ts';
import { MOST_LISTS, sourceListId, type Watchlist } from '../../shared/domain/watchlists.ts';
import { useServices } from '../services.ts';
import { preferences, usePreference } from './preferences.ts';
import { useSnapshot } from './store.ts';
import { createViewSlice } from './view-state.ts';

type Lists = readonly Watchlist[];

/** The last edit of the lists. */
export type ListNote =
  | { readonly kind: 'done' | 'undone'; readonly message: string }
  | { readonly kind: 'too_many'; readonly most: number };

interface Edits {
  /** Sent but not pushed back yet: the next edit builds on it. */
  readonly sent: Lists | null;
  /** The lists before each edit, newest last. */
  readonly before: readonly { readonly message: string; readonly lists: Lists }[];
  /** The last edit, announced once; `undo` where it can be undone. */
  readonly note: { readonly id: number; readonly said: ListNote; readonly undo: boolean } | null;
}

const MAX_UNDO = 50;
/** How long to wait for the core to push an edit back, ms; then the next edit builds on the core's lists. */
const COMES_BACK = 2000;
/** How long a note stays, ms (design notes). */
const NOTE_STAYS = 8000;

const slice = createViewSlice<Edits>('watchlist edits', { sent: null, before: [], note: null });
let notes = 0;
/** Which note was first shown when, ms. */
let shown: { readonly id: number; readonly at: number } | null = null;
const say = (said: ListNote, undo: boolean): void => {
  notes += 1;
  slice.set({ note: { id: notes, said, undo } });
};

export interface ListEdits {
  /**
   * Applies `change` to the current list, announces it and keeps the lists before. Ignores an edit without a
   * change.
   */
  edit(list: Watchlist, change: (list: Watchlist) => Watchlist, message: string): void;
  /** Replaces all lists. @returns whether anything changed; too many lists are refused with a message */
  replace(change: (lists: Lists) => Lists, message: string): boolean;
  undo(): void;
  /** Announces a message without a change. */
  say(message: string): void;
}

export function useListEdits(): ListEdits {
  const { intents, clock } = useServices();
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  return useMemo(() => {
    const currentLists = (): Lists => slice.get().sent ?? watchlists;
    const send = (lists: Lists): void => {
      slice.set({ sent: lists });
      intents.saveWatchlists(lists);
      clock.after(COMES_BACK, () => {
        if (slice.get().sent === lists) slice.set({ sent: null });
      });
    };
    const replace = (change: (lists: Lists) => Lists, message: string): boolean => {
      const lists = currentLists();
      const next = change(lists);
      if (JSON.stringify(next) === JSON.stringify(lists)) return false;
      if (next.length > MOST_LISTS) {
        say({ kind: 'too_many', most: MOST_LISTS }, false);
        return false;
      }
      slice.set(({ before }) => ({ before: [...before, { message, lists }].slice(-MAX_UNDO) }));
      send(next);
      say({ kind: 'done', message }, true);
      return true;
    };
    return {
      replace,
      edit: (list, change, message) =>
        void replace((lists) => withList(lists, change(lists.find((each) => each.id === list.id) ?? list)), message),
      undo() {
        const last = slice.get().before.at(-1);
        if (last === undefined) return;
        slice.set(({ before }) => ({ before: before.slice(0, -1) }));
        send(last.lists);
        say({ kind: 'undone', message: last.message }, false);
      },
      say: (message) => say({ kind: 'done', message }, false),
    };
  }, [intents, clock, watchlists]);
}

/** The last edit of the lists, while it is recent. */
export function useListNote(): Edits['note'] {
  const { clock } = useServices();
  const note = slice.use((edits) => edits.note);
  useEffect(() => {
    if (note === null) return;
    // The user may have seen it already, before a visit to another page.
    if (shown?.id !== note.id) shown = { id: note.id, at: clock.now() };
    return clock.after(Math.max(0, shown.at + NOTE_STAYS - clock.now()), () => slice.set({ note: null }));
  }, [note, clock]);
  return note;
}

/** Stops waiting for a sent edit once the core has pushed it. */
export function useListsComeBack(): void {
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  useEffect(() => {
    if (JSON.stringify(slice.get().sent) === JSON.stringify(watchlists)) slice.set({ sent: null });
  }, [watchlists]);
}

/** Chooses the list that the windows of this profile show. */
export function useShowList(): (list: string) => void {
  const profile = useSnapshot((snapshot) => snapshot.profile.name);
  return (list) => preferences.showList(profile, list);
}

/** The shown list: the one chosen in this profile, else that of its own symbols, else the first. */
export function useShownList(): Watchlist | undefined {
  const lists = usePreference((preference) => preference.lists);
  return useSnapshot(({ profile: { name }, watchlists }) => {
    const withId = (id: string | undefined) => watchlists.find((list) => list.id === id);
    return withId(lists[name]) ?? withId(sourceListId(name)) ?? watchlists[0];
  });
}
