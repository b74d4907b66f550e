// Renderer: the brush draws the whole history small; pointer and keys move the chart's range.
import { type KeyboardEvent, memo, type PointerEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { DAY_MS } from '../../shared/lib/time.ts';
import { datedDay, shortDatedDay } from '../../shared/text/format.ts';
import { texts } from '../../shared/text/texts.ts';
import { useWorldMinute } from '../store/connection-status.ts';
import './brush.css';
import { linePath } from '../ui/line-path.ts';
import { type Grip, moveRange, type Range, timeAt } from './brush-range.ts';
import { gapBoxes, stripBoxes, timeIndex } from './geometry.ts';
import { type ChartModel, sessionMs } from './model.ts';

const HEIGHT = 36;
/** Heights of the states in the small strip, px. */
const HEIGHTS = [2, 5, 9] as const;
const FOOT = 34;

interface BrushProps {
  readonly model: ChartModel;
  readonly range: Range;
  readonly onRange: (range: Range) => void;
  /** The smallest width, in points. */
  readonly least: number;
}

export function Brush({ model, range, onRange, least }: BrushProps) {
  const host = useRef<HTMLDivElement>(null);
  const width = useWidth(host);
  const now = useWorldMinute();
  const last = model.points.length - 1;
  const drag = useRef<{ readonly grip: Grip; readonly x: number; readonly range: Range } | null>(null);
  const first = model.points[0];
  if (first === undefined || last < 1) return null;
  const x = (index: number): number => (Math.max(0, Math.min(last, index)) / last) * width;

  const grab = (grip: Grip) => (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { grip, x: event.clientX, range };
  };
  const move = (event: PointerEvent): void => {
    const dragStart = drag.current;
    if (dragStart !== null && width > 0)
      onRange(moveRange(dragStart.range, dragStart.grip, ((event.clientX - dragStart.x) / width) * last, last, least));
  };
  const drop = (): void => {
    drag.current = null;
  };
  const press = (grip: Grip) => (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, PageDown: -7, PageUp: 7 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onRange(moveRange(range, grip, by, last, least));
  };
  const times = model.points.map(({ ms }) => ms);
  const dayAt = (index: number): string => datedDay(sessionMs(timeAt(times, index)), now);
  const handle = (grip: 'from' | 'to') => (
    <div
      className="brush-handle"
      role="slider"
      tabIndex={0}
      aria-label={grip === 'from' ? texts.chart.brushFrom : texts.chart.brushTo}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={Math.round(Math.max(0, Math.min(last, range[grip])))}
      aria-valuetext={dayAt(range[grip])}
      style={{ left: x(range[grip]) - 12 }}
      onPointerDown={grab(grip)}
      onPointerMove={move}
      onPointerUp={drop}
      onPointerCancel={drop}
      onKeyDown={press(grip)}
    />
  );
  return (
    <div className="brush">
      <div className="brush-plot" ref={host}>
        <Overview model={model} width={width} />
        <div
          className="brush-window"
          style={{ left: x(range.from), width: Math.max(2, x(range.to) - x(range.from)) }}
          onPointerDown={grab('both')}
          onPointerMove={move}
          onPointerUp={drop}
          onPointerCancel={drop}
        />
        {handle('from')}
        {handle('to')}
      </div>
      <div className="brush-label" aria-hidden="true">
        <span>
          {texts.chart.wholeDays(Math.round((sessionMs(model.points[last]?.ms ?? 0) - sessionMs(first.ms)) / DAY_MS))}
        </span>
        <span className="t2">{shortDatedDay(sessionMs(first.ms), now)}</span>
      </div>
    </div>
  );
}

const Overview = memo(function Overview({ model, width }: { model: ChartModel; width: number }) {
  const id = useId();
  const path = useMemo(() => pathOf(model, width), [model, width]);
  if (width < 10) return null;
  const last = model.points.length - 1;
  const logicalAt = timeIndex(model.points.map((point) => point.ms));
  const toX = (ms: number): number => (logicalAt(ms) / last) * width;
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true">
      <defs>
        <pattern id={`${id}e`} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="2.2" height="5" fill="var(--elevated)" />
        </pattern>
        <pattern id={`${id}g`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
          <rect width="1.5" height="6" fill="var(--gap)" />
        </pattern>
      </defs>
      {stripBoxes(model.bands, toX, width).map(({ state, x0, x1 }) => (
        <rect
          key={x0}
          x={x0}
          y={FOOT - HEIGHTS[state]}
          width={Math.max(1, x1 - x0)}
          height={HEIGHTS[state]}
          fill={state === 2 ? 'var(--high)' : state === 1 ? `url(#${id}e)` : 'var(--normal)'}
        />
      ))}
      <path d={path} fill="none" stroke="var(--t3)" />
      {gapBoxes(model.gaps, toX, width).map(({ x0, x1 }) => (
        <g key={x0}>
          <rect x={x0} y={1} width={x1 - x0} height={FOOT} fill="var(--s1)" />
          <rect x={x0} y={1} width={x1 - x0} height={FOOT} fill={`url(#${id}g)`} />
        </g>
      ))}
    </svg>
  );
});

/** The price line, drawn between 4 px and the state strip. */
function pathOf(model: ChartModel, width: number): string {
  const prices = model.points.flatMap(({ price }, index) => (price === null ? [] : [{ price, index }]));
  const low = Math.min(...prices.map(({ price }) => price));
  const high = Math.max(...prices.map(({ price }) => price));
  const last = model.points.length - 1;
  const y = (price: number): number => (high === low ? 14 : 4 + ((high - price) / (high - low)) * 18);
  return linePath(prices.map(({ price, index }) => [(index / last) * width, y(price)]));
}

function useWidth(host: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const sizes = new ResizeObserver(() => setWidth(element.clientWidth));
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [host]);
  return width;
}
