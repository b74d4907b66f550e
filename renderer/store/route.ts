// Renderer: the current route of this window: the page, and the item requested there.
import type { WindowRoute } from '../../shared/domain/window-routes.ts';
import { createViewSlice } from './view-state.ts';

/** `visit` counts navigations, so that a page notices a second request for the same item. */
type Visit = WindowRoute & { readonly visit: number };

const slice = createViewSlice<Visit>('route', { page: 'watch', item: null, visit: 0 });

export const useRoute = <Part>(select: (route: Visit) => Part): Part => slice.use(select);

export const goTo = (route: WindowRoute): void => slice.set(({ visit }) => ({ ...route, visit: visit + 1 }));
