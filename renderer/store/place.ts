// Renderer: where this window is: the page, and what was asked to be shown there.
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Place } from '../../shared/domain/places.ts';

/** `visit` grows with every going, so that a page can tell a second asking for the same item from none. */
type Visit = Place & { readonly visit: number };

const store = createStore<Visit>(() => ({ page: 'watch', item: null, visit: 0 }));

export const usePlace = <Part>(select: (place: Visit) => Part): Part => useStore(store, select);

export const goTo = (place: Place): void => store.setState(({ visit }) => ({ ...place, visit: visit + 1 }));
