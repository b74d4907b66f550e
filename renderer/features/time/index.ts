// Renderer: the shown moment: its control under the chart, its mark in the frame, and what it shows.
export { AsShown, ShownMoment } from './as-shown.tsx';
export { PastMark } from './past-mark.tsx';
export { TimeControl } from './time-control.tsx';
