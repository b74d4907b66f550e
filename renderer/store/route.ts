// Renderer: where this window is: the page, and what was asked to be shown there.
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { WindowRoute } from '../../shared/domain/window-routes.ts';

/** `visit` grows with every going, so that a page can tell a second asking for the same item from none. */
type Visit = WindowRoute & { readonly visit: number };

const store = createStore<Visit>(() => ({ page: 'watch', item: null, visit: 0 }));

export const useRoute = <Part>(select: (route: Visit) => Part): Part => useStore(store, select);

export const goTo = (route: WindowRoute): void => store.setState(({ visit }) => ({ ...route, visit: visit + 1 }));
