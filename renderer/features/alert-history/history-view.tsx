// Renderer: the alert history: filters, what happened during downtime, the table, its foot; beside it why an alert notified.
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useHoldOut } from '../../queries/hold-out.ts';
import { goTo, useRoute } from '../../store/route.ts';
import { alerts as messages } from '../../text/alerts.ts';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import { ErrorNotice, LoadingNotice } from '../../ui/loading-notice.tsx';
import { DowntimePanel } from './downtime-panel.tsx';
import { EpisodeHistoryPatterns } from './episode-history.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { Line } from './filters.ts';
import { Foot } from './foot.tsx';
import { acknowledgeable } from './line-acts.ts';
import { LineTable } from './line-table.tsx';
import { useLineActs } from './use-line-acts.ts';
import { type History, hasOlder } from './use-lines.ts';
import { useView, view } from './view-store.ts';
import { Why } from './why.tsx';
import './history.css';

export function HistoryView({ lines, query }: History) {
  const mode = useView((state) => state.mode);
  const chosen = useView((state) => state.chosen);
  const item = useRoute((route) => route.item);
  const visit = useRoute((route) => route.visit);
  const requestedId = item === null ? null : Number(item);
  const [current, setCurrent] = useState<number | null>(null);
  useHoldOut();
  // What is asked for may be a transition in the middle of an episode.
  const open = useMemo(
    () =>
      requestedId === null
        ? null
        : (lines.all.find(({ id }) => id === requestedId) ??
          lines.all.find((line) => hasRow(line, requestedId)) ??
          null),
    [lines.all, requestedId],
  );
  const openId = open?.id ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a second asking for the same is one too.
  useEffect(() => {
    if (openId !== null) setCurrent(openId);
  }, [openId, visit]);
  useReachFor(requestedId, open !== null, query.isDone);

  const shown = lines.shown;
  const first = lines.sections[0]?.lines[0] ?? null;
  const targets = useMemo((): readonly Line[] => {
    if (chosen.size > 0) return lines.all.filter(({ id }) => chosen.has(id));
    const at = open ?? lines.all.find(({ id }) => id === current) ?? first;
    return at === null ? [] : [at];
  }, [chosen, lines.all, open, current, first]);
  const openWhy = useCallback((id: number) => goTo({ page: 'alerts', item: String(id) }), []);
  const close = useCallback(() => {
    if (requestedId === null) return false;
    goTo({ page: 'alerts', item: null });
    // The keyboard goes on where it was.
    if (openId !== null) document.querySelector<HTMLElement>(`.al-table [data-row="${openId}"]`)?.focus();
    return true;
  }, [requestedId, openId]);
  const move = useCallback(
    (id: number) => {
      setCurrent(id);
      // The way beside the list goes with the keyboard.
      if (openId !== null) openWhy(id);
    },
    [openId, openWhy],
  );
  const acts = useLineActs({
    targets,
    shown,
    snoozeId: chosen.size === 0 && openId !== null ? openId : 0,
    onWhy: openWhy,
    onClose: close,
  });
  return (
    <div className={open === null ? 'al-split' : 'al-split with-sidebar'}>
      <section className="panel al-inbox" aria-label={messages.sections.inbox}>
        <EpisodeHistoryPatterns />
        <FilterBar lines={lines.all} />
        <DowntimePanel />
        <LineTable
          sections={lines.sections}
          mode={mode}
          current={current}
          onCurrent={move}
          open={openId}
          onOpen={openWhy}
        >
          <Below lines={lines} query={query} />
        </LineTable>
        <Foot
          targets={targets}
          isChosen={chosen.size > 0}
          isOpen={openId !== null}
          acknowledgeable={acknowledgeable(shown).length}
          acts={acts}
        />
      </section>
      {open !== null && <Why key={open.id} line={open} acts={acts} onClose={close} />}
    </div>
  );
}

const hasRow = ({ rows }: Line, id: number): boolean => rows.some(({ alert }) => alert.ledger_id === id);

/** An alert that is asked for and lies further back than what is listed: everything is listed then. */
function useReachFor(requestedId: number | null, isFound: boolean, isRead: boolean): void {
  const days = useView(({ filters }) => filters.days);
  useEffect(() => {
    if (requestedId !== null && !isFound && isRead && days !== null) view.unfilter();
  }, [requestedId, isFound, isRead, days]);
}

/** What stands below the last line: nothing matches, there is more, or it is still being read. */
function Below({ lines, query }: History) {
  const mode = useView((state) => state.mode);
  const most = useView((state) => state.most);
  const { page } = query;
  if (page === null) {
    if (query.error !== null)
      return <ErrorNotice what={messages.failed} why={query.error.message} onRetry={query.retry} />;
    return <LoadingNotice what={messages.loading(0)} progress={null} onStop={query.stop} />;
  }
  return (
    <>
      {lines.all.length === 0 && query.isDone && <p className="empty">{messages.none}</p>}
      {lines.all.length > 0 && lines.shown.length === 0 && (
        <section className="al-nothing" aria-label={messages.noMatch}>
          <h2>{messages.noMatch}</h2>
          <p className="t2">{messages.hidden(lines.hidden, lines.by, mode)}</p>
          <ClearFilters label={messages.clear} onClear={view.unfilter} />
        </section>
      )}
      {hasOlder(page, most) && (
        <p className="al-more">
          <span className="t2">{messages.older(page.rows.length)}</span>
          <button type="button" className="btn line" onClick={view.readMore}>
            {messages.readOlder}
          </button>
        </p>
      )}
    </>
  );
}
