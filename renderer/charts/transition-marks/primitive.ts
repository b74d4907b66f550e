// Renderer: the transition marks, a pane primitive: when the state changed, and to what.
import type { IPanePrimitive, Time } from 'lightweight-charts';
import { createAttachment } from '../primitive-base.ts';
import type { TransitionMarksOptions } from './options.ts';
import { transitionMarksPaneView } from './pane-view.ts';

export interface TransitionMarks extends IPanePrimitive<Time> {
  setOptions(options: TransitionMarksOptions): void;
}

export function createTransitionMarks(initial: TransitionMarksOptions): TransitionMarks {
  let options = initial;
  const attachment = createAttachment();
  const views = [transitionMarksPaneView(attachment, () => options)];
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
