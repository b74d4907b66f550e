// Renderer: what the pane primitives of this folder have in common: they hang on a chart, know how to find a time on it, and draw again when told.
import type { IChartApiBase, IPrimitivePaneRenderer, Logical, PaneAttachedParameter, Time } from 'lightweight-charts';
import type { LogicalAt, ToX } from './geometry.ts';

/** What a renderer draws on; the library does not export its name. */
export type DrawTarget = Parameters<IPrimitivePaneRenderer['draw']>[0];

type MediaScope = Parameters<Parameters<DrawTarget['useMediaCoordinateSpace']>[0]>[0];

/** Draws in CSS pixels. */
export function inPixels(target: DrawTarget, draw: (scope: MediaScope) => void): void {
  // biome-ignore lint/correctness/useHookAtTopLevel: the name is the library's; it is no hook of React.
  target.useMediaCoordinateSpace(draw);
}

export interface Attachment {
  attached(param: PaneAttachedParameter<Time>): void;
  detached(): void;
  /** null until attached. */
  chart(): IChartApiBase<Time> | null;
  redraw(): void;
}

export function createAttachment(): Attachment {
  let param: PaneAttachedParameter<Time> | null = null;
  return {
    attached(given) {
      param = given;
    },
    detached() {
      param = null;
    },
    chart: () => param?.chart ?? null,
    redraw: () => param?.requestUpdate(),
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
