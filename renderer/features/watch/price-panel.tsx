// Renderer: the chosen symbol through time, up to the shown moment: chart with tools, control of the moment, factors
// and record.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Granularity } from '../../../shared/channels/queries.ts';
import { calendarDate, sessionOn } from '../../../shared/domain/sessions.ts';
import { DAY_MS } from '../../../shared/lib/time.ts';
import { dayAndYear, zoneName } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { hasCandles } from '../../charts/candle-series.ts';
import { indexRangeOf, NARROWEST, type Range, type TimeRange, timeRangeOf } from '../../charts/chart-range.ts';
import { fineChart, regimeChart, STEP, seriesUntil } from '../../charts/fine-model.ts';
import {
  type ChartDue,
  type ChartModel,
  type ChartNote,
  chartUntil,
  openGaps,
  type StateChange,
  sessionMs,
} from '../../charts/model.ts';
import { withCaption } from '../../charts/picture.ts';
import { PriceChartView } from '../../charts/price-chart-view.tsx';
import { useSchedule } from '../../queries/schedule.ts';
import { useChannelQuery } from '../../queries/use-channel-query.ts';
import { useIsOffline, useOutageStart, useWorldMinute } from '../../store/connection-status.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { takeChartDay, useIsDayRequested } from '../../store/route.ts';
import { lastPriceOf } from '../../store/select.ts';
import { useDrawnMoment } from '../../store/shown-moment.ts';
import { useSnapshot } from '../../store/store.ts';
import { useChartCalendar, useSymbolCalendar } from '../../store/symbol-calendar.ts';
import { CachedNote } from '../../ui/cached-note.tsx';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { ErrorNotice, LoadingNotice, QueryNotice } from '../../ui/loading-notice.tsx';
import { csvBlob, jsonBlob, saveFile } from '../../ui/save-file.ts';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import { TimeControl } from '../time/index.ts';
import { Detail } from './detail.tsx';
import { intervalFor, timesOf, wholeOf } from './shown-range.ts';
import { shownStep, stepNote } from './shown-step.ts';
import { timelineCsv, timelineFile } from './timeline-file.ts';
import { type RangeChoice, TimelineTools } from './timeline-tools.tsx';
import { useChartModel } from './use-chart-model.ts';
import { useNoting } from './use-noting.tsx';
import { useRegimeSeries } from './use-regime-series.ts';

/** Days shown before and after a day that another page requested. */
const DAYS_AROUND = 10;
/** Days of regimes to read for a symbol without a signal. */
const REGIME_DAYS = 90;

export function PricePanel({ symbol }: { symbol: string }) {
  const isRegimeOnly = useSnapshot((snapshot) => snapshot.rows[symbol]?.coverage === 'regime_only');
  return isRegimeOnly ? <RegimeOnly symbol={symbol} /> : <Priced symbol={symbol} />;
}

function Priced({ symbol }: { symbol: string }) {
  const { query, model } = useChartModel(symbol);
  if (model !== null && model.points.length > 0) return <Timeline whole={model} cachedAt={query.data?.cached_at} />;
  if (query.isError || model === null)
    return <QueryNotice query={query} loading={texts.chart.loading(symbol)} failed={texts.chart.failed(symbol)} />;
  return <p className="empty">{texts.chart.empty(symbol)}</p>;
}

function RegimeOnly({ symbol }: { symbol: string }) {
  const gaps = useSnapshot((snapshot) => snapshot.gaps);
  const row = useSnapshot((snapshot) => snapshot.rows[symbol]);
  const last = useMemo(() => lastPriceOf(row), [row]);
  const now = useWorldMinute();
  const outageSince = useOutageStart()?.world ?? null;
  // The history of a symbol whose prices ended reaches up to the last price.
  const today = sessionMs(last?.isOld === true && last.at !== null ? Date.parse(last.at) : now);
  const interval = { from: today - REGIME_DAYS * DAY_MS, to: today + DAY_MS };
  const query = useRegimeSeries(symbol, 'day', interval);
  const series = query.known;
  const model = useMemo(
    () => (series === null ? null : regimeChart(symbol, series, openGaps({ gaps, outageSince }), last, now)),
    [symbol, series, gaps, outageSince, last, now],
  );
  if (model !== null && model.points.length > 1) return <Timeline whole={model} cachedAt={series?.cachedAt} />;
  if (query.problem !== null)
    return <ErrorNotice what={texts.chart.failed(symbol)} why={query.problem} onRetry={query.retry} />;
  if (model === null)
    return <LoadingNotice what={texts.chart.loading(symbol)} progress={query.progress} onStop={query.stop} />;
  return <p className="empty">{texts.chart.empty(symbol)}</p>;
}

/**
 * @param whole the symbol day by day up to now, at least one point. cachedAt: when the archive received it, if
 * cached
 */
