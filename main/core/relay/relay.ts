// Main, core: the relay: receives webhooks into the ledger and forwards events to local programs.

import type { ServiceProblem } from '../../../client/problem.ts';
import { refused } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { RelayChannels, RelayView } from '../../../shared/channels/relay.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import { isLoopback } from '../../../shared/lib/loopback.ts';
import { messageOf, type Result } from '../../../shared/lib/result.ts';
import { type Message, message } from '../../../shared/text/message.ts';
import type { Followers } from '../events.ts';
import { FutureFileError } from '../files/migrate.ts';
import { createActivityLog, type RelayActivity } from './activity.ts';
import type { RelayDeps } from './deps.ts';
import { createRelayHandlers } from './handlers.ts';
import type { Redelivery } from './own-subscription.ts';
import { beginRegistration } from './registrar.ts';
import { openRelayRuntime, type RelayRuntime } from './runtime.ts';
import { createSecretStore } from './secrets.ts';
import { sendToItself } from './self-delivery.ts';
import type { Receipt } from './server.ts';
import { createRelaySettings } from './settings.ts';
import { retryDelay } from './store.ts';
import { createPushTimer, viewOf } from './view.ts';

export interface Relay {
  /** Starts once; concurrent calls share the same start. While its file cannot be opened, it tries again. */
  start(): Promise<void>;
  /**
   * Stops listening and writes the batch. Deletes the subscription at a service that ends with this program.
   */
  stop(): Promise<void>;
  readonly on: Followers;
  view(): RelayView;
  /**
   * The address that the service delivers to, with the secret path; null while there is none. Not for
   * windows.
   */
  ownUrl(): string | null;
  watch(listener: (activity: RelayActivity) => void): Cancel;
  /** Ledger id up to which a terminal has printed the ledger; kept across restarts. */
  readonly printed: { get(): number; set(ledgerId: number): void };
  readonly handlers: Handlers<RelayChannels>;
  /**
   * Asks the service to send its newest event again. Rejects, with a message for the user, where it does not
   * deliver here.
   */
  repeat(): Promise<Result<Redelivery, ServiceProblem>>;
  /**
   * Sends a test event, signed with the stored secret, through our own port; null where nothing listens or
   * there is no secret.
   */
  sendToItself(eventId: string, body: string): Promise<Receipt | null>;
}

export function createRelay(deps: RelayDeps): Relay {
  const { context, service, broadcast } = deps;
  const { ports, guard, profile } = context;
  const { logger } = ports;
  const { clock } = guard;
  const server = ports.host?.relay ?? null;
  const reachable = isLoopback(URL.parse(service.url)?.hostname ?? '');
  const settings = createRelaySettings(ports.settings, profile, reachable);
  const pushTimer = createPushTimer(clock);
  const { changed } = pushTimer;
  let runtime: RelayRuntime | null = null;
  const secrets = createSecretStore(ports.vault, profile.name, logger, () => {
    void runtime?.registrar.check();
    changed();
  });
  const activity = createActivityLog(guard, changed);
  const idle = {
    registration: beginRegistration(clock.now()),
    listening: null,
    quarantined: 0,
    targets: [],
    inboundAt: null,
  };
  let problem: Message | null = server === null ? message('relay.cannot_listen') : null;
  let isStopped = false;
  let starting: Promise<void> | null = null;
  let cancelRetry: Cancel = () => undefined;

  const parts = { settings, secrets, activity, reachable, changed };
  const read = (): RelayView => viewOf(clock.now(), parts, runtime?.status() ?? { ...idle, problem });
  const address = (): string | null => runtime?.listener.url() ?? runtime?.listener.localUrl() ?? null;
  const begin = async (attempts = 0): Promise<void> => {
    if (server === null) return;
    try {
      runtime = openRelayRuntime(deps, server, parts);
      problem = null;
    } catch (error) {
      problem = message('relay.cannot_open', { error: messageOf(error) });
      logger.error({ problem: messageOf(error) }, 'the relay cannot open its file');
      // A full disk, a lock or a read-only folder may end; a newer version of the file does not.
      if (!(error instanceof FutureFileError))
        cancelRetry = clock.after(retryDelay(attempts, ports.random), () => guard.go(begin(attempts + 1)));
      return;
    } finally {
      changed();
    }
    await secrets.load();
    if (!isStopped) await runtime.start();
  };
  const ready = (): RelayRuntime => {
    if (runtime === null) throw refused(problem ?? message('relay.not_ready'));
    return runtime;
  };
  pushTimer.begin(() => broadcast('relay.changed', read()));

  return {
    start() {
      starting ??= begin();
      return starting;
    },
    async stop() {
      isStopped = true;
      cancelRetry();
      pushTimer.stop();
      await runtime?.stop(profile.baseUrl === null || !settings.isPersisted());
      runtime = null;
    },
    on: {
      recorded: (event) => runtime?.on.recorded(event),
      ledgerWritten: (event) => runtime?.on.ledgerWritten(event),
      keyChanged() {
        // The vault is open now.
        if (runtime !== null) guard.go(secrets.reload());
      },
      serviceTrusted: () => runtime?.on.serviceTrusted(undefined),
    },
    view: read,
    ownUrl: () => runtime?.listener.url() ?? null,
    watch: activity.watch,
    printed: {
      get: () => Number(runtime?.store.getMetadata('printed') ?? 0),
      set: (ledgerId) => runtime?.store.setMetadata('printed', String(ledgerId)),
    },
    handlers: createRelayHandlers({
      context,
      settings,
      secrets,
      activity,
      view: { read, address, changed },
      ready,
      server,
    }),
    repeat: async () => ready().registrar.test(),
    async sendToItself(eventId, body) {
      const url = runtime?.listener.localUrl() ?? null;
      return server === null || url === null ? null : sendToItself({ clock, server, secrets, url }, eventId, body);
    },
  };
}
