// Main, core: composes the notifications of one profile from rules, queue and dispatcher.

import type { Row } from '../../../shared/channels/state.ts';
import { ALL_CALENDARS, type SessionCalendar } from '../../../shared/domain/sessions.ts';
import type { Cancel } from '../../../shared/lib/clock.ts';
import type { EventBus } from '../events.ts';
import type { Evaluator, IngestResult } from '../ledger/arrival.ts';
import { baselineAt } from '../ledger/baseline.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CoreContext, CoreModule } from '../module.ts';
import type { Pictures } from '../pictures/pictures.ts';
import type { NotificationHistory, Notifier } from '../ports.ts';
import type { Watch } from '../profiles/watch.ts';
import { type AlertSound, createAlertSound } from './alert-sound.ts';
import { type AnswerTokens, createAnswerTokens } from './answer-tokens.ts';
import { type ChannelHandlers, createChannelHandlers } from './channel-handlers.ts';
import { type ChannelStore, createChannelStore } from './channel-store.ts';
import { createDispatcher, type Dispatcher } from './dispatcher.ts';
import { type DryRunResult, dryRun } from './dry-run.ts';
import { createEscalation } from './escalation.ts';
import { createEvaluator, type EvaluatorDeps } from './evaluator.ts';
import { changesUpTo, FLAP_LIMIT } from './flapping.ts';
import { createLedgerAlarm } from './ledger-alarm.ts';
import { createOffers, type Offers } from './offers.ts';
import { type ConnectionReport, createOutageAlarm, OF_EVERYTHING, ofMarket } from './outage-alarm.ts';
import { createDispatchPolicy, type DispatchPolicy } from './policy.ts';
import { createPriceQuestionAlarm } from './price-question-alarm.ts';
import { createNotificationQueue, type NotificationQueue } from './queue.ts';
import type { SignalSource } from './request-composer.ts';
import { createRuleHandlers, type RuleHandlers } from './rule-handlers.ts';
import { createRuleStore, type RuleStore } from './rule-store.ts';
import { createRuleWatch } from './rule-watch.ts';
import { createNotificationSender } from './sender.ts';
import { createSettlement } from './settlement.ts';
import { createStateWordAlarm } from './state-word-alarm.ts';
import { createWithdrawal } from './withdrawal.ts';

export interface Notifications {
  readonly handlers: RuleHandlers & ChannelHandlers & AlertSound['handlers'];
  /** Modules in the order of their start. */
  readonly modules: readonly CoreModule[];
  /** Decides by the rules; called within the ledger's transaction. */
  readonly evaluate: Evaluator;
  /** The rules' decision about a High Risk of this symbol now. Notifies and counts nothing. */
  readonly dryRun: (symbol: string) => DryRunResult;
  readonly ruleStore: RuleStore;
  readonly channelStore: ChannelStore;
  readonly policy: Pick<DispatchPolicy, 'pauseLength' | 'calendarOf'>;
  readonly tokens: AnswerTokens;
  readonly heldBack: NotificationQueue['heldBack'];
  /** Of the watched symbols. */
  readonly calendars: ConnectionReport['calendars'];
  /** Dispatches the pending notifications. */
  wake(): void;
  readonly offers: Pick<Offers, 'view'>;
  /** A window or its browser showed a notification that the desktop has not accepted. */
  readonly takenByWindow: Dispatcher['takenByWindow'];
  /** Dispatches new notifications, and schedules those that wait. */
  dispatch(recorded: Pick<IngestResult, 'waits'>): void;
}

/** Data on the connection and the signals. */
export interface SignalReport extends ConnectionReport, SignalSource {
  /** Rows of the watched symbols. */
  rows(): readonly Row[];
  /** The report of one market, while signals of another are current. */
  market(calendar: SessionCalendar): ConnectionReport;
}

export interface NotificationsDeps {
  readonly context: CoreContext;
  readonly ledger: Ledger;
  readonly watch: Pick<Watch, 'isWatched' | 'lists' | 'listsOf' | 'sectionsOf'>;
  readonly signals: SignalReport;
  readonly pictures: Pick<Pictures, 'of' | 'isAvailable'>;
}

/** Looks notifications up in the notifier's history, which is read once, on first use. */
function recordOf(
  notifier: Pick<Notifier, 'history'>,
  { loss, metadata }: Pick<Ledger, 'loss' | 'metadata'>,
): EvaluatorDeps['history']['recorded'] {
  let read: NotificationHistory | null | undefined;
  return (id, isLate) => {
    if (loss === null && !isLate && baselineAt(metadata) === null) return null;
    read ??= notifier.history?.() ?? null;
    if (read === null) return null;
    return read.shown.has(id) ? 'shown' : read.open.has(id) ? 'open' : null;
  };
}

