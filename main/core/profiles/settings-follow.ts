// Main, core: tells the modules of changes of the settings that another core, another program or the user by hand made.
import type { Cancel } from '../../../shared/lib/clock.ts';
import type { CoreContext } from '../module.ts';

export function createSettingsFollow({ ports, guard, events }: Pick<CoreContext, 'ports' | 'guard' | 'events'>) {
  let stop: Cancel = () => undefined;
  let cancel: Cancel = () => undefined;
  const follow = (): void => {
    cancel();
    // Later, so that what this core wrote itself is no news.
    cancel = guard.clock.after(0, () => events.signal('settingsChanged'));
  };
  return {
    start() {
      stop = ports.settings.onChange?.(follow) ?? stop;
      // They may have changed since the modules read them.
      follow();
    },
    stop() {
      stop();
      cancel();
    },
  };
}
