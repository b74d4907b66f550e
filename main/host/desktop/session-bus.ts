// Main, host: the session bus of a Linux desktop: where it is, and whether somebody on it shows tray icons.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The session bus as the environment or the login session names it, or null. */
export function sessionBusAddress(environment: NodeJS.ProcessEnv): string | null {
  const named = environment.DBUS_SESSION_BUS_ADDRESS;
  if (named !== undefined && named !== '') return named;
  const runtime = environment.XDG_RUNTIME_DIR;
  const socket = runtime === undefined || runtime === '' ? null : join(runtime, 'bus');
  return socket !== null && existsSync(socket) ? `unix:path=${socket}` : null;
}

/** Whoever has not answered after this counts as not there, ms. */
const ANSWER_LIMIT = 1_000;
const WATCHER = 'org.kde.StatusNotifierWatcher';

/**
 * Whether a tray shows icons here: a watcher for them runs, and says that a host is registered with it. GNOME as it comes has neither.
 * Anything unclear is a no: who closes the window to a tray that is not there cannot be reached any more.
 */
export async function hasTray(address: string | null): Promise<boolean> {
  if (address === null) return false;
  let close: () => Promise<void> = async () => undefined;
  let limit: NodeJS.Timeout | undefined;
  try {
    const { sessionBus, variantValue } = (await import('dbus-native')).default;
    // Without a limit of its own: where its greeting is not answered in time, the library throws where nobody can catch it.
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
