// Renderer: the inbox of the page: filters, what happened while nothing was seen, the list, its foot, and the way of the chosen line beside it.
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useServices } from '../../services.ts';
import { useHoldOutReading } from '../../store/hold-out.ts';
import { goTo, usePlace } from '../../store/place.ts';
import { useWorldMinute } from '../../store/sight.ts';
import { alerts as words } from '../../text/alerts.ts';
import { Awaited, Failed } from '../../ui/awaited.tsx';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import { AwayPanel } from './away.tsx';
import { CoursePatterns } from './course.tsx';
import { FilterBar } from './filter-bar.tsx';
import { type Line, sinceOf } from './filters.ts';
import { Foot } from './foot.tsx';
import { acknowledgeable } from './line-acts.ts';
import { LineTable } from './line-table.tsx';
import { useLineActs } from './use-line-acts.ts';
import { hasOlder, type Lines, type useInboxReading } from './use-lines.ts';
import { useView, view } from './view-store.ts';
import { Why } from './why.tsx';

type Reading = ReturnType<typeof useInboxReading>;

export function InboxView({ lines, reading }: { lines: Lines; reading: Reading }) {
  const mode = useView((state) => state.mode);
  const chosen = useView((state) => state.chosen);
  const item = usePlace((place) => place.item);
  const visit = usePlace((place) => place.visit);
  const asked = item === null ? null : Number(item);
  const [current, setCurrent] = useState<number | null>(null);
  useHoldOutReading(null);
  // What is asked for may be a transition in the middle of an episode.
  const open = useMemo(
    () =>
      asked === null
        ? null
        : (lines.all.find(({ id }) => id === asked) ?? lines.all.find((line) => hasRow(line, asked)) ?? null),
    [lines.all, asked],
  );
  const openId = open?.id ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a second asking for the same is one too.
  useEffect(() => {
    if (openId !== null) setCurrent(openId);
  }, [openId, visit]);
  useReachFor(asked, open !== null, reading);

  const shown = lines.shown;
  const first = lines.sections[0]?.lines[0] ?? null;
  const targets = useMemo((): readonly Line[] => {
    if (chosen.size > 0) return lines.all.filter(({ id }) => chosen.has(id));
    const at = open ?? lines.all.find(({ id }) => id === current) ?? first;
    return at === null ? [] : [at];
  }, [chosen, lines.all, open, current, first]);
  const openWhy = useCallback((id: number) => goTo({ page: 'alerts', item: String(id) }), []);
  const close = useCallback(() => {
    if (asked === null) return false;
    goTo({ page: 'alerts', item: null });
    // The keyboard goes on where it was.
    if (openId !== null) document.querySelector<HTMLElement>(`tr[data-line="${openId}"]`)?.focus();
    return true;
  }, [asked, openId]);
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
    <div className={open === null ? 'al-split' : 'al-split with-aside'}>
      <section className="panel al-inbox" aria-label={words.sections.inbox}>
        <CoursePatterns />
        <FilterBar lines={lines.all} />
        <AwayPanel />
        <LineTable
          sections={lines.sections}
          mode={mode}
          current={current}
          onCurrent={move}
          open={openId}
          onOpen={openWhy}
        >
          <Below lines={lines} reading={reading} />
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
function useReachFor(asked: number | null, isFound: boolean, reading: Reading): void {
  const isRead = reading?.status === 'ready';
  const days = useView(({ filters }) => filters.days);
  useEffect(() => {
    if (asked !== null && !isFound && isRead && days !== null) view.unfilter();
  }, [asked, isFound, isRead, days]);
}

/** What stands below the last line: nothing matches, there is more, or it is still being read. */
function Below({ lines, reading }: { lines: Lines; reading: Reading }) {
  const { inbox } = useServices();
  const mode = useView((state) => state.mode);
  const most = useView((state) => state.most);
  const days = useView(({ filters }) => filters.days);
  const now = useWorldMinute();
  const page = reading?.value ?? null;
  if (page === null) {
    if (reading?.status === 'failed')
      return <Failed what={words.failed} why={reading.problem} onRetry={() => inbox.read(sinceOf(days, now), most)} />;
    return <Awaited what={words.awaited(0)} progress={null} onStop={inbox.stop} />;
  }
  return (
    <>
      {lines.all.length === 0 && reading?.status === 'ready' && <p className="empty">{words.none}</p>}
      {lines.all.length > 0 && lines.shown.length === 0 && (
        <section className="al-nothing" aria-label={words.noMatch}>
          <h2>{words.noMatch}</h2>
          <p className="t2">{words.hidden(lines.hidden, lines.by, mode)}</p>
          <ClearFilters words={words.clear} onClear={view.unfilter} />
        </section>
      )}
      {hasOlder(page, most) && (
        <p className="al-more">
          <span className="t2">{words.older(page.rows.length)}</span>
          <button type="button" className="btn line" onClick={view.readMore}>
            {words.readOlder}
          </button>
        </p>
      )}
    </>
  );
}
