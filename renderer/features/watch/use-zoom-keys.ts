// Renderer: + and - zoom the timeline around its end, 0 shows all of it.
import type { Granularity } from '../../../shared/channels/queries.ts';
import { NARROWEST, type TimeRange } from '../../charts/brush-range.ts';
import { STEP } from '../../charts/fine-model.ts';
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';
import type { RangeChoice } from './timeline-tools.tsx';

export function useZoomKeys(
  interval: TimeRange,
  whole: TimeRange,
  resolution: Granularity,
  choose: (chosen: RangeChoice) => void,
): void {
  const zoom = (factor: number): void => {
    const width = Math.max(NARROWEST * STEP[resolution], (interval.to - interval.from) * factor);
    choose({ interval: { from: Math.max(whole.from, interval.to - width), to: interval.to } });
  };
  useShortcuts('charts', { zoomIn: () => zoom(0.5), zoomOut: () => zoom(2), zoomAll: () => choose({ days: 90 }) });
}
