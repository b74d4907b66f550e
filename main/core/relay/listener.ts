// Main, core: the relay's addresses: its port, its secret path, and the user's public address.
import { messageOf } from '../../../shared/lib/result.ts';
import type { Logger } from '../ports.ts';
import type { SecretStore } from './secrets.ts';
import type { ListenerHandle, ListenOptions, RelayServer } from './server.ts';
import type { RelaySettingsStore } from './settings.ts';

export interface Listener {
  /**
   * Starts to listen. Never rejects. @returns a message for the user when it cannot listen; null: it listens
   */
  open(receive: ListenOptions['receive']): Promise<string | null>;
  /** Stops listening after the running requests are answered. */
  close(): Promise<void>;
  /** null while it does not listen. */
  listening(): Pick<ListenerHandle, 'port' | 'isConfiguredPort'> | null;
  /** The address on this computer, with the secret path; null while it does not listen. Not for windows. */
  localUrl(): string | null;
  /**
   * The address that the service delivers to, with the secret path; null while there is none. Not for
   * windows.
   */
  url(): string | null;
  /** Reads the public address again. */
  refresh(): void;
}

export interface ListenerOptions extends Pick<ListenOptions, 'onRefused'> {
  /** null: this program cannot listen. */
  readonly server: Pick<RelayServer, 'listen'> | null;
  readonly settings: Pick<RelaySettingsStore, 'read'>;
  readonly secrets: Pick<SecretStore, 'path'>;
  readonly logger: Logger;
  /** The service can reach this computer by itself. */
  readonly reachable: boolean;
}

export const CANNOT_LISTEN = 'This program cannot listen for webhooks.';

export function createListener({ server, settings, secrets, logger, reachable, onRefused }: ListenerOptions): Listener {
  let listening: ListenerHandle | null = null;
  /** Cached: a request from outside must not make this computer read a file. */
  let publicBase: string | null = null;

  const inPath = (): string => `/in/${secrets.path()}`;
  const refresh = (): void => {
    publicBase = settings.read().publicUrl?.replace(/\/+$/, '') ?? null;
  };
  const localUrl = (): string | null => (listening === null ? null : `http://127.0.0.1:${listening.port}${inPath()}`);
  return {
    async open(receive) {
      if (server === null) return CANNOT_LISTEN;
      try {
        refresh();
        listening = await server.listen({
          port: settings.read().port,
          paths: () => (publicBase === null ? [inPath()] : [inPath(), new URL(publicBase + inPath()).pathname]),
          hosts: () => (publicBase === null ? [] : [new URL(publicBase).host]),
          receive,
          onRefused,
        });
      } catch (error) {
        const message = `Webhooks cannot be received: ${messageOf(error)}. Switch the relay off and on to try again.`;
        logger.warn({}, message);
        return message;
      }
      if (!listening.isConfiguredPort)
        logger.info({ port: listening.port }, 'the wanted port of the relay is in use; another one is taken');
      return null;
    },
    async close() {
      const open = listening;
      listening = null;
      await open?.close();
    },
    listening: () => listening,
    localUrl,
    url() {
      if (listening === null) return null;
      refresh();
      if (publicBase !== null) return publicBase + inPath();
      return reachable ? localUrl() : null;
    },
    refresh,
  };
}
