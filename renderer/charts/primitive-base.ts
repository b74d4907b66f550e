// Renderer: what the primitives of this folder have in common: they hang on a chart, find times on it, and draw again when notified.
import type {
  IChartApiBase,
  IPanePrimitive,
  IPanePrimitivePaneView,
  IPrimitivePaneRenderer,
  ISeriesPrimitive,
  Logical,
  PaneAttachedParameter,
  PrimitivePaneViewZOrder,
  Time,
} from 'lightweight-charts';
import type { LogicalAt, ToX } from './geometry.ts';

/** What a renderer draws on; the library does not export its name. */
export type DrawTarget = Parameters<IPrimitivePaneRenderer['draw']>[0];

type MediaScope = Parameters<Parameters<DrawTarget['useMediaCoordinateSpace']>[0]>[0];

/** Draws in CSS pixels. */
export function inPixels(target: DrawTarget, draw: (scope: MediaScope) => void): void {
  // biome-ignore lint/correctness/useHookAtTopLevel: the name is the library's; it is no hook of React.
  target.useMediaCoordinateSpace(draw);
}

/** Hangs on a pane of the chart or, above its line, on a series. */
export type Primitive<Options> = IPanePrimitive<Time> & ISeriesPrimitive<Time> & { setOptions(options: Options): void };

/** @param paint what is drawn as the chart stands now; `width` is that of the time axis, px */
export function createPrimitive<Options extends { readonly logicalAt: LogicalAt }>(
  initial: Options,
  zOrder: PrimitivePaneViewZOrder,
  paint: (options: Options, toX: ToX, width: number) => IPrimitivePaneRenderer,
): Primitive<Options> {
  let options = initial;
  let hung: PaneAttachedParameter<Time> | null = null;
  const views: IPanePrimitivePaneView[] = [
    {
      zOrder: () => zOrder,
      renderer: () =>
        hung === null
          ? null
          : paint(options, projection(hung.chart, options.logicalAt), hung.chart.timeScale().width()),
    },
  ];
  return {
    attached(param: PaneAttachedParameter<Time>) {
      hung = param;
    },
    detached() {
      hung = null;
    },
    paneViews: () => views,
    setOptions(next) {
      options = next;
      hung?.requestUpdate();
    },
  };
}

/** Finds times on the chart as it is scrolled and zoomed now. */
export function projection(chart: IChartApiBase<Time>, logicalAt: LogicalAt): ToX {
  const scale = chart.timeScale();
  // The library places whole numbers only (a fraction is put at 0), and its scale is linear. Its Logical is a branded number.
  const first = scale.logicalToCoordinate(0 as Logical);
  const second = scale.logicalToCoordinate(1 as Logical);
  if (first === null || second === null) return () => null;
  return (ms) => first + logicalAt(ms) * (second - first);
}
