// Main, Node shell: the pages that are open in browsers, by profile: where one is sent when a notification was clicked. A page cannot be brought to
// the front from here; where none is open, one is opened.
import type { LinkedCore } from '../../shared/channels/link.ts';
import type { Place } from '../../shared/domain/places.ts';
import { createPlacedCore, type PlacedCore } from '../core/host/placed-core.ts';

export interface BrowserWindows {
  /** The core as one page has it; null where the profile does not run here. */
  admit(profile: string): LinkedCore | null;
  /** Sends the page that came last to the place, or opens one there. */
  show(profile: string, place: Place): void;
}

/** @param open opens a page on the profile */
export function createBrowserWindows(
  core: (profile: string) => LinkedCore | null,
  open: (profile: string) => void,
): BrowserWindows {
  const pages = new Map<string, Set<PlacedCore>>();
  const wanted = new Map<string, Place>();
  return {
    admit(profile) {
      const own = core(profile);
      if (own === null) return null;
      const placed = createPlacedCore(own);
      return {
        dispatch: placed.core.dispatch,
        attach(link) {
          const there = pages.get(profile) ?? new Set();
          pages.set(profile, there.add(placed));
          const detach = placed.core.attach(link);
          const place = wanted.get(profile);
          wanted.delete(profile);
          if (place !== undefined) placed.show(place);
          return () => {
            there.delete(placed);
            detach();
          };
        },
      };
    },
    show(profile, place) {
      const last = [...(pages.get(profile) ?? [])].at(-1);
      if (last !== undefined) return last.show(place);
      wanted.set(profile, place);
      open(profile);
    },
  };
}
