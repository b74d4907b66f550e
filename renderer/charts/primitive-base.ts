// Renderer: base of this folder's primitives: attaches to a chart, finds times on it, redraws.
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

/** The target of a renderer; the library does not export the type. */
export type DrawTarget = Parameters<IPrimitivePaneRenderer['draw']>[0];

type MediaScope = Parameters<Parameters<DrawTarget['useMediaCoordinateSpace']>[0]>[0];

/** Draws in CSS pixels. */
export function inPixels(target: DrawTarget, draw: (scope: MediaScope) => void): void {
  // biome-ignore lint/correctness/useHookAtTopLevel: a method of the library, not a hook of React.
  target.useMediaCoordinateSpace(draw);
}

/** Attaches to a pane of the chart or, above the line, to a series. */
export type Primitive<Options> = IPanePrimitive<Time> & ISeriesPrimitive<Time> & { setOptions(options: Options): void };

/** @param paint draws for the chart's current scale; `width` is that of the time axis, px */
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

/** Finds times on the chart at its current scroll position and zoom. */
export function projection(chart: IChartApiBase<Time>, logicalAt: LogicalAt): ToX {
  const scale = chart.timeScale();
  // The library converts whole numbers only (a fraction becomes 0), but its scale is linear. Its Logical is a
  // branded number.
  const first = scale.logicalToCoordinate(0 as Logical);
  const second = scale.logicalToCoordinate(1 as Logical);
  if (first === null || second === null) return () => null;
  return (ms) => first + logicalAt(ms) * (second - first);
}
