// Main, Electron shell: the state of a profile as text, for tool tip and menu of the tray. Pure.
import { texts } from '../../shared/text/texts.ts';
import type { TrayView } from '../core/views/tray-view.ts';

/** @param timeZone IANA; absent: this computer's */
export function trayText(view: TrayView, timeZone?: string): string {
  return texts.tray.toolTip(badgesOf(view), stateText(view, timeZone));
}

/** The text of a profile, with its name in place of the product's. */
export function profileText(view: TrayView): string {
  return texts.tray.profile(badgesOf(view), view.profile, stateText(view));
}

const badgesOf = ({ environment, replay }: TrayView) => ({ isSandbox: environment === 'sandbox', isReplay: replay });

function stateText(
  { outageSince, high, elevated, normal, unknown, needsAttention, isUnwritten }: TrayView,
  timeZone?: string,
): string {
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone });
  return texts.tray.state({
    offlineSince: outageSince === null ? null : time.format(outageSince),
    high,
    elevated: elevated.length,
    normal,
    unknown,
    notAcknowledged: needsAttention.length,
    isUnwritten,
  });
}
