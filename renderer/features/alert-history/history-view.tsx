// Renderer: the alert history: filters, downtime, table, foot; beside it why an alert notified.
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Downtime } from '../../../shared/channels/alerting.ts';
import { shortTimestamp } from '../../../shared/text/format.ts';
import { optionalText } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { useHoldOut } from '../../queries/hold-out.ts';
import { useServices } from '../../services.ts';
import { useWorldMinute } from '../../store/connection-status.ts';
import { usePreference } from '../../store/preferences.ts';
import { goTo, useRoute } from '../../store/route.ts';
import { useSandboxNotice } from '../../store/sandbox-notice.ts';
import { useApp } from '../../store/store.ts';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ErrorNotice, LoadingNotice } from '../../ui/loading-notice.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { namesOf, SnoozeMenu, symbolsOf } from '../inbox/index.ts';
import { SilenceButton } from '../mutes/index.ts';
import { EpisodeHistoryPatterns } from './episode-history.tsx';
import { ExportLines } from './export-lines.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { Line } from './filters.ts';
import { LineTable } from './line-table.tsx';
import { canAcknowledgeLine, type LineActs, needing, snoozable, useLineActs } from './use-line-acts.ts';
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
  const requested = useMemo(
    () =>
      requestedId === null
        ? null
        : (lines.all.find(({ id }) => id === requestedId) ??
          lines.all.find((line) => hasRow(line, requestedId)) ??
          null),
    [lines.all, requestedId],
  );
  const foundId = requested?.id ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same alert may be requested again.
  useEffect(() => {
    if (foundId !== null) setCurrent(foundId);
  }, [foundId, visit]);
  useWidenedRange(requestedId, requested !== null, query.isDone);

  const shown = lines.shown;
  const first = lines.sections[0]?.lines[0] ?? null;
  // Where both fit, the first line is open until somebody closes it. It stays while others overtake it: a key must
  // not act on an alert that took the place of the one that was read.
  const isWide = useMedia('(min-width: 1400px)');
  const opensFirst = useView((state) => state.opensFirst) && isWide && requestedId === null;
  const [previewId, setPreviewId] = useState<number | null>(null);
  const preview = opensFirst ? (shown.find(({ id }) => id === previewId) ?? first) : null;
  if (preview !== null && preview.id !== previewId) setPreviewId(preview.id);
  const open = requested ?? preview;
  const openId = open?.id ?? null;
  const targets = useMemo((): readonly Line[] => {
    if (chosen.size > 0) return lines.all.filter(({ id }) => chosen.has(id));
    const at = open ?? lines.all.find(({ id }) => id === current) ?? first;
    return at === null ? [] : [at];
  }, [chosen, lines.all, open, current, first]);
  const openWhy = useCallback((id: number) => goTo({ page: 'alerts', item: String(id) }), []);
  const close = useCallback(() => {
    if (openId === null && requestedId === null) return false;
    view.closeFirst();
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

/** What happened during downtime, by symbol, until the user dismisses it. */
function DowntimePanel() {
  const downtime = useApp((state) => state.features.alerting?.downtime ?? null);
  return downtime === null ? null : <DowntimeDetails downtime={downtime} />;
}

function DowntimeDetails({ downtime }: { downtime: Downtime }) {
  const { intents } = useServices();
  const zone = usePreference((preference) => preference.zone);
  const now = useWorldMinute();
  const at = (iso: string): string => shortTimestamp(Date.parse(iso), zone, now);
  const heading = texts.alerts.downtime.heading(
    at(downtime.from),
    at(downtime.until),
    downtime.cause?.code !== 'downtime.no_window',
  );
  const changes = downtime.symbols.reduce((sum, one) => sum + one.changes, 0);
  return (
    <section className="al-downtime" aria-label={heading}>
      <div className="row">
        <Icon name="clock" size={15} />
        <h2>{heading}</h2>
        <span className="t2 ell">
          {texts.alerts.downtime.changes(changes, downtime.symbols.length)} {optionalText(downtime.cause)}
        </span>
        <button type="button" className="btn right" onClick={() => intents.send('downtime.acknowledge', {})}>
          <Icon name="check" />
          {texts.alerts.downtime.seen}
        </button>
      </div>
      {downtime.symbols.length > 0 && (
        <ul>
          {downtime.symbols.map(
            ({ symbol, from_state: from, to_state: to, peak_state: peak, changes: count, ledger_ids }) => (
              <li key={symbol}>
                <button
                  type="button"
                  title={texts.alerts.downtime.open(symbol)}
                  onClick={() => goTo({ page: 'alerts', item: String(ledger_ids.at(-1)) })}
                >
                  <Glyph name={from} size={12} />
                  <Icon name="next" size={9} />
                  <Glyph name={to} size={12} />
                  <b>{symbol}</b>
                  <span>{texts.alerts.downtime.net(from, to)}</span>
                  {peak > Math.max(from, to) && <span className="md">{texts.alerts.downtime.peak(peak)}</span>}
                  <span className="t3">{texts.alerts.downtime.times(count)}</span>
                </button>
              </li>
            ),
          )}
        </ul>
      )}
    </section>
  );
}

interface FootProps {
  /** The lines that keys act on: the chosen lines, else the current one. */
  readonly targets: readonly Line[];
  readonly isChosen: boolean;
  /** The trace of the line is open beside the list, with the same actions. */
  readonly isOpen: boolean;
  /** Number of shown alerts that need attention. */
  readonly needing: number;
  readonly acts: LineActs;
}

/** The foot of the list: actions on the chosen lines, else on the line of the keyboard. */
function Foot({ targets, isChosen, isOpen, needing, acts }: FootProps) {
  const alerts = targets.map(({ subject }) => subject.alert);
  return (
    <footer className="al-foot">
      {isChosen ? (
        <b className="md">{texts.alerts.acts.chosen(targets.length)}</b>
      ) : (
        <span className={targets.length === 0 ? 't2' : 't2 ell al-target'}>
          {targets.length === 0 ? texts.alerts.acts.nothing : namesOf(alerts)}
        </span>
      )}
      {(isChosen || !isOpen) && targets.length > 0 && (
        <>
          {targets.some(canAcknowledgeLine) && (
            <button type="button" className={isOpen ? 'btn' : 'btn primary'} onClick={acts.acknowledge}>
              <Icon name="check" />
              {texts.alerts.acts.acknowledge} <kbd>A</kbd>
            </button>
          )}
          {snoozable(targets).length > 0 && (
            <SnoozeMenu
              alerts={snoozable(targets)}
              id={0}
              align="start"
              trigger={
                <button type="button" className="btn">
                  <Icon name="clock" />
                  {texts.alerts.acts.snooze} <kbd>S</kbd>
                </button>
              }
            />
          )}
          <SilenceButton symbols={symbolsOf(alerts)} />
          {!isChosen && (
            <button type="button" className="btn quiet" onClick={acts.why}>
              {texts.alerts.acts.why} <kbd>W</kbd>
            </button>
          )}
        </>
      )}
      {isChosen && (
        <>
          <ExportLines lines={targets} label={texts.alerts.acts.exportChosen} />
          <button type="button" className="btn quiet" onClick={view.chooseNone}>
            {texts.alerts.acts.chooseNone}
          </button>
        </>
      )}
      {needing > 0 && (
        <button type="button" className="btn line" onClick={acts.acknowledgeAll}>
          {texts.alerts.acts.acknowledgeNeeding(needing)} <kbd>Shift A</kbd>
        </button>
      )}
      <Notes />
    </footer>
  );
}

function Notes() {
  const sandbox = useSandboxNotice();
  return (
    <p className="al-notes t3" title={texts.alerts.acts.keys}>
      {sandbox} {texts.alerts.acts.marketNote}
    </p>
  );
}
