// Renderer: a symbol's chart on lightweight-charts: prices, regimes, gaps, transitions and states.
import { createChartEx, type IChartApi, type MouseEventParams, TickMarkType, type Time } from 'lightweight-charts';
import type { Granularity } from '../../shared/channels/queries.ts';
import { DAY_MS } from '../../shared/lib/time.ts';
import type { ChartStyle } from '../store/preferences.ts';
import { createCandleSeries, hasCandles } from './candle-series.ts';
import { colorOptions, DUE_MARGIN, FIXED_OPTIONS, GAP_MARGIN, MARGIN } from './chart-options.ts';
import type { Range } from './chart-range.ts';
import type { ChartColors } from './colors.ts';
import type { ChartDue, ChartModel, ChartNote, GapBand, StateChange } from './model.ts';
import { createOverlays, type OverlayLabels } from './overlays.ts';
import { createPriceSeries, msOf, type PriceLabels, timeOf } from './price-series.ts';
import { RIBBON_SPACE } from './regime-ribbon.ts';
import { pointIndex } from './stepping.ts';
import { createZoneScale, type UtcOffset } from './zone-scale.ts';

/** Labels and number formats, passed in, so that this file holds no text. */
export interface ChartLabels extends OverlayLabels, PriceLabels {
  price(value: number): string;
  /** A label of the time axis. @param isDay the tick marks a day or more */
  tick(ms: number, resolution: Granularity, isDay: boolean): string;
  /** The clock of the labels. */
  readonly utcOffset: UtcOffset;
}

/** Pointer position: on a point, by its time (ms), on a gap, on a change of state, on notes, on what is due, or nowhere. */
export type PointerTarget =
  | { readonly at: number }
  | { readonly gap: GapBand }
  | { readonly stateChange: StateChange }
  | { readonly notes: readonly ChartNote[] }
  | { readonly due: readonly ChartDue[] }
  | null;

export interface ChartListener {
  onPointed(pointed: PointerTarget): void;
  onClicked(pointed: PointerTarget): void;
  /** The user scrolled or zoomed. */
  onRange(range: Range): void;
}

export interface PriceChart {
  /** Updates the last point where it can; sets all data only for another history. */
  setModel(model: ChartModel): void;
  setColors(colors: ChartColors): void;
  /** Candles are drawn where the model has them. */
  setStyle(style: ChartStyle): void;
  /** Shows a range of the points. */
  setRange(range: Range): void;
  /** Puts the crosshair on the point of a time, ms, and keeps it there; null hides it. */
  point(at: number | null): void;
  /** The current drawing, without the crosshair. */
  picture(): HTMLCanvasElement;
  /** Draws the labels of the time axis for another zone. */
  setLabels(): void;
  remove(): void;
}

/** The pane below the prices. */
const LANE_PANE = 1;
/** Height of that pane, px: a lane for glyphs, and the strip. */
const LANE_HEIGHT = 50;
const TIME_AXIS_HEIGHT = 26;
/** Events by which a user moves the chart. */
const INPUT_EVENTS = ['wheel', 'pointermove', 'dblclick'] as const;

export function createPriceChart(
  element: HTMLElement,
  colors: ChartColors,
  labels: ChartLabels,
  listener: ChartListener,
): PriceChart {
  // The zone scale extends the library's time scale, so the options of that one apply.
  const chart = createChartEx(element, createZoneScale(labels.utcOffset), FIXED_OPTIONS) as IChartApi;
  chart.applyOptions(colorOptions(colors));
  const series = createPriceSeries(chart, colors, labels);
  const candles = createCandleSeries(chart, colors);
  chart.addPane(true);
  const overlays = createOverlays(chart, series.line, labels, colors);
  const layout = keepLayout(element, chart);
  let model: ChartModel | null = null;
  let style: ChartStyle = 'line';
  let range: Range = { from: 0, to: 0 };
  let pointedAt: number | null = null;
  const last = (): number => (model?.points.length ?? 0) - 1;

  const setLabels = (): void => chart.applyOptions(labelOptions(labels, model?.resolution ?? 'day'));
  const drawCandles = (): void => {
    const isDrawn = style === 'candles' && model !== null && hasCandles(model);
    candles.setModel(isDrawn ? model : null);
    series.showLine(!isDrawn);
  };
  const showRange = (): void => {
    if (last() < 1) return;
    const isAtEnd = range.to >= last() - MARGIN;
    const margin = isAtEnd && model !== null ? marginOf(model) : MARGIN;
    chart.timeScale().setVisibleLogicalRange({ from: range.from - MARGIN, to: range.to + margin });
  };
  const placeCrosshair = (): void => {
    const at = pointedAt === null || model === null ? null : crosshairAt(model, pointedAt);
    if (at === null) chart.clearCrosshairPosition();
    else chart.setCrosshairPosition(at.price, at.time, series.line);
  };
  chart.subscribeCrosshairMove((event) => {
    // Moves by the program carry no source event.
    if (event.sourceEvent !== undefined) pointedAt = null;
    if (event.sourceEvent !== undefined || event.point === undefined)
      listener.onPointed(pointerTarget(event, overlays, model));
  });
  chart.subscribeClick((event) => listener.onClicked(pointerTarget(event, overlays, model)));
  // The library reports every change of its range, including those by size or new data. Only the user's are
  // passed on.
  const report = (): void => {
    const seen = chart.timeScale().getVisibleLogicalRange();
    if (seen !== null && last() >= 1)
      listener.onRange({ from: Math.max(0, seen.from + MARGIN), to: Math.min(last(), seen.to - MARGIN) });
  };
  const forgetInput = onUserInput(element, report);
  // The library keeps the crosshair at its coordinate, and changes its range with the next frame.
  chart.timeScale().subscribeVisibleLogicalRangeChange(() => {
    if (pointedAt !== null) placeCrosshair();
  });
  setLabels();

  return {
    setModel(next) {
      const isOtherResolution = next.resolution !== (model?.resolution ?? 'day');
      model = next;
      if (isOtherResolution) setLabels();
      if (series.setModel(next)) showRange();
      drawCandles();
      overlays.setModel(next);
      if (pointedAt !== null) placeCrosshair();
    },
    setColors(next) {
      chart.applyOptions(colorOptions(next));
      series.setColors(next);
      candles.setColors(next);
      overlays.setColors(next);
    },
    setStyle(next) {
      style = next;
      drawCandles();
    },
    setRange(next) {
      range = next;
      showRange();
    },
    point(at) {
      pointedAt = at;
      placeCrosshair();
    },
    picture: () => chart.takeScreenshot(true),
    setLabels() {
      setLabels();
      if (model === null || model.resolution === 'day') return;
      series.reset();
      showRange();
    },
    remove() {
      layout.disconnect();
      forgetInput();
      chart.remove();
    },
  };
}

