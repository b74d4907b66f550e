// Renderer: what the user likes about this window: theme, zone of times, toasts put away. Kept in this browser's storage; the core does not know of it.

import { z } from 'zod';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { ZONES } from '../text/format.ts';

const KEY = 'barograph.preferences';
/** How many ids of dismissed toasts are remembered. */
const DISMISSED_KEPT = 400;

const PreferencesSchema = z.object({
  theme: z.enum(['dark', 'light']),
  zone: z.enum(ZONES),
  /** Notification ids of toasts that the user put away. */
  dismissed: z.array(z.string()),
});
type Preferences = z.infer<typeof PreferencesSchema>;

const DEFAULTS: Preferences = { theme: 'dark', zone: 'market', dismissed: [] };

function load(): Preferences {
  try {
    return PreferencesSchema.parse(JSON.parse(localStorage.getItem(KEY) ?? 'null'));
  } catch {
    return DEFAULTS;
  }
}

const store = createStore<Preferences>(() => load());
store.subscribe((preferences) => {
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // Storage is full or forbidden: the choice lasts as long as the window.
  }
});

export const usePreference = <Part>(select: (preferences: Preferences) => Part): Part => useStore(store, select);

export const preferences = {
  read: () => store.getState(),
  watch: (listener: (preferences: Preferences) => void) => store.subscribe(listener),
  setTheme: (theme: Preferences['theme']) => store.setState({ theme }),
  nextZone: () => store.setState(({ zone }) => ({ zone: ZONES[(ZONES.indexOf(zone) + 1) % ZONES.length] ?? 'market' })),
  dismiss: (ids: readonly string[]) =>
    store.setState(({ dismissed }) => ({ dismissed: [...dismissed.filter((id) => !ids.includes(id)), ...ids].slice(-DISMISSED_KEPT) })),
};
