// Renderer: + and - zoom the timeline about its later end, 0 shows all of it.
import { useEffect } from 'react';
import type { Granularity } from '../../../shared/channels/queries.ts';
import { NARROWEST, type TimeRange } from '../../charts/brush-range.ts';
import { STEP } from '../../charts/fine-model.ts';
import { isCommand } from '../../ui/keys.ts';
import type { RangeChoice } from './timeline-tools.tsx';

const FACTORS: Readonly<Record<string, number>> = { '+': 0.5, '=': 0.5, '-': 2 };

export function useZoomKeys(
  interval: TimeRange,
  whole: TimeRange,
  resolution: Granularity,
  choose: (chosen: RangeChoice) => void,
): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const factor = FACTORS[event.key];
      if ((factor === undefined && event.key !== '0') || !isCommand(event)) return;
      if (factor === undefined) {
        choose({ days: 90 });
        return;
      }
      const width = Math.max(NARROWEST * STEP[resolution], (interval.to - interval.from) * factor);
      choose({ interval: { from: Math.max(whole.from, interval.to - width), to: interval.to } });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [interval, whole, resolution, choose]);
}