function Timeline({ whole, cachedAt }: { whole: ChartModel; cachedAt: string | undefined }) {
  const at = useDrawnMoment();
  const then = useMemo(() => (at === null ? whole : chartUntil(whole, at)), [whole, at]);
  // Before its first day nothing of the symbol is drawn; the control of the moment stays.
  const isKnown = then.points.length > 0;
  const base = isKnown ? then : whole;
  const isOffline = useIsOffline();
  const days = usePreference((preference) => preference.days);
  const step = usePreference((preference) => preference.resolution);
  const style = usePreference((preference) => preference.chartStyle);
  const [own, setOwn] = useOwnRange(at);
  const isDayRequested = useIsDayRequested(base.symbol);
  useEffect(() => {
    const day = isDayRequested ? takeChartDay(base.symbol) : null;
    if (day !== null) setOwn({ from: day - DAYS_AROUND * DAY_MS, to: day + DAYS_AROUND * DAY_MS });
  }, [base.symbol, isDayRequested, setOwn]);
  const chosen: RangeChoice = own === null ? { days } : { interval: own };
  const resolution = shownStep(step, own === null ? days * DAY_MS : own.to - own.from);
  const [shownChange, setShownChange] = useState<{ readonly stateChange: StateChange } | null>(null);
  const picture = useRef<(() => HTMLCanvasElement) | null>(null);
  const asked = intervalFor(base, chosen, resolution);
  const query = useRegimeSeries(base.symbol, resolution === 'day' ? null : resolution, asked);
  const { series } = query;
  const interval = intervalFor(base, chosen, resolution, series?.granularity);
  const calendar = useChartCalendar(base.symbol);
  const notes = useChartNotes(base.symbol);
  const due = useChartDue(base.symbol, resolution);
  const model = useMemo(
    () => ({
      ...(series === null || series.granularity === 'day'
        ? base
        : fineChart(base, at === null ? series : seriesUntil(series, at), calendar)),
      notes: at === null ? notes : notes.filter((note) => note.at <= at),
      due,
    }),
    [base, series, calendar, notes, due, at],
  );
  const noting = useNoting(model);
  const range = useIndexRange(model, interval);
  // Memoized, or the chart would receive its own range again and again.
  const shown = useRef(model);
  shown.current = model;
  const onRange = useCallback((next: Range) => setOwn(timeRangeOf(timesOf(shown.current), next)), [setOwn]);

  const choose = (next: RangeChoice): void => {
    setShownChange(null);
    setOwn('interval' in next ? next.interval : null);
    if ('days' in next) preferences.setDays(next.days);
  };
  const showChange = (stateChange: StateChange): void => {
    const { at } = stateChange;
    // A change outside the range moves it, and leaves its width.
    const half = (interval.to - interval.from) / 2;
    if (at < interval.from || at > interval.to) setOwn({ from: at - half, to: at + half });
    setShownChange({ stateChange });
  };
  useZoomKeys(interval, wholeOf(base), resolution, choose);
  return (
    <>
      {isKnown ? (
        <>
          <div className={hasCandles(model) ? 'tools has-styles' : 'tools'}>
            <TimelineTools
              chosen={chosen}
              onChosen={choose}
              resolution={step}
              onResolution={preferences.setResolution}
              style={hasCandles(model) ? style : null}
              onStyle={preferences.setChartStyle}
              whole={wholeOf(base)}
              query={resolution === 'day' ? null : query}
              note={stepNote(step, resolution, query.known?.granularity ?? null)}
            />
            {noting.button}
            <CachedNote at={cachedAt ?? series?.cachedAt} />
            <Legend model={model} hasCandles={style === 'candles' && hasCandles(model)} />
            <Export model={model} interval={interval} picture={picture} />
          </div>
          <PriceChartView
            model={model}
            range={range}
            onRange={onRange}
            style={style}
            grey={isOffline && at === null}
            shown={shownChange}
            picture={picture}
            notes={noting.actions}
          />
        </>
      ) : (
        <p className="empty chart">{texts.chart.unknownThen(whole.symbol)}</p>
      )}
      {noting.dialog}
      <TimeControl model={whole} range={interval} />
      {isKnown ? <Detail model={base} onShow={showChange} /> : <div className="detail" />}
    </>
  );
}

/** The range that the user chose; a shown moment that moves out of it leaves it, within one moment it is free. */
function useOwnRange(at: number | null) {
  const [own, setOwn] = useState<TimeRange | null>(null);
  const [atBefore, setAtBefore] = useState(at);
  if (at !== atBefore) {
    setAtBefore(at);
    if (own !== null && at !== null && (at <= own.from || at > own.to)) setOwn(null);
  }
  return [own, setOwn] as const;
}

/**
 * The range as indexes of a model; the same object while they are equal, because the last price moves often.
 */
