// Renderer: leads back to now from a control that vanishes with the past moment.
import { showMoment } from '../../store/shown-moment.ts';

/** The slider, or else the page, has the focus of a control that vanishes. */
export function backToNow(): void {
  const vanishes = document.activeElement?.closest('.past-mark, .btn.time-live') != null;
  showMoment(null);
  if (vanishes) document.querySelector<HTMLElement>('.time-track input, .page-body:not(:has(.time-track))')?.focus();
}