/** Room to the right, in points. */
function marginOf({ gaps, due = [], resolution, points }: ChartModel): number {
  const end = points.at(-1)?.ms ?? 0;
  if (resolution === 'day' && due.some(({ at }) => at > end && at - end < DUE_MARGIN * DAY_MS)) return DUE_MARGIN;
  return gaps.some((gap) => gap.to === null) ? GAP_MARGIN : MARGIN;
}

/** Where the crosshair stands on the point of a time, ms: on its price, or on the last one before. */
function crosshairAt({ points, resolution }: ChartModel, ms: number): { price: number; time: Time } | null {
  const at = points[pointIndex(points, ms) ?? -1];
  if (at === undefined) return null;
  const price = at.price ?? points.findLast((point) => point.price !== null && point.ms <= at.ms)?.price;
  return { price: price ?? 0, time: timeOf(at.ms, resolution) };
}

function pointerTarget(
  { point, logical, paneIndex }: MouseEventParams,
  overlays: ReturnType<typeof createOverlays>,
  model: ChartModel | null,
): PointerTarget {
  if (point === undefined || logical === undefined) return null;
  const stateChange = paneIndex === LANE_PANE ? overlays.stateChangeAt(point.x) : null;
  if (stateChange !== null) return { stateChange };
  const notes = paneIndex === LANE_PANE ? [] : overlays.notesAt(point.x, point.y);
  if (notes.length > 0) return { notes };
  const due = paneIndex === LANE_PANE ? [] : overlays.dueAt(point.x, point.y);
  if (due.length > 0) return { due };
  const gap = overlays.gapAt(point.x);
  if (gap !== null) return { gap };
  const at = model?.points[Math.round(logical)]?.ms;
  return at === undefined ? null : { at };
}

/** Calls `moved` in the frame after each input by which a user may have moved the chart. */
function onUserInput(element: HTMLElement, moved: () => void): () => void {
  const onInput = (event: Event): void => {
    if (event instanceof PointerEvent && event.buttons === 0) return;
    requestAnimationFrame(moved);
  };
  for (const name of INPUT_EVENTS) element.addEventListener(name, onInput, { passive: true });
  return () => {
    for (const name of INPUT_EVENTS) element.removeEventListener(name, onInput);
  };
}

/** The labels of the time and price axes. */
const labelOptions = (labels: ChartLabels, resolution: Granularity) => ({
  timeScale: {
    tickMarkFormatter: (time: Time, type: TickMarkType) =>
      labels.tick(msOf(time), resolution, type <= TickMarkType.DayOfMonth),
    timeVisible: resolution !== 'day',
  },
  localization: {
    timeFormatter: (time: Time) => labels.tick(msOf(time), resolution, resolution === 'day'),
    priceFormatter: labels.price,
  },
});

/** Keeps the height of the lane at any size; the prices get the rest. */
function keepLayout(element: HTMLElement, chart: IChartApi): ResizeObserver {
  const [main, lanes] = chart.panes();
  const layOut = (): void => {
    const pane = element.clientHeight - TIME_AXIS_HEIGHT - 1 - LANE_HEIGHT;
    if (pane <= 40) return;
    main?.setStretchFactor(pane);
    lanes?.setStretchFactor(LANE_HEIGHT);
    main?.priceScale('right').applyOptions({
      scaleMargins: { top: Math.min(0.4, (RIBBON_SPACE + 12) / pane), bottom: Math.min(0.3, 12 / pane) },
    });
  };
  const sizes = new ResizeObserver(layOut);
  sizes.observe(element);
  layOut();
  return sizes;
}
