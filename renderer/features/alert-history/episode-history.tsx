// Renderer: the history of an episode as a strip: height and pattern for state, width for duration.
import type { State } from '../../../shared/domain/states.ts';
import { lasting } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import type { EpisodeSegment } from './episodes.ts';

const WIDTH = 74;
const HEIGHT = 14;
/** Least visible width of a segment. */
const LEAST = 3;
const GAP = 1;

/** @param now world time, ms */
export function EpisodeHistory({
  segments,
  ended,
  now,
}: {
  segments: readonly EpisodeSegment[];
  ended: boolean;
  now: number;
}) {
  const all = ended ? [...segments, { state: 0 as State, from: 0, to: 0 }] : segments;
  const spans = segments.map(({ from, to }) => Math.max(0, (to ?? now) - from));
  const total = spans.reduce((sum, span) => sum + span, 0);
  const back = ended ? WIDTH * 0.14 : 0;
  const room = WIDTH - back - GAP * (all.length - 1);
  // At least half of the strip is divided by time: many brief states do not hide a long one.
  const least = Math.min(LEAST, room / 2 / segments.length);
  const free = room - least * segments.length;
  let x = 0;
  const name = texts.alerts.historyLabel(
    segments.map(({ state }, index) => ({ state, span: lasting(spans[index] ?? 0) })),
  );
  return (
    <svg
      className="al-history"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={name}
    >
      <title>{name}</title>
      {all.map(({ state, from }, index) => {
        const isBack = index === segments.length;
        const width = isBack
          ? back
          : least + (total === 0 ? free / segments.length : (free * (spans[index] ?? 0)) / total);
        const left = x;
        x += width + GAP;
        return <Strip key={isBack ? 'back' : from} state={state} x={left} width={width} />;
      })}
    </svg>
  );
}

function Strip({ state, x, width }: { state: State | null; x: number; width: number }) {
  if (state === null)
    return <line x1={x} x2={x + width} y1={11.5} y2={11.5} stroke="var(--t3)" strokeWidth={2} strokeDasharray="2 3" />;
  if (state === 2) return <rect x={x} y={0} width={width} height={HEIGHT} fill="var(--high)" />;
  const inner = Math.max(0.5, width - 1);
  if (state === 0) return <rect x={x + 0.5} y={10} width={inner} height={3.5} fill="none" stroke="var(--normal)" />;
  return <rect x={x + 0.5} y={4.5} width={inner} height={9} fill="url(#al-elevated)" stroke="var(--elevated)" />;
}

/** Mount once on the page: the hatch of Elevated. */
export const EpisodeHistoryPatterns = () => (
  <svg className="spoken" aria-hidden="true">
    <defs>
      <pattern id="al-elevated" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="2.2" height="5" fill="var(--elevated)" />
      </pattern>
    </defs>
  </svg>
);
