// Renderer: edits the watchlists: sends them to the core, and keeps each edit, for Undo.
import { useEffect, useMemo } from 'react';
import { type ListsEdit, undoneEdit, withList } from '../../shared/domain/watchlist-edits.ts';
import { MAX_LISTS, sourceListId, type Watchlist } from '../../shared/domain/watchlists.ts';
import { texts } from '../../shared/text/texts.ts';
import { useServices } from '../services.ts';
import { preferences, usePreference } from './preferences.ts';
import { useSnapshot } from './store.ts';
import { createViewSlice } from './view-state.ts';

type Lists = readonly Watchlist[];

/** The result of the last edit of the lists. */
export interface ListNote {
  readonly kind: 'done' | 'undone' | 'refused';
  readonly message: string;
}

/** The core's answer to an edit. */
export type Saved = { readonly ok: true } | { readonly ok: false; readonly error: string };

interface Edits {
  /** Sent but not pushed back yet: the next edit builds on it. */
  readonly sent: Lists | null;
  /** Edits that can be undone, newest last. */
  readonly done: readonly (ListsEdit & { readonly message: string })[];
  /** The last edit, announced once; `undo` where it can be undone. */
  readonly note: { readonly id: number; readonly said: ListNote; readonly undo: boolean } | null;
}

const MAX_UNDO = 50;
/** How long to wait for the core to push an edit back, ms; then the next edit builds on the core's lists. */
const PUSH_TIMEOUT_MS = 2000;
/** How long a note stays, ms (design notes). */
const NOTE_MS = 8000;

const slice = createViewSlice<Edits>('watchlist edits', { sent: null, done: [], note: null });
let notes = 0;
/** The last shown note, and when it was first shown, ms. */
let shown: { readonly id: number; readonly at: number } | null = null;
const say = (said: ListNote, undo: boolean): void => {
  notes += 1;
  slice.set({ note: { id: notes, said, undo } });
};

export interface ListEdits {
  /**
   * Applies `change` to the current list, which can be undone; announces it once the core has it, or its
   * refusal. Ignores an edit without a change.
   */
  edit(list: Watchlist, change: (list: Watchlist) => Watchlist, message: string): Promise<Saved>;
  /** Replaces all lists. */
  replace(change: (lists: Lists) => Lists, message: string): Promise<Saved>;
  /** Takes the last edit of this window back, unless its list was changed since. */
  undo(): void;
  /** Announces a message without a change. */
  say(message: string): void;
}

export function useListEdits(): ListEdits {
  const { intents, clock } = useServices();
  const watchlists = useSnapshot((snapshot) => snapshot.watchlists);
  return useMemo(() => {
    const currentLists = (): Lists => slice.get().sent ?? watchlists;
    const refuse = (message: string, error: string): Saved => {
      say({ kind: 'refused', message }, false);
      return { ok: false, error };
    };
    const send = async (lists: Lists): Promise<Saved> => {
      const forget = (): void => {
        if (slice.get().sent === lists) slice.set({ sent: null });
      };
      slice.set({ sent: lists });
      clock.after(PUSH_TIMEOUT_MS, forget);
      const answer = await intents.saveWatchlists(lists);
      if (answer.ok) return { ok: true };
      forget();
      return refuse(texts.lists.notSaved(answer.error), answer.error);
    };
    const replace = async (change: (lists: Lists) => Lists, message: string): Promise<Saved> => {
      const lists = currentLists();
      const next = change(lists);
      if (JSON.stringify(next) === JSON.stringify(lists)) return { ok: true };
      const tooMany = texts.lists.tooMany(MAX_LISTS);
      if (next.length > MAX_LISTS) return refuse(tooMany, tooMany);
      // Recorded before the core answers, because the user may press Undo before.
      const edit = { message, before: lists, after: next };
      slice.set(({ done }) => ({ done: [...done, edit].slice(-MAX_UNDO) }));
      const saved = await send(next);
      if (saved.ok) say({ kind: 'done', message }, true);
      else slice.set(({ done }) => ({ done: done.filter((each) => each !== edit) }));
      return saved;
    };
    const undo = async (): Promise<void> => {
      const last = slice.get().done.at(-1);
      if (last === undefined) return;
      slice.set(({ done }) => ({ done: done.slice(0, -1) }));
      const lists = undoneEdit(currentLists(), last);
      if (lists === null) {
        say({ kind: 'refused', message: texts.lists.changedSince(last.message) }, false);
        return;
      }
      const { ok } = await send(lists);
      if (ok) say({ kind: 'undone', message: last.message }, false);
      else slice.set(({ done }) => ({ done: [...done, last] }));
    };
    return {
      replace,
      edit: (list, change, message) =>
        replace((lists) => withList(lists, change(lists.find((each) => each.id === list.id) ?? list)), message),
      undo: () => void undo(),
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
    return clock.after(Math.max(0, shown.at + NOTE_MS - clock.now()), () => slice.set({ note: null }));
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

/** Which symbols of the lists are shown in this profile, and what shows others. */
export function useListView(): readonly [view: string, show: (view: string) => void] {
  const profile = useSnapshot((snapshot) => snapshot.profile.name);
  const views = usePreference((preference) => preference.listViews);
  return [views[profile] ?? 'all', (view) => preferences.showListView(profile, view)];
}

/**
 * The shown list: the one chosen in this profile, else the list of the profile's own symbols, else the first.
 */
export function useShownList(): Watchlist | undefined {
  const lists = usePreference((preference) => preference.lists);
  return useSnapshot(({ profile: { name }, watchlists }) => {
    const withId = (id: string | undefined) => watchlists.find((list) => list.id === id);
    return withId(lists[name]) ?? withId(sourceListId(name)) ?? watchlists[0];
  });
}
