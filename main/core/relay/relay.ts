// Main, core: the relay: receives webhooks into the ledger and forwards events to local programs.
import { isLoopback } from '../../../client/address.ts';
import type { ServiceProblem } from '../../../client/problem.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { RelayChannels, RelayView } from '../../../shared/channels/relay.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import { messageOf, type Result } from '../../../shared/lib/result.ts';
import type { Followers } from '../events.ts';
import { createActivityLog, type RelayActivity } from './activity.ts';
import { createRelayHandlers, refusal } from './handlers.ts';
import { CANNOT_LISTEN, createListener } from './listener.ts';
import { createRegistrar, type Redelivery } from './registrar.ts';
import { openRelayRuntime, type RelayDeps, type RelayRuntime } from './runtime.ts';
import { createSecretStore } from './secrets.ts';
import { createSelfDelivery } from './self-delivery.ts';
import type { Receipt } from './server.ts';
import { createRelaySettings } from './settings.ts';
import { createPushTimer, viewOf } from './view.ts';

export interface Relay {
  /** Starts once; concurrent calls share the same start. */
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

/**
 * Interval of the subscription checks, ms. In production a call counts against the quota, and the other
 * sources work meanwhile.
 */
const CHECK_INTERVAL = { sandbox: 10_000, production: 900_000 };
/**
 * Longest wait for the service to delete the subscription, ms: the time that the exit leaves beside running
 * notifications.
 */
const WITHDRAW_LIMIT = 900;

export function createRelay(deps: RelayDeps): Relay {
  const { service, ledger, intake } = deps;
  const { ports, guard, profile } = deps.context;
  const { logger } = ports;
  const { clock } = guard;
  const server = ports.relay ?? null;
  const reachable = isLoopback(URL.parse(service.url)?.hostname ?? '');
  const settings = createRelaySettings(ports.settings, profile, reachable);
  const secrets = createSecretStore(ports.vault, profile.name, (problem) =>
    logger.info({ problem }, 'the secret of the relay lasts for this run only'),
  );
  const pushTimer = createPushTimer(clock);
  const { changed } = pushTimer;
  const activity = createActivityLog(guard, changed);
  const { refusals } = activity;
  const listener = createListener({ server, settings, secrets, logger, reachable, onRefused: refusals.note });
  let runtime: RelayRuntime | null = null;
  const registrar = createRegistrar({
    client: service.client,
    guard,
    random: ports.random,
    cadence: CHECK_INTERVAL[profile.environment],
    secrets,
    store: {
      getMetadata: (name) => runtime?.store.getMetadata(name) ?? null,
      setMetadata: (name, value) => runtime?.store.setMetadata(name, value),
    },
    url: listener.url,
    isOn: () => listener.listening() !== null,
    isEnabled: () => settings.read().on,
    mayAsk: service.mayAsk,
    onChanged: changed,
  });

  let failure: string | null = server === null ? CANNOT_LISTEN : null;
  let isStopped = false;
  const read = (): RelayView =>
    viewOf({
      now: clock.now(),
      settings: settings.read(),
      secrets,
      reachable,
      listening: listener.listening(),
      problem: failure,
      registration: registrar.view(),
      arrivals: activity.arrivals(),
      refused: refusals.list(),
      quarantined: runtime?.store.countDeadLetters() ?? 0,
      targets: runtime?.forwarder.targets() ?? [],
    });
  const listen = async (): Promise<void> => {
    if (runtime === null || listener.listening() !== null) return;
    failure = await listener.open(runtime.reception.receive);
    registrar.check();
    changed();
  };
  const close = async (): Promise<void> => {
    await listener.close();
    runtime?.reception.flush();
  };
  let beginning: Promise<void> | null = null;
  const begin = async (): Promise<void> => {
    if (server === null) return;
    try {
      const { context } = deps;
      runtime = openRelayRuntime({ context, service, ledger, intake, server, secrets, activity, changed });
      await secrets.load();
    } catch (error) {
      failure = `The relay cannot keep what it needs: ${messageOf(error)}`;
      logger.error({}, failure);
    }
    if (runtime === null || isStopped) return;
    runtime.start();
    if (settings.read().on) await listen();
    else registrar.check();
  };
  pushTimer.begin(() => deps.broadcast('relay.changed', read()));

  return {
    start() {
      beginning ??= begin();
      return beginning;
    },
    async stop() {
      isStopped = true;
      registrar.stop();
      pushTimer.stop();
      runtime?.stopJobs();
      if ((profile.baseUrl === null || !settings.isPersisted()) && listener.listening() !== null) {
        const limit = new Promise<void>((resolve) => clock.after(WITHDRAW_LIMIT, resolve));
        await Promise.race([registrar.withdraw().catch(() => undefined), limit]);
      }
      await close();
      runtime?.close();
      runtime = null;
    },
    on: {
      recorded({ added }) {
        if (added.length > 0) runtime?.forwarder.wake();
      },
      serviceTrusted() {
        if (runtime !== null) registrar.check();
      },
    },
    view: read,
    ownUrl: listener.url,
    watch: activity.watch,
    printed: {
      get: () => Number(runtime?.store.getMetadata('printed') ?? 0),
      set: (ledgerId) => runtime?.store.setMetadata('printed', String(ledgerId)),
    },
    handlers: createRelayHandlers({
      clock,
      settings,
      secrets,
      refusals,
      registrar,
      listener,
      view: { read, changed },
      lifecycle: {
        ready() {
          if (runtime === null) throw refusal(failure ?? 'The relay is not ready yet.');
          return runtime;
        },
        listen,
        close,
      },
    }),
    repeat: registrar.test,
    sendToItself: createSelfDelivery({ clock, server, listener, secrets }),
  };
}