function useIndexRange(model: ChartModel, interval: TimeRange): Range {
  const { from, to } = indexRangeOf(timesOf(model), interval);
  return useMemo(() => ({ from, to }), [from, to]);
}

interface ExportProps {
  readonly model: ChartModel;
  readonly interval: TimeRange;
  readonly picture: { readonly current: (() => HTMLCanvasElement) | null };
}

function Export({ model, interval, picture }: ExportProps) {
  const environment = useSnapshot((snapshot) => snapshot.profile.environment);
  const zone = usePreference((preference) => preference.zone);
  const name = `${model.symbol}-timeline-${model.resolution}`;
  const png = async (): Promise<void> => {
    const drawn = picture.current?.();
    if (drawn === undefined) return;
    const [from, to] = [interval.from, interval.to].map((ms) => dayAndYear(sessionMs(ms)));
    const caption = texts.chart.pictureCaption(model.symbol, from ?? '', to ?? '', zoneName(zone));
    const blob = await withCaption(
      drawn,
      caption,
      environment === 'sandbox' ? texts.common.sandbox : null,
      document.documentElement,
    );
    if (blob !== null) saveFile(`${name}.png`, blob);
  };
  return (
    <ExportMenu
      label={texts.chart.exportName}
      onCsv={() => saveFile(`${name}.csv`, csvBlob(timelineCsv(timelineFile(model, interval, environment))))}
      onJson={() => saveFile(`${name}.json`, jsonBlob(timelineFile(model, interval, environment)))}
      onPng={() => void png()}
    />
  );
}

function Legend({ model, hasCandles }: { model: ChartModel; hasCandles: boolean }) {
  return (
    <div className="legend">
      {hasCandles ? (
        <span aria-hidden="true">
          <svg width="18" height="10" aria-hidden="true" stroke="var(--ink)">
            <path d="M4 0v10M13 0v10" />
            <path d="M1.5 2.5h5v5h-5z" fill="var(--s1)" />
            <path d="M10.5 2.5h5v5h-5z" fill="var(--ink)" />
          </svg>
          {texts.chart.candles}
        </span>
      ) : (
        <span aria-hidden="true">
          <svg width="18" height="8" aria-hidden="true">
            <path d="M0 4h18" stroke="var(--ink)" strokeWidth="1.5" />
          </svg>
          {model.hasClosesOnly === true ? texts.chart.dailyCloses : texts.chart.price}
        </span>
      )}
      <span aria-hidden="true">
        <i className="gap-swatch" />
        {texts.chart.gap}
      </span>
      <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer" title={texts.chart.noticeLong}>
        <span className="notice-more">{texts.chart.noticeBy}</span> {texts.chart.notice}
      </a>
    </div>
  );
}

/** What is due for a symbol and for every market, as the chart draws it: lists name days to come too. */
function useChartDue(symbol: string, resolution: Granularity): readonly ChartDue[] {
  const schedule = useSchedule();
  const calendar = useSymbolCalendar(symbol);
  return useMemo(
    () =>
      (schedule?.events ?? [])
        .filter((event) => event.symbol === symbol || event.symbol === null)
        .map((event): ChartDue => {
          const day = event.at === null ? event.date : calendarDate(calendar, Date.parse(event.at));
          const { open, close } = sessionOn(calendar, day);
          const within = event.at === null ? (event.part === 'before_open' ? open : close) : Date.parse(event.at);
          const at = resolution === 'day' ? close : within;
          return { at, day, letter: texts.due.letters[event.kind], text: texts.due.named(event) };
        }),
    [schedule, calendar, symbol, resolution],
  );
}

const NONE: readonly ChartNote[] = [];

/** The notes of a symbol, its own and those of its alerts, as the chart draws them. */
function useChartNotes(symbol: string): readonly ChartNote[] {
  const read = useChannelQuery('notes.read', { symbol }).data;
  return useMemo(
    () =>
      read?.notes.map((note): ChartNote => {
        const shared = { at: Date.parse(note.at), text: note.text };
        return note.kind === 'symbol'
          ? { kind: note.kind, id: note.id, ...shared }
          : { kind: note.kind, ledgerId: note.ledger_id, ...shared };
      }) ?? NONE,
    [read],
  );
}

/** + and - zoom the timeline around its end, 0 shows all of it. */
function useZoomKeys(
  interval: TimeRange,
  whole: TimeRange,
  resolution: Granularity,
  choose: (chosen: RangeChoice) => void,
): void {
  const zoom = (factor: number): void => {
    const width = Math.max(NARROWEST * STEP[resolution], (interval.to - interval.from) * factor);
    choose({ interval: { from: Math.max(whole.from, interval.to - width), to: interval.to } });
  };
  useShortcuts('charts', { zoomIn: () => zoom(0.5), zoomOut: () => zoom(2), zoomAll: () => choose({ days: 90 }) });
}
