// Renderer: the chosen symbol through time: the chart with its tools, the brush, and below them what moved and the record.
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Granularity } from '../../../shared/channels/readings.ts';
import { type SessionCalendar, sessionCalendarOf } from '../../../shared/domain/sessions.ts';
import { Brush } from '../../charts/brush.tsx';
import { lastDays, NARROWEST, placesOf, type Range, type Stretch, stretchOf } from '../../charts/brush-range.ts';
import { fineChart, regimeChart, STEP } from '../../charts/fine-model.ts';
import { type ChartModel, openGaps, sessionMs } from '../../charts/model.ts';
import { withCaption } from '../../charts/picture.ts';
import { PriceChartView } from '../../charts/price-chart-view.tsx';
import { useServices } from '../../services.ts';
import { preferences, usePreference } from '../../store/preferences.ts';
import { useBlind, useBlindSince } from '../../store/sight.ts';
import { useBoard } from '../../store/store.ts';
import { en } from '../../text/en.ts';
import { dayAndYear, zoneName } from '../../text/format.ts';
import { Awaited, Failed } from '../../ui/awaited.tsx';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { KeptNote } from '../../ui/kept-note.tsx';
import { csvBlob, jsonBlob, saveFile } from '../../ui/save-file.ts';
import { Detail } from './detail.tsx';
import { timelineCsv, timelineFile } from './timeline-file.ts';
import { type Chosen, MOST_MINUTES, TimelineTools } from './timeline-tools.tsx';
import { useChartModel } from './use-chart-model.ts';
import { useCourse } from './use-course.ts';
import { useZoomKeys } from './use-zoom-keys.ts';

const DAY = 86_400_000;
const FIRST_RANGE = 30;
/** A symbol without a signal has regimes alone; so far back they are read. */
const REGIME_DAYS = 90;

export function PricePanel({ symbol }: { symbol: string }) {
  const isRegimeOnly = useBoard((board) => board.rows[symbol]?.coverage === 'regime_only');
  return isRegimeOnly ? <RegimeOnly symbol={symbol} /> : <Priced symbol={symbol} />;
}

function Priced({ symbol }: { symbol: string }) {
  const { slot, model } = useChartModel(symbol);
  const { timelines } = useServices();
  if (model !== null && model.points.length > 0) return <Timeline base={model} keptAt={slot?.value?.kept_at} />;
  if (slot?.status === 'failed')
    return <Failed what={en.chart.failed(symbol)} why={slot.problem} onRetry={() => timelines.read(symbol)} />;
  if (model === null) return <Awaited what={en.chart.awaiting(symbol)} progress={null} />;
  return <p className="empty">{en.chart.empty(symbol)}</p>;
}

function RegimeOnly({ symbol }: { symbol: string }) {
  const { readings } = useServices();
  const gaps = useBoard((board) => board.gaps);
  const anchoredAt = useBoard((board) => sessionMs(board.anchoredAt + board.connection.clock.offset));
  const unseenSince = useBlindSince()?.world ?? null;
  const stretch = { from: anchoredAt - REGIME_DAYS * DAY, to: anchoredAt + DAY };
  const { slot } = useCourse(symbol, 'day', stretch);
  const course = slot?.value ?? null;
  const model = useMemo(
    () => (course === null ? null : regimeChart(symbol, course, openGaps({ gaps, unseenSince }))),
    [symbol, course, gaps, unseenSince],
  );
  if (model !== null && model.points.length > 1) return <Timeline base={model} keptAt={course?.keptAt} />;
  const read = (): void => readings.regimes(symbol, 'day', stretch);
  if (slot?.status === 'failed') return <Failed what={en.chart.failed(symbol)} why={slot.problem} onRetry={read} />;
  if (model === null)
    return (
      <Awaited
        what={en.chart.awaiting(symbol)}
        progress={slot?.progress ?? null}
        onStop={() => readings.stop('regimes')}
      />
    );
  return <p className="empty">{en.chart.empty(symbol)}</p>;
}