export function createNotifications(deps: NotificationsDeps): Notifications {
  const { context, ledger, watch, signals, pictures } = deps;
  const { events, ports, profile, world, calendarOf } = context;
  const { clock } = context.guard;
  const { logger, random } = ports;
  const ruleStore = createRuleStore(ports.settings);
  const channelStore = createChannelStore(ports.settings);
  const policy = createDispatchPolicy({
    ...{ environment: profile.environment, calendarOf, ledger, ruleStore, watch, clock, world },
    lists: watch.lists,
    rows: signals.rows,
  });
  const evaluatorDeps: EvaluatorDeps = {
    profile: profile.name,
    calendarOf,
    ruleStore,
    watch,
    scheduled: signals,
    history: {
      mutes: ledger.mutes.active,
      baselineAt: () => baselineAt(ledger.metadata),
      recorded: recordOf(ports.notifier, ledger),
      changesBefore: (symbol, at) => changesUpTo(ledger, symbol, at, FLAP_LIMIT),
    },
    baseRate: signals.baseRate,
    world,
    policy,
  };
  const { isReplay } = signals;
  const tokens = createAnswerTokens(ledger);
  const windows = createOpenWindows();
  const offers = createOffers(ledger, events, profile.name);
  const sender = createNotificationSender({
    ports,
    ledger,
    ruleStore,
    channelStore,
    policy,
    tokens,
    profile,
    calendarOf,
    signals,
    pictures,
    world,
    windows,
    offers,
  });
  const { handlers: soundHandlers, ...alertSound } = createAlertSound({
    context,
    ledger,
    ruleStore,
    policy,
    sender,
    windows,
    isReplay,
  });
  const dispatcher = createDispatcher({ ledger, sender, clock, random, logger, events });
  const queue = createNotificationQueue({ ledger, policy, dispatcher, events, clock, world, logger });
  return {
    handlers: {
      ...createRuleHandlers({ context, ledger, ruleStore, channelStore, watch, signals }),
      ...createChannelHandlers({ context, channelStore, ruleStore, sender }),
      ...soundHandlers,
    },
    modules: [
      createDesktopReturn(ports.notifier, dispatcher, events),
      { on: { settingsChanged: () => ruleStore.refresh() && events.signal('rulesChanged') } },
      queue,
      ...createAlarms(deps, { ruleStore, policy, offers, dispatcher }),
      createWithdrawal({ ledger, notifier: ports.notifier, offers, clock }),
      windows,
      alertSound,
      { start: dispatcher.wake, stop: sender.stop },
      createSettlement({ ledger, sender, clock, logger }),
      createEscalation({ ledger, ruleStore, policy, dispatcher, clock, world, logger }),
      createRuleWatch({ clock, world, ruleStore, channelStore, ledger, dispatcher, events }),
    ],
    evaluate: createEvaluator(evaluatorDeps),
    dryRun: (symbol) => dryRun(evaluatorDeps, symbol),
    ruleStore,
    channelStore,
    policy,
    tokens,
    heldBack: queue.heldBack,
    calendars: signals.calendars,
    wake: dispatcher.wake,
    offers,
    takenByWindow(id, browserRevision) {
      dispatcher.takenByWindow(id, browserRevision);
      events.signal('offersChanged');
    },
    dispatch({ waits }) {
      if (waits) queue.arrived();
    },
  };
}

interface AlarmParts {
  readonly ruleStore: RuleStore;
  readonly policy: DispatchPolicy;
  readonly offers: Offers;
  readonly dispatcher: Dispatcher;
}

/** Notifications that no event causes: of outages, of the ledger, of a price or a word that needs a decision. */
function createAlarms(
  { context, ledger, watch, signals }: NotificationsDeps,
  { ruleStore, policy, offers, dispatcher }: AlarmParts,
): CoreModule[] {
  const { ports, world } = context;
  const alarm = { clock: context.guard.clock, ledger, logger: ports.logger, dispatcher };
  const outage = { ...alarm, world, ruleStore, policy };
  const { isWatched } = watch;
  return [
    createOutageAlarm({ ...outage, subject: OF_EVERYTHING, connection: signals }),
    ...ALL_CALENDARS.map((market) =>
      createOutageAlarm({ ...outage, subject: ofMarket(market), connection: signals.market(market) }),
    ),
    createLedgerAlarm(alarm),
    createPriceQuestionAlarm({ ...alarm, notifier: ports.notifier, offers, isWatched, world, policy }),
    createStateWordAlarm({ ...alarm, isWatched }),
  ];
}

/** Tracks whether a window is open. */
function createOpenWindows() {
  let hasWindow = false;
  return {
    isOpen: () => hasWindow,
    on: {
      windowsChanged({ isOpen }) {
        hasWindow = isOpen;
      },
    },
  } satisfies CoreModule & { isOpen(): boolean };
}

/** Retries pending notifications when the desktop returns. Stops last: other modules may still dispatch. */
function createDesktopReturn(
  notifier: Pick<Notifier, 'onReturn'>,
  dispatcher: Pick<Dispatcher, 'retryDesktop' | 'stop'>,
  events: Pick<EventBus, 'signal'>,
): CoreModule {
  let forgetReturn: Cancel | undefined;
  return {
    start() {
      forgetReturn = notifier.onReturn?.(() => {
        dispatcher.retryDesktop();
        events.signal('desktopReturned');
      });
    },
    async stop() {
      forgetReturn?.();
      await dispatcher.stop();
    },
  };
}
