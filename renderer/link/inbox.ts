// Renderer: the inbox of alerts as far back as a page asks for it, read page by page from the core and kept in the query cache. While anything is read, what was
// there before stays; many askings at once are one.
import type { InboxPage } from '../../shared/channels/alerting.ts';
import type { Channels } from '../../shared/channels/channels.ts';
import type { Window } from '../../shared/channels/ends.ts';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { Ingest } from '../store/ingest.ts';

export interface InboxReader {
  /** Reads back to this world time, ms, and at most so many rows; anew whenever it is called. */
  read(from: number, most: number): void;
  /** Ends what is under way; what was read stays. */
  stop(): void;
}

/** Rows of one page. */
const PAGE = 200;
/** The least time between two readings, ms: a storm of events must not keep the core from its work. */
const PAUSE = 1000;

export function createInboxReader(window: Window<Channels>, ingest: Ingest, clock: Clock): InboxReader {
  let retained: InboxPage = { rows: [], next: null };
  let requested: { readonly from: number; readonly most: number } | null = null;
  let isLoading = false;
  let isStopped = false;
  let lastAt = Number.NEGATIVE_INFINITY;
  let cancelWait: Cancel | null = null;

  const put = (rows: InboxPage['rows'], next: InboxPage['next'], isWhole: boolean, isLast: boolean): void => {
    const known = new Set(rows.map(({ alert }) => alert.ledger_id));
    // Until the rest is read again, it stands as it was read before.
    const rest = isWhole
      ? []
      : retained.rows.filter(
          ({ alert }) => !known.has(alert.ledger_id) && (next === null || alert.transition.occurred_at <= next.at),
        );
    const value: InboxPage = { rows: [...rows, ...rest], next: rest.length > 0 ? retained.next : next };
    ingest({ kind: 'query.succeeded', query: 'inbox', key: '', value });
    if (isLast) retained = value;
    else ingest({ kind: 'query.started', query: 'inbox', key: '', progress: null });
  };
  const pass = async ({ from, most }: { readonly from: number; readonly most: number }): Promise<void> => {
    ingest({ kind: 'query.started', query: 'inbox', key: '', progress: null });
    const rows: InboxPage['rows'] = [];
    let before: InboxPage['next'] = null;
    try {
      for (;;) {
        const page: InboxPage = await window.call('alerts.read', { filter: 'all', symbol: null, before, limit: PAGE });
        rows.push(...page.rows);
        before = page.next;
        const isWhole = before === null || rows.length >= most || Date.parse(before.at) < from;
        put([...rows], before, isWhole, isWhole || isStopped);
        if (isWhole || isStopped) return;
      }
    } catch (error) {
      ingest({ kind: 'query.failed', query: 'inbox', key: '', message: messageOf(error) });
    }
  };
  const go = async (): Promise<void> => {
    if (isLoading || cancelWait !== null || requested === null) return;
    const wait = lastAt + PAUSE - clock.now();
    if (wait > 0 && wait <= PAUSE) {
      cancelWait = clock.after(wait, () => {
        cancelWait = null;
        void go();
      });
      return;
    }
    const request = requested;
    requested = null;
    isLoading = true;
    isStopped = false;
    await pass(request);
    lastAt = clock.now();
    isLoading = false;
    void go();
  };
  return {
    read(from, most) {
      requested = { from, most };
      void go();
    },
    stop() {
      isStopped = true;
      requested = null;
    },
  };
}