/** @param base the symbol day by day; there is at least one point. keptAt: when it was heard, where it comes from the archive */
function Timeline({ base, keptAt }: { base: ChartModel; keptAt: string | undefined }) {
  const blind = useBlind();
  const days = usePreference((preference) => preference.days);
  const grain = usePreference((preference) => preference.grain);
  const [own, setOwn] = useState<Stretch | null>(null);
  const chosen: Chosen = own === null ? { days } : { stretch: own };
  const picture = useRef<(() => HTMLCanvasElement) | null>(null);
  const stretch = stretchFor(base, chosen, grain);
  const { slot, course } = useCourse(base.symbol, grain === 'day' ? null : grain, stretch);
  const calendar = useCalendar(base.symbol);
  const model = useMemo(() => (course === null ? base : fineChart(base, course, calendar)), [base, course, calendar]);
  const range = usePlaces(model, stretch);
  const brushed = usePlaces(base, stretch);
  const choosePlaces = (of: ChartModel) => (next: Range) => setOwn(stretchOf(timesOf(of), next));
  // Steady, or the chart would be told its own range over and over.
  const shown = useRef(model);
  shown.current = model;
  const onRange = useCallback((next: Range) => setOwn(stretchOf(timesOf(shown.current), next)), []);

  const choose = (next: Chosen): void => {
    const width = 'days' in next ? next.days * DAY : next.stretch.to - next.stretch.from;
    // Minutes of a month are too many, days of a day too few: the step goes with the range.
    if (grain === 'minute' && width > MOST_MINUTES) preferences.setGrain('hour');
    if (grain === 'day' && width < NARROWEST * DAY) preferences.setGrain('hour');
    setOwn('stretch' in next ? next.stretch : null);
    if ('days' in next) preferences.setDays(next.days);
  };
  const chooseGrain = (next: Granularity): void => {
    const width = stretch.to - stretch.from;
    if (next === 'minute' && width > MOST_MINUTES) choose({ days: 1 });
    if (next === 'day' && width < NARROWEST * DAY) choose({ days: FIRST_RANGE });
    preferences.setGrain(next);
  };
  useZoomKeys(stretch, wholeOf(base), grain, choose);
  return (
    <>
      <div className="tools">
        <TimelineTools
          chosen={chosen}
          onChosen={choose}
          grain={grain}
          onGrain={chooseGrain}
          whole={wholeOf(base)}
          slot={slot}
        />
        <KeptNote at={keptAt ?? course?.keptAt} />
        <Legend />
        <Export model={model} stretch={stretch} picture={picture} />
      </div>
      <PriceChartView model={model} range={range} onRange={onRange} grey={blind} picture={picture} />
      <Brush model={base} range={brushed} onRange={choosePlaces(base)} least={grain === 'day' ? NARROWEST : 1} />
      <Detail model={base} />
    </>
  );
}

/** When the symbol trades; around the clock where its class is not known yet. */
const useCalendar = (symbol: string): SessionCalendar =>
  useBoard(({ rows, profile }) => {
    const assetClass = rows[symbol]?.signal?.asset_class;
    return assetClass === undefined ? 'always' : sessionCalendarOf(assetClass, profile.environment);
  });

const timesOf = (model: ChartModel): number[] => model.points.map((point) => point.ms);
const wholeOf = (model: ChartModel): Stretch => ({ from: model.points[0]?.ms ?? 0, to: model.points.at(-1)?.ms ?? 0 });

function stretchFor(base: ChartModel, chosen: Chosen, grain: Granularity): Stretch {
  if ('stretch' in chosen) return chosen.stretch;
  const times = timesOf(base);
  if (grain === 'day') return stretchOf(times, lastDays(times, chosen.days));
  const whole = wholeOf(base);
  // The present moves on; what is shown moves with its steps.
  const end = Math.ceil(whole.to / STEP[grain]) * STEP[grain];
  return { from: Math.max(whole.from, end - chosen.days * DAY), to: end };
}

/** The stretch as places of a model; the same object while they are the same, for the last price moves all the time. */
function usePlaces(model: ChartModel, stretch: Stretch): Range {
  const { from, to } = placesOf(timesOf(model), stretch);
  return useMemo(() => ({ from, to }), [from, to]);
}

interface ExportProps {
  readonly model: ChartModel;
  readonly stretch: Stretch;
  readonly picture: { readonly current: (() => HTMLCanvasElement) | null };
}

function Export({ model, stretch, picture }: ExportProps) {
  const environment = useBoard((board) => board.profile.environment);
  const zone = usePreference((preference) => preference.zone);
  const name = `${model.symbol}-timeline-${model.grain}`;
  const png = async (): Promise<void> => {
    const drawn = picture.current?.();
    if (drawn === undefined) return;
    const [from, to] = [stretch.from, stretch.to].map((ms) => dayAndYear(sessionMs(ms)));
    const caption = en.chart.pictureCaption(model.symbol, from ?? '', to ?? '', zoneName(zone));
    const blob = await withCaption(
      drawn,
      caption,
      environment === 'sandbox' ? en.sandbox : null,
      document.documentElement,
    );
    if (blob !== null) saveFile(`${name}.png`, blob);
  };
  return (
    <ExportMenu
      label={en.chart.exportName}
      onCsv={() => saveFile(`${name}.csv`, csvBlob(timelineCsv(timelineFile(model, stretch, environment))))}
      onJson={() => saveFile(`${name}.json`, jsonBlob(timelineFile(model, stretch, environment)))}
      onPng={() => void png()}
    />
  );
}

function Legend() {
  return (
    <div className="legend">
      <span aria-hidden="true">
        <svg width="18" height="8" aria-hidden="true">
          <path d="M0 4h18" stroke="var(--ink)" strokeWidth="1.5" />
        </svg>
        {en.chart.price}
      </span>
      <span aria-hidden="true">
        <i className="gap-swatch" />
        {en.chart.gap}
      </span>
      <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer" title={en.chart.noticeLong}>
        <span className="notice-more">{en.chart.noticeBy}</span> {en.chart.notice}
      </a>
    </div>
  );
}
