// Service, cluster: how the nodes share the prices of a feed, by rows of the replicated store.
import type { SharedFeed } from '../market/feeds/open-feed.ts';
import { MINUTES_READ_MS } from '../market/tape/minutes.ts';
import { JournalUnavailable } from './journal.ts';
import type { ReplicatedStore } from './replicated-store.ts';
import type { RowChange } from './row-changes.ts';

/** The prices of a service that follow the leader's. */
export interface FollowedPrices {
  /** This node records from now on. */
  lead(): void;
  /** The leader has recorded prices. @param isPublished whether closed bars and actions are used from now on */
  follow(isPublished: boolean): void;
}

export interface SharedFeedDeps {
  readonly store: () => ReplicatedStore;
  readonly leads: () => boolean;
  /** Writes how far this leader has evaluated. */
  readonly save: () => void;
  /** Wall ms. */
  readonly now: () => number;
}

/** Name of the value that the leader writes when recorded bars and actions are used from now on. */
const PUBLISHED = 'prices_used';

export function createSharedFeed({ store, leads, save, now }: SharedFeedDeps): SharedFeed {
  const write = (work: () => void): void => {
    if (!leads()) throw new JournalUnavailable('this node does not lead');
    // The others use new prices where this leader did: after what it has evaluated.
    save();
    store().transaction(work);
  };
  return {
    tape: {
      get database() {
        return store().database;
      },
      atomic: write,
      // Every node has them, and a snapshot of the store.
      minutesMs: MINUTES_READ_MS,
    },
    leads,
    published: () => write(() => store().setMeta(PUBLISHED, String(now()))),
    status: () => store().meta('feed_status'),
    writeStatus: (text) => store().transaction(() => store().setMeta('feed_status', text)),
  };
}

/** Has the prices of a node that does not lead follow an entry of the leader. */
export function followPrices(prices: FollowedPrices, changes: readonly RowChange[]): void {
  const isPublished = changes.some(([table, row]) => table === 'meta' && row?.name === PUBLISHED);
  if (isPublished || changes.some(([table]) => table === 'minutes')) prices.follow(isPublished);
}
