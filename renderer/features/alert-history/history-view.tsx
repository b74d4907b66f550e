// Renderer: the alert history: filters, downtime, table, foot; beside it why an alert notified.
import { useCallback, useEffect, useMemo, useState } from 'react';
import { texts } from '../../../shared/text/texts.ts';
import { useHoldOut } from '../../queries/hold-out.ts';
import { goTo, useRoute } from '../../store/route.ts';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import { ErrorNotice, LoadingNotice } from '../../ui/loading-notice.tsx';
import { DowntimePanel } from './downtime-panel.tsx';
import { EpisodeHistoryPatterns } from './episode-history.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { Line } from './filters.ts';
import { Foot } from './foot.tsx';
import { needing } from './line-acts.ts';
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
  // The requested transition may be in the middle of an episode.
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same alert may be requested again.
  useEffect(() => {
    if (openId !== null) setCurrent(openId);
  }, [openId, visit]);
  useWidenedRange(requestedId, open !== null, query.isDone);

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
    // Returns the focus to its row.
    if (openId !== null) document.querySelector<HTMLElement>(`.al-table [data-row="${openId}"]`)?.focus();
    return true;
  }, [requestedId, openId]);
  const move = useCallback(
    (id: number) => {
      setCurrent(id);
      // The trace beside the list follows the keyboard.
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
      <section className="panel al-inbox" aria-label={texts.alerts.sections.inbox}>
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
          needing={needing(shown).length}
          acts={acts}
        />
      </section>
      {open !== null && <Why key={open.id} line={open} acts={acts} onClose={close} />}
    </div>
  );
}

const hasRow = ({ rows }: Line, id: number): boolean => rows.some(({ alert }) => alert.ledger_id === id);

/** Lists everything when a requested alert is older than the listed range. */
function useWidenedRange(requestedId: number | null, isFound: boolean, isRead: boolean): void {
  const days = useView(({ filters }) => filters.days);
  useEffect(() => {
    if (requestedId !== null && !isFound && isRead && days !== null) view.unfilter();
  }, [requestedId, isFound, isRead, days]);
}

/** Drawn below the last line: no match, older lines, or loading. */
function Below({ lines, query }: History) {
  const mode = useView((state) => state.mode);
  const most = useView((state) => state.most);
  const { page } = query;
  if (page === null) {
    if (query.error !== null)
      return <ErrorNotice what={texts.alerts.failed} why={query.error.message} onRetry={query.retry} />;
    return <LoadingNotice what={texts.alerts.loading(0)} progress={null} onStop={query.stop} />;
  }
  return (
    <>
      {lines.all.length === 0 && query.isDone && <p className="empty">{texts.alerts.none}</p>}
      {lines.all.length > 0 && lines.shown.length === 0 && (
        <section className="al-nothing" aria-label={texts.alerts.noMatch}>
          <h2>{texts.alerts.noMatch}</h2>
          <p className="t2">{texts.alerts.hidden(lines.hidden, lines.by, mode)}</p>
          <ClearFilters label={texts.alerts.clear} onClear={view.unfilter} />
        </section>
      )}
      {hasOlder(page, most) && (
        <p className="al-more">
          <span className="t2">{texts.alerts.older(page.rows.length)}</span>
          <button type="button" className="btn line" onClick={view.readMore}>
            {texts.alerts.readOlder}
          </button>
        </p>
      )}
    </>
  );
}
