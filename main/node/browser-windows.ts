// Main, Node shell: keeps the open pages of each profile, and leads one to a notification's route.
// It cannot bring a page to the front; without an open page it opens one.
import type { LinkedCore } from '../../shared/channels/link.ts';
import type { WindowRoute } from '../../shared/domain/window-routes.ts';
import { createRoutedCore, type RoutedCore } from '../host/routed-core.ts';

export interface BrowserWindows {
  /** The core of one page; null where the profile does not run here. */
  admit(profile: string): LinkedCore | null;
  /** Sends the page that was opened last to the route, or opens one there. */
  show(profile: string, route: WindowRoute): void;
}

/** @param open opens a page on the profile */
export function createBrowserWindows(
  core: (profile: string) => LinkedCore | null,
  open: (profile: string) => void,
): BrowserWindows {
  const pages = new Map<string, Set<RoutedCore>>();
  const pendingRoutes = new Map<string, WindowRoute>();
  return {
    admit(profile) {
      const own = core(profile);
      if (own === null) return null;
      const routed = createRoutedCore(own);
      return {
        dispatch: routed.core.dispatch,
        attach(link) {
          const there = pages.get(profile) ?? new Set();
          pages.set(profile, there.add(routed));
          const detach = routed.core.attach(link);
          const route = pendingRoutes.get(profile);
          pendingRoutes.delete(profile);
          if (route !== undefined) routed.show(route);
          return () => {
            there.delete(routed);
            detach();
          };
        },
      };
    },
    show(profile, route) {
      const last = [...(pages.get(profile) ?? [])].at(-1);
      if (last !== undefined) return last.show(route);
      pendingRoutes.set(profile, route);
      open(profile);
    },
  };
}
