// Main, core: the relay's addresses: its port, its secret path, and the user's public address.
import { messageOf } from '../../../shared/lib/result.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { Logger } from '../ports.ts';
import type { ActivityLog } from './activity.ts';
import type { SecretStore } from './secrets.ts';
import type { ListenerHandle, ListenOptions, RelayServer } from './server.ts';
import type { RelaySettingsStore } from './settings.ts';

export interface Listener {
  /** Starts to listen. Never rejects. */
  open(receive: ListenOptions['receive'], inbound: ListenOptions['receive']): Promise<void>;
  /** Stops listening after the running requests are answered. */
  close(): Promise<void>;
  /** null while it does not listen. */
  listening(): Pick<ListenerHandle, 'port' | 'isConfiguredPort'> | null;
  /** Why it could not listen. */
  problem(): Message | null;
  /** The address on this computer, with the secret path; null while it does not listen. Not for windows. */
  localUrl(): string | null;
  /**
   * The address that the service delivers to, with the secret path; null while there is none. Not for
   * windows.
   */
  url(): string | null;
  /**
   * The address for alerts of other programs, with its secret path: the public one, where there is one. For windows
   * on request alone. @param where here: the one on this computer
   */
  inboundUrl(where?: 'here'): string | null;
  /** Reads the public address again. */
  refresh(): void;
}

export interface ListenerDeps {
  readonly server: Pick<RelayServer, 'listen'>;
  readonly settings: Pick<RelaySettingsStore, 'read'>;
  readonly secrets: Pick<SecretStore, 'path' | 'inbound'>;
  readonly activity: Pick<ActivityLog, 'refused'>;
  readonly logger: Logger;
  /** The service can reach this computer by itself. */
  readonly reachable: boolean;
}

export function createListener({ server, settings, secrets, activity, logger, reachable }: ListenerDeps): Listener {
  let listening: ListenerHandle | null = null;
  /** Counts openings and closings: a port that opens after a later one of them is closed again. */
  let turn = 0;
  let problem: Message | null = null;
  /** Cached: a request from outside must not make this computer read a file. */
  let publicBase: string | null = null;

  const inPath = (): string => `/in/${secrets.path()}`;
  const inboundPath = (): string => `/alert/${secrets.inbound()}`;
  /** A path on this computer, and behind the public address. */
  const pathsOf = (path: string): string[] =>
    publicBase === null ? [path] : [path, new URL(publicBase + path).pathname];
  const localBase = (): string | null => (listening === null ? null : `http://127.0.0.1:${listening.port}`);
  const refresh = (): void => {
    publicBase = settings.read().publicUrl?.replace(/\/+$/, '') ?? null;
  };
  const localUrl = (): string | null => (listening === null ? null : localBase() + inPath());
  return {
    async open(receive, inbound) {
      problem = null;
      turn += 1;
      const own = turn;
      try {
        refresh();
        const opened = await server.listen({
          port: settings.read().port,
          paths: () => pathsOf(inPath()),
          inbound: { paths: () => pathsOf(inboundPath()), receive: inbound },
          hosts: () => (publicBase === null ? [] : [new URL(publicBase).host]),
          receive,
          refused: activity.refused,
        });
        if (own !== turn) return await opened.close();
        listening = opened;
      } catch (error) {
        problem = message('relay.no_port', { error: messageOf(error) });
        logger.warn({ problem: messageOf(error) }, 'the relay cannot listen');
      }
      if (listening?.isConfiguredPort !== false) return;
      const { port } = settings.read();
      logger.warn({}, `port ${port} is in use: the relay listens at ${listening.port}`);
      if (publicBase !== null) problem = message('relay.other_port', { port, taken: listening.port });
    },
    async close() {
      turn += 1;
      const open = listening;
      listening = null;
      await open?.close();
    },
    listening: () => listening,
    problem: () => problem,
    localUrl,
    url() {
      if (listening === null) return null;
      refresh();
      // A service on this computer needs no tunnel; other programs may.
      if (reachable) return localUrl();
      return publicBase === null ? null : publicBase + inPath();
    },
    inboundUrl(where) {
      const base = localBase();
      return base === null ? null : (where === 'here' ? base : (publicBase ?? base)) + inboundPath();
    },
    refresh,
  };
}
