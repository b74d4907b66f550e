// Renderer: + and - zoom the timeline about its later end, 0 shows all of it.
import { useEffect } from 'react';
import type { Granularity } from '../../../shared/channels/readings.ts';
import { NARROWEST, type Stretch } from '../../charts/brush-range.ts';
import { STEP } from '../../charts/fine-model.ts';
import { isCommand } from '../../ui/keys.ts';
import type { Chosen } from './timeline-tools.tsx';

const FACTORS: Readonly<Record<string, number>> = { '+': 0.5, '=': 0.5, '-': 2 };

export function useZoomKeys(
  stretch: Stretch,
  whole: Stretch,
  grain: Granularity,
  choose: (chosen: Chosen) => void,
): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const factor = FACTORS[event.key];
      if ((factor === undefined && event.key !== '0') || !isCommand(event)) return;
      if (factor === undefined) {
        choose({ days: 90 });
        return;
      }
      const width = Math.max(NARROWEST * STEP[grain], (stretch.to - stretch.from) * factor);
      choose({ stretch: { from: Math.max(whole.from, stretch.to - width), to: stretch.to } });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [stretch, whole, grain, choose]);
}
