// Renderer: the gap hatch: stretches of which nothing is known are drawn as such. On a series it lies above the line, which a pane primitive does not.
import type { IPanePrimitive, ISeriesPrimitive, Time } from 'lightweight-charts';
import { createAttachment } from '../primitive-base.ts';
import type { GapHatchOptions } from './options.ts';
import { gapHatchPaneView } from './pane-view.ts';

export type GapHatch = IPanePrimitive<Time> & ISeriesPrimitive<Time> & { setOptions(options: GapHatchOptions): void };

export function createGapHatch(initial: GapHatchOptions): GapHatch {
  let options = initial;
  const attachment = createAttachment();
  const views = [gapHatchPaneView(attachment, () => options)];
  return {
    attached: attachment.attached,
    detached: attachment.detached,
    paneViews: () => views,
    setOptions(next) {
      options = next;
      attachment.redraw();
    },
  };
}
