// Main, host: lets this user's other programs find the running app, and give it commands.
import { failedCall } from '../../shared/channels/channel.ts';
import type { Cancel, Clock } from '../../shared/lib/clock.ts';
import { err, messageOf, ok } from '../../shared/lib/result.ts';
import { message } from '../../shared/text/message.ts';
import type { Application } from './application.ts';
import { listenControl } from './control-socket.ts';
import { keepRunFile } from './run-file.ts';

export interface AppAnnouncement {
  readonly clock: Clock;
  /** Where browsers reach the app; null: nowhere. */
  readonly address: string | null;
  /**
   * Shows the window of a running profile.
   * @returns the address for a browser; null where the app shows the window itself
   */
  readonly openWindow: (profile: string) => string | null;
  readonly warn: (line: string) => void;
}

/** @returns a function that ends it; from then on no program finds the app */
export function announceApp(application: Application, { clock, address, openWindow, warn }: AppAnnouncement): Cancel {
  const { dataFolder } = application;
  const control = listenControl(
    {
      dataFolder,
      clock,
      async call({ profile, name, payload }) {
        const wanted = profile ?? application.shown;
        const core = application.core(wanted);
        if (core === null) return failedCall('refused', message('profile.not_here', { name: wanted }));
        return core.dispatch(name, payload);
      },
      openWindow(profile) {
        const name = profile ?? application.shown;
        // Where no profile runs, the window says why.
        const isHere = application.monitor(name) !== null || (profile === null && application.failures().length > 0);
        return isHere ? ok(openWindow(name)) : err(message('profile.not_here', { name }));
      },
    },
    (error) => warn(`Commands cannot reach the app: ${messageOf(error)}`),
  );
  const hide = keepRunFile(application, { address, socket: control.address }, (error) =>
    warn(`run.json is not up to date: ${messageOf(error)}`),
  );
  return () => {
    hide();
    control.close();
  };
}
