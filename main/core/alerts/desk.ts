// Main, core: everything about alerts, put together: rules, judge, waiting room, hand-over, what the user does, and what windows see of it.
import type { Alerting, alertingChannels } from '../../../shared/channels/alerting.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { Gap } from '../../../shared/channels/state.ts';
import type { SessionCalendar } from '../../../shared/domain/sessions.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import { readingPastBefore } from '../ledger/first-sight.ts';
import type { Ingested, Judge, Ledger } from '../ledger/ledger.ts';
import type { Ports } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import type { Watch } from '../profiles/watch.ts';
import type { RowTable } from '../state/rows.ts';
import type { WorldClock } from '../state/world-clock.ts';
import { createAwayStory } from './away.ts';
import { createBlindAlarm, type Unseen } from './blindness.ts';
import { createCarrier } from './carrier.ts';
import { createAlertingFace } from './face.ts';
import { changesUpTo, FLAP_LIMIT } from './flapping.ts';
import { createAlertHandlers } from './handlers.ts';
import { createHandover } from './handover.ts';
import { createInboxPages } from './inbox-pages.ts';
import { createJudge, type JudgeFacts } from './judge.ts';
import { createPlaces } from './places.ts';
import { rehearse } from './rehearsal.ts';
import { createRuleBook } from './rule-book.ts';
import { createRuleWatch } from './rule-watch.ts';
import { createUserActs } from './user-acts.ts';
import { createWaitingRoom } from './waiting-room.ts';

export interface AlertDesk {
  readonly judge: Judge;
  /** What the rules would do with a High Risk of this symbol that came now. Nothing is told or counted. */
  readonly rehearse: (symbol: string) => { readonly isTold: boolean; readonly words: string };
  /** Hands over what the ledger intends. */
  readonly kick: () => void;
  readonly handlers: Handlers<typeof alertingChannels>;
  /** What an ingest left to do: intents to hand over, alerts that wait. */
  written(ingested: Pick<Ingested, 'added' | 'intents' | 'waits'>): void;
  /** All was fetched; these gaps were open until then. */
  caughtUp(gaps: readonly Gap[]): void;
  /** The settings may have changed. */
  refresh(): void;
  start(): void;
  stop(): Promise<void>;
}

export interface AlertDeskOptions {
  readonly ports: Pick<Ports, 'random' | 'logger' | 'notifier' | 'outlets' | 'vault' | 'settings'>;
  /** Its jobs cannot throw into the event loop. */
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly profile: Profile;
  readonly watch: Pick<Watch, 'isWatched' | 'lists'>;
  readonly world: WorldClock;
  readonly baseRate: RowTable['baseRate'];
  readonly isReplay: () => boolean;
  /** Why nothing is seen; null while it sees, or does not know yet. */
  readonly unseen: () => Unseen | null;
  /** All was fetched, and what is shown is new. */
  readonly sees: () => boolean;
  /** Where the watched symbols trade. */
  readonly calendars: () => readonly SessionCalendar[];
  readonly onAlerts: (ledgerIds: readonly number[]) => void;
  readonly onChanged: (alerting: Alerting) => void;
}

/** In a sandbox beside a production profile, the least time between two notifications, ms (failure of peers: a rehearsal that drowns the real thing). */
const SANDBOX_PAUSE = 5 * 60_000;

export function createAlertDesk(options: AlertDeskOptions): AlertDesk {
  const { ports, clock, ledger, profile, watch, world } = options;
  const { environment } = profile;
  const book = createRuleBook(ports.settings);
  const places = createPlaces(clock);
  const listsOf = (symbol: string): string[] =>
    watch.lists().flatMap((list) => (list.sections.some(({ symbols }) => symbols.includes(symbol)) ? [list.id] : []));
  const isLimited = (): boolean => environment === 'sandbox' && book.hasProduction();
  const pause = (): string | null => {
    if (!isLimited()) return null;
    const last = ledger.tellings.newestOnDesktop();
    const since = last === null ? Number.POSITIVE_INFINITY : clock.now() - last;
    // A clock that was set back says nothing of the time since.
    return since >= 0 && since < SANDBOX_PAUSE
      ? 'the sandbox tells at most once in five minutes while there is a production profile'
      : null;
  };

  const facts: JudgeFacts = {
    environment,
    book,
    mutes: ledger.mutes.active,
    isWatched: watch.isWatched,
    listsOf,
    baseRate: options.baseRate,
    readingPastBefore: () => readingPastBefore(ledger.facts),
    world,
    pause,
    changesBefore: (symbol, at) => changesUpTo(ledger, symbol, at, FLAP_LIMIT),
    takePlace: places.take,
  };
  const judge = createJudge(facts);
  const carrier = createCarrier({ ...ports, ledger, book, profile, isReplay: options.isReplay, world });
  const handover = createHandover({
    ledger,
    carry: carrier.carry,
    clock,
    random: ports.random,
    logger: ports.logger,
    onChanged: options.onAlerts,
  });
  const away = createAwayStory(ledger, watch.isWatched);
  const acts = createUserActs({ ledger, environment, clock, world });
  const inbox = createInboxPages({ ledger, environment, isWatched: watch.isWatched, listsOf, rules: book.rules });

  const face = createAlertingFace({
    clock,
    world,
    environment,
    book,
    mutes: ledger.mutes,
    heldBack: () => room.heldBack(),
    away,
    pause: () => (isLimited() ? SANDBOX_PAUSE : null),
    onChanged: options.onChanged,
  });
  const room = createWaitingRoom({
    ledger,
    book,
    environment,
    clock,
    world,
    logger: ports.logger,
    pause,
    onDecided(ledgerIds) {
      handover.kick();
      options.onAlerts(ledgerIds);
    },
    onMutes: face.changed,
  });

  const blindness = createBlindAlarm({
    clock,
    ledger,
    logger: ports.logger,
    world,
    unseen: options.unseen,
    sees: options.sees,
    calendars: options.calendars,
    limits: book.blind,
    pause,
    onTold: handover.kick,
  });

  const ruleWatch = createRuleWatch({ clock, world, book, ledger, onTold: handover.kick, onChanged: face.changed });

  const handlers = createAlertHandlers({
    profile,
    ledger,
    vault: ports.vault,
    book,
    carrier,
    acts,
    inbox,
    away,
    face,
    isWatched: watch.isWatched,
    listsOf,
    worldNow: world.now,
    onRules: ruleWatch.look,
    onActed(ledgerIds) {
      room.arrived();
      options.onAlerts(ledgerIds);
      face.changed();
    },
    onAlerts: options.onAlerts,
  });

  return {
    judge,
    rehearse: (symbol) => rehearse(facts, symbol),
    kick: handover.kick,
    written({ added, intents, waits }) {
      away.added(added);
      if (intents > 0) handover.kick();
      if (!waits) return;
      room.arrived();
      face.changed();
    },
    caughtUp(gaps) {
      room.caughtUp();
      // What was fetched may lie beyond our idea of the world's time, which is measured anew only later.
      if (away.ended(gaps, timestamp(Math.max(world.now(), ledger.newestTransition() ?? 0)))) face.changed();
    },
    refresh() {
      if (!book.refresh()) return;
      ruleWatch.look();
      face.changed();
    },
    start() {
      room.start();
      blindness.start();
      handover.kick();
      ruleWatch.start();
    },
    async stop() {
      ruleWatch.stop();
      face.stop();
      blindness.stop();
      room.stop();
      await handover.stop();
    },
    handlers,
  };
}
