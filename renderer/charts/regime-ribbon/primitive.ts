// Renderer: the regime ribbon, a pane primitive: the market's regime along the head of the chart, its tone behind the prices.
import type { IPanePrimitive, Time } from 'lightweight-charts';
import { createAttachment } from '../primitive-base.ts';
import type { RegimeRibbonOptions } from './options.ts';
import { regimeRibbonPaneView } from './pane-view.ts';

export interface RegimeRibbon extends IPanePrimitive<Time> {
  setOptions(options: RegimeRibbonOptions): void;
}

export function createRegimeRibbon(initial: RegimeRibbonOptions): RegimeRibbon {
  let options = initial;
  const attachment = createAttachment();
  const views = [regimeRibbonPaneView(attachment, () => options)];
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
