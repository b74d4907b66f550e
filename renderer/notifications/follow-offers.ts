// Renderer: shows the notifications that the core offers by the browser while the window is in the background.
import type { Channels } from '../../shared/channels/channels.ts';
import type { WindowClient } from '../../shared/channels/ends.ts';
import type { OfferedNotification } from '../../shared/channels/state.ts';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { goTo } from '../store/route.ts';
import type { AppStore } from '../store/store.ts';
import type { BrowserNotifications } from './browser-notifications.ts';

export interface OfferDeps {
  readonly store: AppStore;
  readonly window: Pick<WindowClient<Channels>, 'call'>;
  readonly browser: BrowserNotifications;
  readonly clock: Clock;
  /** True while the user looks at this window, which shows alerts and outages itself. */
  readonly isInFront: () => boolean;
  /** Runs the job in one of the windows that call this with the same name. */
  readonly inOneWindow: (name: string, job: () => unknown) => Promise<void>;
}

/** Head start of a window in front, ms: where there is one, windows in the background stay quiet. */
const FRONT_FIRST = 250;
/** Least time between two revisions of a notification on the screen, ms, as on the desktop. */
const PACE = 2_000;

export function followOffers({ store, window, browser, clock, isInFront, inOneWindow }: OfferDeps): Cancel {
  const attempts = new Set<string>();
  /** When a notification was shown last, by tag. */
  const shownAt = new Map<string, number>();
  const isOpen = ({ notification_id: id, revision }: OfferedNotification): boolean =>
    (store.getState().snapshot?.notifier.offered ?? []).some(
      (one) => one.notification_id === id && one.revision === revision && one.status === 'open',
    );
  const open = async ({ notification_id }: OfferedNotification): Promise<void> => {
    const { route } = await window.call('alerts.clicked', { notification_id });
    goTo(route ?? { page: 'alerts', item: null });
  };
  const show = async (offered: OfferedNotification): Promise<void> => {
    if (isInFront() || browser.permission() !== 'granted' || !isOpen(offered)) return;
    shownAt.set(offered.tag, clock.now());
    const isShown = await browser.show(offered, () => void open(offered).catch(() => undefined));
    const { notification_id, revision } = offered;
    if (isShown) await window.call('alerts.shown', { notification_id, browser_revision: revision });
  };
  const attempt = async (offered: OfferedNotification): Promise<void> => {
    const name = `${offered.tag} ${offered.notification_id} ${offered.revision}`;
    if (attempts.has(name)) return;
    attempts.add(name);
    const pause = Math.max(FRONT_FIRST, (shownAt.get(offered.tag) ?? Number.NEGATIVE_INFINITY) + PACE - clock.now());
    if (!isInFront()) await new Promise<void>((resolve) => clock.after(Math.min(pause, PACE), resolve));
    // The core offers one that nobody took again at its next attempt.
    await inOneWindow(name, () => show(offered)).catch(() => undefined);
    attempts.delete(name);
  };
  const check = (offered: readonly OfferedNotification[] = []): void => {
    for (const one of offered)
      if (one.status === 'open') void attempt(one);
      else if (one.status === 'withdrawn') browser.close(one.tag);
  };
  return store.subscribe(({ snapshot }, { snapshot: before }) => {
    if (snapshot?.notifier !== before?.notifier) check(snapshot?.notifier.offered);
  });
}
