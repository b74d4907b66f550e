// Main, core: assembles everything about alerts: rules, evaluator, queue, dispatcher, user actions, and the view of windows.
import type { alertingChannels } from '../../../shared/channels/alerting.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { SessionCalendar } from '../../../shared/domain/sessions.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { EventBus, Followers } from '../events.ts';
import { baselineAt } from '../ledger/baseline.ts';
import type { Evaluator, IngestResult, Ledger } from '../ledger/ledger.ts';
import { createBurstQuota } from '../notifications/burst-quota.ts';
import { createDispatcher } from '../notifications/dispatcher.ts';
import { dryRun } from '../notifications/dry-run.ts';
import { createEvaluator, type EvaluatorDeps } from '../notifications/evaluator.ts';
import { changesUpTo, FLAP_LIMIT } from '../notifications/flapping.ts';
import { createOutageMonitor, type Outage } from '../notifications/outage-alarm.ts';
import { createNotificationQueue } from '../notifications/queue.ts';
import { createRuleStore } from '../notifications/rule-store.ts';
import { createRuleWatch } from '../notifications/rule-watch.ts';
import { createNotificationSender } from '../notifications/sender.ts';
import type { Ports } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import type { Watch } from '../profiles/watch.ts';
import type { WorldClock } from '../world-clock.ts';
import { createUserActions } from './actions.ts';
import { createAlertingView } from './alerting-view.ts';
import { createDowntimeSummary } from './downtime.ts';
import { createAlertHandlers } from './handlers.ts';
import { createInboxPages } from './inbox-pages.ts';

export interface AlertService {
  readonly evaluate: Evaluator;
  /** What the rules would do with a High Risk of this symbol that came now. Nothing is notified or counted. */
  readonly dryRun: (symbol: string) => { readonly isNotified: boolean; readonly message: string };
  /** Dispatches what the ledger intends. */
  readonly wake: () => void;
  readonly handlers: Handlers<typeof alertingChannels>;
  readonly on: Followers;
  /** What was written: dispatches intents, arms what waits. */
  dispatch(result: Pick<IngestResult, 'added' | 'intents' | 'waits'>): void;
  start(): void;
  stop(): Promise<void>;
}

export interface AlertServiceOptions {
  readonly events: Pick<EventBus, 'emit'>;
  readonly ports: Pick<Ports, 'random' | 'logger' | 'notifier' | 'channels' | 'vault' | 'settings'>;
  /** Its jobs cannot throw into the event loop. */
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly profile: Profile;
  readonly watch: Pick<Watch, 'isWatched' | 'lists'>;
  readonly world: WorldClock;
  /** Percent, as last heard for the symbol in that state; null where it never was. */
  readonly baseRate: (symbol: string, state: number) => number | null;
  readonly isReplay: () => boolean;
  /** Why nothing is seen; null while it sees, or does not know yet. */
  readonly outage: () => Outage | null;
  /** All was fetched, and what is shown is new. */
  readonly isConnected: () => boolean;
  /** Where the watched symbols trade. */
  readonly calendars: () => readonly SessionCalendar[];
}

/** In a sandbox beside a production profile, the least time between two notifications, ms (a sandbox must not drown the real thing). */
const SANDBOX_PAUSE = 5 * 60_000;

