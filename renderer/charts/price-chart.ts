// Renderer: a symbol's chart on lightweight-charts: prices, regimes, gaps, transitions and states.
import {
  ColorType,
  CrosshairMode,
  createChartEx,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  type MouseEventParams,
  TickMarkType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import type { Granularity } from '../../shared/channels/queries.ts';
import type { Range } from './brush-range.ts';
import type { ChartColors } from './colors.ts';
import { createGapHatch } from './gap-hatch/primitive.ts';
import { gapBoxes, type LogicalAt, timeIndex } from './geometry.ts';
import { type ChartModel, type ChartPoint, type GapBand, sessionMs } from './model.ts';
import { projection } from './primitive-base.ts';
import { RIBBON_SPACE } from './regime-ribbon/options.ts';
import { createRegimeRibbon } from './regime-ribbon/primitive.ts';
import { createStateStrip } from './state-strip/primitive.ts';
import { createTransitionMarkers } from './transition-markers/primitive.ts';
import { createZoneScale, type UtcOffset } from './zone-scale.ts';

/** Labels and number formats, passed in, so that this file holds no text. */
export interface ChartLabels {
  readonly highRisk: string;
  regimeName(regime: string): string;
  priceDigits(price: number): number;
  price(value: number): string;
  /** A label of the time axis. @param isDay the tick marks a day or more */
  tick(ms: number, resolution: Granularity, isDay: boolean): string;
  /** The clock of the labels. */
  readonly utcOffset: UtcOffset;
}

/** Pointer position: on a point, on a gap, or nowhere. */
export type PointerTarget = { readonly index: number } | { readonly gap: GapBand } | null;

export interface ChartListener {
  onPointed(pointed: PointerTarget): void;
  /** The user scrolled or zoomed. */
  onRange(range: Range): void;
}

export interface PriceChart {
  /** Updates the last point where it can; sets all data only for another history. */
  setModel(model: ChartModel): void;
  setColors(colors: ChartColors): void;
  /** Shows a range of the points. */
  setRange(range: Range): void;
  /** Puts the crosshair on a point; null hides it. */
  point(index: number | null): void;
  /** The current drawing, without the crosshair. */
  picture(): HTMLCanvasElement;
  /** Draws the labels of the time axis for another zone. */
  setLabels(): void;
  remove(): void;
}

/** Height of the pane below the prices, px: a lane for glyphs, and the strip. */
export const LANE_HEIGHT = 50;
const GLYPHS_AT = 15;
/** Events by which a user moves the chart. */
const INPUT_EVENTS = ['wheel', 'pointermove', 'dblclick'] as const;
/** Width of the price axis, px. */
export const AXIS_WIDTH = 66;
const TIME_AXIS_HEIGHT = 26;
/** Shows no empty days to the right, except while a gap is open there. */
const MARGIN = 0.5;
const GAP_MARGIN = 4;

export function createPriceChart(
  element: HTMLElement,
  colors: ChartColors,
  labels: ChartLabels,
  listen: ChartListener,
): PriceChart {
  let resolution: Granularity = 'day';
  // The zone scale extends the library's time scale, so the options of that one apply.
  const chart = createChartEx(element, createZoneScale(labels.utcOffset), {
    autoSize: true,
    ...chartOptions(colors),
  }) as IChartApi;
  chart.applyOptions({
    crosshair: { mode: CrosshairMode.Magnet },
    kineticScroll: { touch: false, mouse: false },
    handleScale: {
      axisPressedMouseMove: { time: true, price: false },
      axisDoubleClickReset: { time: true, price: false },
    },
    timeScale: {
      fixLeftEdge: true,
      allowBoldLabels: false,
      rightOffset: MARGIN,
      // By hour and minute there are more points than pixels.
      minBarSpacing: 0.05,
      // A larger window enlarges the same range instead of adding an empty end.
      lockVisibleTimeRangeOnResize: true,
    },
    rightPriceScale: { minimumWidth: AXIS_WIDTH },
  });
  /** Sets the labels for another granularity or zone. */
  const label = (): void =>
    chart.applyOptions({
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
  const prices = chart.addSeries(LineSeries, { ...inkOf(colors), crosshairMarkerRadius: 3 });
  // A series of its own: markers at the ends of a broken line are drawn although the line is not.
  const markers = chart.addSeries(LineSeries, { ...inkOf(colors), ...MARKER_OPTIONS });
  label();
  chart.addPane(true);
  const [main, lanes] = chart.panes();

  let model: ChartModel | null = null;
  let currentColors = colors;
  let range: Range = { from: 0, to: 0 };
  let logicalAt: LogicalAt = timeIndex([]);

  const primitiveOptions = () => {
    const shared = { logicalAt, colors: currentColors };
    const gaps = model?.gaps ?? [];
    const stateChanges = model?.stateChanges ?? [];
    return {
      ribbon: { ...shared, bands: model?.regimes ?? [], nameOf: labels.regimeName },
      hairlines: { ...shared, stateChanges, top: RIBBON_SPACE, glyphsAt: null },
      gap: { ...shared, gaps, top: RIBBON_SPACE },
      strip: { ...shared, bands: model?.bands ?? [], highRiskLabel: labels.highRisk },
      glyphs: { ...shared, stateChanges, top: 0, glyphsAt: GLYPHS_AT },
      laneGap: { ...shared, gaps, top: 0 },
    };
  };
  const first = primitiveOptions();
  const ribbon = createRegimeRibbon(first.ribbon);
  const hairlines = createTransitionMarkers(first.hairlines);
  const gapHatch = createGapHatch(first.gap);
  const strip = createStateStrip(first.strip);
  const glyphs = createTransitionMarkers(first.glyphs);
  const laneGap = createGapHatch(first.laneGap);
  for (const primitive of [ribbon, hairlines]) main?.attachPrimitive(primitive);
  prices.attachPrimitive(gapHatch);
  for (const primitive of [strip, glyphs, laneGap]) lanes?.attachPrimitive(primitive);

  const updatePrimitives = (): void => {
    const now = primitiveOptions();
    ribbon.setOptions(now.ribbon);
    hairlines.setOptions(now.hairlines);
    gapHatch.setOptions(now.gap);
    strip.setOptions(now.strip);
    glyphs.setOptions(now.glyphs);
    laneGap.setOptions(now.laneGap);
  };

  const layOut = (): void => {
    const height = element.clientHeight - TIME_AXIS_HEIGHT - 1;
    if (height <= LANE_HEIGHT + 40) return;
    main?.setStretchFactor(height - LANE_HEIGHT);
    lanes?.setStretchFactor(LANE_HEIGHT);
    const pane = height - LANE_HEIGHT;
    prices.priceScale().applyOptions({
      scaleMargins: { top: Math.min(0.4, (RIBBON_SPACE + 12) / pane), bottom: Math.min(0.3, 12 / pane) },
    });
  };
  const sizes = new ResizeObserver(layOut);
  sizes.observe(element);
  layOut();

  const showRange = (): void => {
    const last = (model?.points.length ?? 0) - 1;
    if (last < 1) return;
    const isAtEnd = range.to >= last - MARGIN;
    const margin = isAtEnd && model?.gaps.some((gap) => gap.to === null) ? GAP_MARGIN : MARGIN;
    chart.timeScale().setVisibleLogicalRange({ from: range.from - MARGIN, to: range.to + margin });
  };

  const pointed = (event: MouseEventParams): PointerTarget => {
    if (event.point === undefined || model === null || event.logical === undefined) return null;
    const { x } = event.point;
    const gap = gapBoxes(model.gaps, projection(chart, logicalAt), chart.timeScale().width()).find(
      (box) => x >= box.x0 - 3 && x <= box.x1 + 3,
    );
    if (gap !== undefined) return { gap: gap.gap };
    const index = Math.round(event.logical);
    return index >= 0 && index < model.points.length ? { index } : null;
  };
  chart.subscribeCrosshairMove((event) => {
    // Moves by the program carry no source event.
    if (event.sourceEvent !== undefined || event.point === undefined) listen.onPointed(pointed(event));
  });

  // The library reports every change of its range, including those by size or new data. Only the user's are
  // passed on.
  const report = (): void => {
    const seen = chart.timeScale().getVisibleLogicalRange();
    const last = (model?.points.length ?? 0) - 1;
    if (seen !== null && last >= 1)
      listen.onRange({ from: Math.max(0, seen.from + MARGIN), to: Math.min(last, seen.to - MARGIN) });
  };
  const onInput = (event: Event): void => {
    if (event instanceof PointerEvent && event.buttons === 0) return;
    requestAnimationFrame(report);
  };
  for (const name of INPUT_EVENTS) element.addEventListener(name, onInput, { passive: true });

  const setPoints = ({ points }: ChartModel): void => {
    prices.setData(points.map((point) => datum(point, resolution)));
    // The line between two prices is no data: markers show where the prices are.
    markers.setData(resolution === 'day' ? [] : points.map((point) => dataPoint(point, resolution)));
    showRange();
  };

  return {
    setModel(next) {
      const before = model;
      model = next;
      logicalAt = timeIndex(next.points.map((each) => each.ms));
      const last = next.points.at(-1);
      if (resolution !== next.resolution) {
        resolution = next.resolution;
        label();
      }
      if (before !== null && last !== undefined && continues(before, next)) {
        prices.update(datum(last, resolution));
        if (resolution !== 'day') markers.update(dataPoint(last, resolution));
      } else {
        const digits = labels.priceDigits(next.points.findLast((point) => point.price !== null)?.price ?? 100);
        prices.applyOptions({ priceFormat: { type: 'price', precision: digits, minMove: 10 ** -digits } });
        setPoints(next);
      }
      updatePrimitives();
    },
    setColors(next) {
      currentColors = next;
      chart.applyOptions(chartOptions(next));
      prices.applyOptions(inkOf(next));
      markers.applyOptions({ ...inkOf(next), ...MARKER_OPTIONS });
      updatePrimitives();
    },
    setRange(next) {
      range = next;
      showRange();
    },
    point(index) {
      const at = index === null ? undefined : model?.points[index];
      const price =
        at?.price ?? model?.points.findLast((point) => point.price !== null && point.ms <= (at?.ms ?? 0))?.price;
      if (at === undefined) chart.clearCrosshairPosition();
      else chart.setCrosshairPosition(price ?? 0, timeOf(at.ms, resolution), prices satisfies ISeriesApi<'Line'>);
    },
    picture: () => chart.takeScreenshot(true),
    setLabels() {
      label();
      if (model === null || resolution === 'day') return;
      // The library keeps positions of existing points on the axis; clear the data to set them again.
      for (const series of [prices, markers]) series.setData([]);
      setPoints(model);
    },
    remove() {
      sizes.disconnect();
      for (const name of INPUT_EVENTS) element.removeEventListener(name, onInput);
      chart.remove();
    },
  };
}

/** Whether only the last day of the history differs, or one was added. */
function continues(before: ChartModel, next: ChartModel): boolean {
  const grown = next.points.length - before.points.length;
  const last = before.points.at(-1);
  const same = next.points[before.points.length - 1];
  if (before.symbol !== next.symbol || before.resolution !== next.resolution || (grown !== 0 && grown !== 1))
    return false;
  if (
    last === undefined ||
    same === undefined ||
    timeOf(last.ms, before.resolution) !== timeOf(same.ms, next.resolution)
  )
    return false;
  if (grown === 1 && last.cut !== same.cut) return false;
  return before.points.slice(0, -1).every((point, index) => {
    const now = next.points[index];
    return point.ms === now?.ms && point.price === now.price && point.cut === now.cut;
  });
}

/** The library's time: of a session day, its date; of an hour or minute, its second. */
const timeOf = (ms: number, resolution: Granularity): Time =>
  resolution === 'day' ? new Date(sessionMs(ms)).toISOString().slice(0, 10) : (Math.floor(ms / 1000) as UTCTimestamp);
const msOf = (time: Time): number =>
  typeof time === 'number'
    ? time * 1000
    : typeof time === 'string'
      ? Date.parse(time)
      : Date.UTC(time.year, time.month - 1, time.day);
/** A point without a price keeps its position in time and is not drawn. */
const dataPoint = ({ ms, price }: ChartPoint, resolution: Granularity) =>
  price === null ? { time: timeOf(ms, resolution) } : { time: timeOf(ms, resolution), value: price };
/** The library joins prices across anything; a colour applies from its point to the next one. */
const datum = (point: ChartPoint, resolution: Granularity) =>
  point.cut === true && point.price !== null
    ? { ...dataPoint(point, resolution), color: 'transparent' }
    : dataPoint(point, resolution);

const MARKER_OPTIONS = {
  lineVisible: false,
  pointMarkersVisible: true,
  pointMarkersRadius: 2.5,
  lastValueVisible: false,
  crosshairMarkerVisible: false,
} as const;

const inkOf = (colors: ChartColors) =>
  ({
    color: colors.ink,
    lineWidth: 2,
    priceLineColor: colors.accent,
    priceLineVisible: false,
    crosshairMarkerBorderColor: colors.s1,
    crosshairMarkerBackgroundColor: colors.accent,
  }) as const;

const chartOptions = (colors: ChartColors) =>
  ({
    layout: {
      background: { type: ColorType.Solid, color: colors.s1 },
      textColor: colors.t3,
      fontFamily: colors.font,
      fontSize: 11,
      // The library's logo adds a style element, which the page's policy forbids. The panel shows the notice
      // and link.
      attributionLogo: false,
      panes: { enableResize: false, separatorColor: colors.line, separatorHoverColor: colors.line },
    },
    grid: { vertLines: { color: colors.grid }, horzLines: { color: colors.grid } },
    crosshair: {
      vertLine: { color: colors.t3, labelBackgroundColor: colors.s3 },
      horzLine: { color: colors.t3, labelBackgroundColor: colors.s3 },
    },
    timeScale: { borderColor: colors.line },
    rightPriceScale: { borderColor: colors.line },
  }) as const;
