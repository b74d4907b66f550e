// Renderer: the state strip, a pane primitive: what state the symbol was in, along the time axis.
import type { IPanePrimitive, Time } from 'lightweight-charts';
import { createAttachment } from '../primitive-base.ts';
import type { StateStripOptions } from './options.ts';
import { stateStripPaneView } from './pane-view.ts';

export interface StateStrip extends IPanePrimitive<Time> {
  setOptions(options: StateStripOptions): void;
}

export function createStateStrip(initial: StateStripOptions): StateStrip {
  let options = initial;
  const attachment = createAttachment();
  const views = [stateStripPaneView(attachment, () => options)];
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