export function createAlertService(options: AlertServiceOptions): AlertService {
  const { ports, clock, events, ledger, profile, watch, world } = options;
  const alertsChanged = (ledgerIds: readonly number[]): void => events.emit('alertsChanged', { ledgerIds });
  const { environment } = profile;
  const ruleStore = createRuleStore(ports.settings);
  const burstQuota = createBurstQuota(clock);
  const listsOf = (symbol: string): string[] =>
    watch.lists().flatMap((list) => (list.sections.some(({ symbols }) => symbols.includes(symbol)) ? [list.id] : []));
  const isLimited = (): boolean => environment === 'sandbox' && ruleStore.hasProduction();
  const pause = (): string | null => {
    if (!isLimited()) return null;
    const last = ledger.notifications.newestOnDesktop();
    const since = last === null ? Number.POSITIVE_INFINITY : clock.now() - last;
    // A clock that was set back says nothing of the time since.
    return since >= 0 && since < SANDBOX_PAUSE
      ? 'the sandbox tells at most once in five minutes while there is a production profile'
      : null;
  };

  const evaluatorDeps: EvaluatorDeps = {
    environment,
    ruleStore,
    mutes: ledger.mutes.active,
    isWatched: watch.isWatched,
    listsOf,
    baseRate: options.baseRate,
    baselineAt: () => baselineAt(ledger.metadata),
    world,
    pause,
    changesBefore: (symbol, at) => changesUpTo(ledger, symbol, at, FLAP_LIMIT),
    takeSlot: burstQuota.take,
  };
  const evaluate = createEvaluator(evaluatorDeps);
  const sender = createNotificationSender({ ...ports, ledger, ruleStore, profile, isReplay: options.isReplay, world });
  const dispatcher = createDispatcher({
    ledger,
    deliver: sender.deliver,
    clock,
    random: ports.random,
    logger: ports.logger,
    onChanged: alertsChanged,
  });
  const downtime = createDowntimeSummary(ledger, watch.isWatched);
  const actions = createUserActions({ ledger, environment, clock, world });
  const inbox = createInboxPages({ ledger, environment, isWatched: watch.isWatched, listsOf, rules: ruleStore.rules });

  const view = createAlertingView({
    clock,
    world,
    environment,
    ruleStore,
    mutes: ledger.mutes,
    heldBack: () => queue.heldBack(),
    downtime,
    pause: () => (isLimited() ? SANDBOX_PAUSE : null),
    onChanged: (alerting) => events.emit('alertingChanged', alerting),
  });
  const queue = createNotificationQueue({
    ledger,
    ruleStore,
    environment,
    clock,
    world,
    logger: ports.logger,
    pause,
    onDecided(ledgerIds) {
      dispatcher.wake();
      alertsChanged(ledgerIds);
    },
    onMutes: view.changed,
  });

  const outageMonitor = createOutageMonitor({
    clock,
    ledger,
    logger: ports.logger,
    world,
    outage: options.outage,
    isConnected: options.isConnected,
    calendars: options.calendars,
    limits: ruleStore.outageAlarm,
    pause,
    onQueued: dispatcher.wake,
  });

  const ruleWatch = createRuleWatch({
    clock,
    world,
    ruleStore,
    ledger,
    onQueued: dispatcher.wake,
    onChanged: view.changed,
  });

  const handlers = createAlertHandlers({
    events,
    profile,
    ledger,
    vault: ports.vault,
    ruleStore,
    sender,
    actions,
    inbox,
    downtime,
    view,
    isWatched: watch.isWatched,
    listsOf,
    worldNow: world.now,
    onRules: ruleWatch.check,
    onUserAction(ledgerIds) {
      queue.arrived();
      alertsChanged(ledgerIds);
      view.changed();
    },
    onAlerts: alertsChanged,
  });

  return {
    evaluate,
    dryRun: (symbol) => dryRun(evaluatorDeps, symbol),
    wake: dispatcher.wake,
    dispatch({ added, intents, waits }) {
      downtime.added(added);
      if (intents > 0) dispatcher.wake();
      if (!waits) return;
      queue.arrived();
      view.changed();
    },
    on: {
      caughtUp({ gaps }) {
        queue.caughtUp();
        // What was fetched may lie beyond our idea of the world's time, which is measured again only later.
        if (downtime.ended(gaps, timestamp(Math.max(world.now(), ledger.newestTransition() ?? 0)))) view.changed();
      },
      settingsChanged() {
        if (!ruleStore.refresh()) return;
        ruleWatch.check();
        view.changed();
      },
    },
    start() {
      queue.start();
      outageMonitor.start();
      dispatcher.wake();
      ruleWatch.start();
    },
    async stop() {
      ruleWatch.stop();
      view.stop();
      outageMonitor.stop();
      queue.stop();
      await dispatcher.stop();
    },
    handlers,
  };
}
