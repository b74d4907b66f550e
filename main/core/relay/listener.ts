// Main, core: where the relay is found: the port that it listens on, its secret path, and the public address that the user may have put before it.
import { messageOf } from '../../../shared/lib/result.ts';
import type { Logger } from '../ports.ts';
import type { SecretStore } from './secrets.ts';
import type { ListenerHandle, ListenOptions, RelayServer } from './server.ts';
import type { RelaySettingsStore } from './settings.ts';

export interface Listener {
  /** Begins to listen. Never rejects. @returns why it cannot, as a message for the user; null: it listens */
  open(receive: ListenOptions['receive']): Promise<string | null>;
  /** Ends listening; what is under way is answered first. */
  close(): Promise<void>;
  /** null while it does not listen. */
  listening(): Pick<ListenerHandle, 'port' | 'isConfiguredPort'> | null;
  /** On this computer, secret path and all; null while it does not listen. Not for windows. */
  localUrl(): string | null;
  /** The address that the service delivers to, secret path and all; null while there is none. Not for windows. */
  url(): string | null;
  /** Reads the public address again: it may be another one. */
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
  /** As it was read last: whoever knocks must not make this computer read a file. */
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
