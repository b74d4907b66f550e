// Main, host: the session bus of a Linux desktop: its address, and whether it has a tray.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The session bus of the environment or the login session, or null. */
export function sessionBusAddress(environment: NodeJS.ProcessEnv): string | null {
  const named = environment.DBUS_SESSION_BUS_ADDRESS;
  if (named !== undefined && named !== '') return named;
  const runtime = environment.XDG_RUNTIME_DIR;
  const socket = runtime === undefined || runtime === '' ? null : join(runtime, 'bus');
  return socket !== null && existsSync(socket) ? `unix:path=${socket}` : null;
}

/** A service that has not answered within this time counts as absent, ms. */
const ANSWER_LIMIT = 1_000;
const WATCHER = 'org.kde.StatusNotifierWatcher';

/**
 * Whether a tray shows icons here: a watcher runs and reports a registered host. A default GNOME has neither.
 * An unclear answer means no: a window closed to a missing tray is out of reach.
 */
export async function hasTray(address: string | null): Promise<boolean> {
  if (address === null) return false;
  let close: () => Promise<void> = async () => undefined;
  let limit: NodeJS.Timeout | undefined;
  try {
    const { sessionBus, variantValue } = (await import('dbus-native')).default;
    // Without the library's timeout: when a greeting is not answered in time, that throws where no caller can
    // catch the error.
    const bus = sessionBus({ busAddress: address, timeout: 0 });
    close = () => bus.close();
    const lost = new Promise<never>((_, reject) => {
      limit = setTimeout(() => reject(new Error('late')), ANSWER_LIMIT);
      bus.connection.on('error', reject);
    });
    const reply = bus.invoke({
      destination: WATCHER,
      path: '/StatusNotifierWatcher',
      interface: 'org.freedesktop.DBus.Properties',
      member: 'Get',
      signature: 'ss',
      body: [WATCHER, 'IsStatusNotifierHostRegistered'],
    });
    return z.literal(true).safeParse(variantValue(await Promise.race([reply, lost]))).success;
  } catch {
    return false;
  } finally {
    clearTimeout(limit);
    void close().catch(() => undefined);
  }
}
