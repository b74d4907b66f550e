// Pure: the plots of the page Record as geometry, for the window and for `validate --html`.

/** A group of bars by forecast; shares are 0..1. */
interface Bin {
  readonly said: number;
  readonly happened: number;
  readonly bars: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** 90 % of the normal distribution are within this many standard deviations. */
const Z = 1.645;

/** Wilson's 90 % interval of a share; null without data. @param hits may be a fraction: share times count */
export function interval(hits: number, of: number): { readonly low: number; readonly high: number } | null {
  if (of <= 0) return null;
  const share = hits / of;
  const square = Z * Z;
  const middle = share + square / (2 * of);
  const half = Z * Math.sqrt((share * (1 - share)) / of + square / (4 * of * of));
  const whole = 1 + square / of;
  return { low: Math.max(0, (middle - half) / whole), high: Math.min(1, (middle + half) / whole) };
}

/** The interval of a bin; Wilson's, which takes days for independent, where the service gives none. */
export const boundsOf = ({ happened, bars, interval: given }: Bin) =>
  given ?? interval(happened * bars, bars) ?? { low: happened, high: happened };

/** Size of the reliability diagram in its own units. */
export const DIAGRAM = { width: 440, height: 224, left: 40, right: 12, top: 8, bottom: 24 };

/** The reliability diagram: its scales up to `most`, its ticks, and the points of its band and line. */
export function reliabilityPlot({ bins }: { readonly bins: readonly Bin[] }) {
  const bands = bins.map(boundsOf);
  const most = Math.min(
    1,
    Math.ceil(Math.max(...bins.map(({ said }) => said), ...bands.map(({ high }) => high)) * 10) / 10,
  );
  const { width, height, left, right, top, bottom } = DIAGRAM;
  const x = (value: number): number => left + (value / most) * (width - left - right);
  const y = (value: number): number => height - bottom - (value / most) * (height - top - bottom);
  const step = most > 0.5 ? 0.2 : 0.1;
  return {
    most,
    x,
    y,
    ticks: Array.from({ length: Math.round(most / step) + 1 }, (_, index) => index * step),
    band: [
      ...bins.map(({ said }, index) => `${x(said)},${y(bands[index]?.high ?? 0)}`),
      ...bins.map(({ said }, index) => `${x(said)},${y(bands[index]?.low ?? 0)}`).reverse(),
    ].join(' '),
    line: bins.map(({ said, happened }) => `${x(said)},${y(happened)}`).join(' '),
  };
}

/** A share, 0..1, on the axis of the table by symbol, which is 150 wide. */
export const shareX = (share: number): number => 4 + Math.max(0, Math.min(1, share)) * 142;
