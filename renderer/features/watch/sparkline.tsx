// Renderer: sixty days of closes as a line, only from a known history; never red or green.
import { memo } from 'react';
import type { Timeline } from '../../../shared/channels/queries.ts';
import { HEIGHT, sparkPath, WIDTH } from './spark-path.ts';

export const Sparkline = memo(function Sparkline({
  timeline,
  live,
}: {
  timeline: Timeline | null;
  live: number | null;
}) {
  const line = timeline === null ? null : sparkPath(timeline, live);
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
      {line !== null && (
        <>
          <path d={line.path} fill="none" stroke="var(--t3)" strokeWidth="1.1" strokeLinejoin="round" />
          <circle cx={line.end[0]} cy={line.end[1]} r="1.6" fill="var(--t1)" />
        </>
      )}
    </svg>
  );
});
