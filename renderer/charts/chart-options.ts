// Renderer: the options of a price chart: what the user can do with it, and its colours.
import { ColorType, CrosshairMode, LineStyle } from 'lightweight-charts';
import type { ChartColors } from './colors.ts';

/** Width of the price axis, px. */
const AXIS_WIDTH = 66;
/** Empty days to the right: none, except while a gap is open there, or something is due within a few days. */
export const MARGIN = 0.5;
export const GAP_MARGIN = 4;
export const DUE_MARGIN = 5;

export const FIXED_OPTIONS = {
  autoSize: true,
  // The library's logo adds a style element, which the page's policy forbids. The panel shows the notice
  // and link.
  layout: { attributionLogo: false },
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
    // A chart by hour or minute has more points than pixels.
    minBarSpacing: 0.05,
    // A larger window enlarges the same range instead of adding an empty end.
    lockVisibleTimeRangeOnResize: true,
  },
  rightPriceScale: { minimumWidth: AXIS_WIDTH },
} as const;

export const MARKER_OPTIONS = {
  lineVisible: false,
  pointMarkersVisible: true,
  pointMarkersRadius: 2.5,
  lastValueVisible: false,
  crosshairMarkerVisible: false,
} as const;

/** An invisible series on a scale of its own. */
export const ANCHOR_OPTIONS = {
  priceScaleId: 'anchor',
  lineVisible: false,
  priceLineVisible: false,
  lastValueVisible: false,
  crosshairMarkerVisible: false,
} as const;

export const lineOptions = (colors: ChartColors) =>
  ({
    color: colors.ink,
    lineWidth: 2,
    priceLineColor: colors.accent,
    priceLineVisible: false,
    crosshairMarkerBorderColor: colors.s1,
    crosshairMarkerBackgroundColor: colors.accent,
  }) as const;

/** Share of the pane above the volumes, and below them. */
export const VOLUME_MARGINS = { top: 0.84, bottom: 0 } as const;

/** The line has the label of the last price; other series have none. */
const UNLABELLED = { priceLineVisible: false, lastValueVisible: false } as const;

/** Hollow for a day that rose and filled for one that fell: no colour has to be distinguished. */
export const candleOptions = (colors: ChartColors) =>
  ({
    ...UNLABELLED,
    upColor: colors.s1,
    downColor: colors.ink,
    borderColor: colors.ink,
    borderUpColor: colors.ink,
    borderDownColor: colors.ink,
    wickColor: colors.ink,
    wickUpColor: colors.ink,
    wickDownColor: colors.ink,
  }) as const;

/** Volumes have a scale of their own, without labels. */
export const volumeOptions = (colors: ChartColors) =>
  ({ ...UNLABELLED, priceScaleId: 'volume', priceFormat: { type: 'volume' }, color: colors.edge }) as const;

export const breachOptions = (colors: ChartColors, price: number, title: string) =>
  ({
    price,
    title,
    color: colors.highText,
    lineWidth: 1,
    lineStyle: LineStyle.Dashed,
    axisLabelVisible: true,
    axisLabelColor: colors.high,
    axisLabelTextColor: colors.onHigh,
  }) as const;

/** Price alerts are the user's own: their lines have the accent colour. */
export const alertOptions = (colors: ChartColors, price: number, title: string) =>
  ({
    price,
    title,
    color: colors.accent,
    lineWidth: 1,
    lineStyle: LineStyle.Dotted,
    axisLabelVisible: true,
  }) as const;

export const colorOptions = (colors: ChartColors) =>
  ({
    layout: {
      background: { type: ColorType.Solid, color: colors.s1 },
      textColor: colors.t3,
      fontFamily: colors.font,
      fontSize: 11,
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
