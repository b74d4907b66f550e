// Main, core: everything about alerts, put together: rules, judge, waiting room, hand-over, what the user does, and what windows see of it.
import type { Alerting, alertingChannels } from '../../../shared/channels/alerting.ts';
import { RefusedError } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { Gap } from '../../../shared/channels/state.ts';
import { isQuiet, type Outlet } from '../../../shared/domain/alert-rules.ts';
import type { SessionCalendar } from '../../../shared/domain/sessions.ts';
import type { Cancel, Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
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
import { createCarrier, secretAccount } from './carrier.ts';
import { changesUpTo, FLAP_LIMIT } from './flapping.ts';
import { createHandover } from './handover.ts';
import { createInboxPages } from './inbox-pages.ts';
import { createJudge, type JudgeFacts } from './judge.ts';
import { createPlaces } from './places.ts';
import { rehearse } from './rehearsal.ts';
import { createRuleBook } from './rule-book.ts';
import { tryRule } from './rule-trial.ts';
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
/** How often it is looked whether a rule ended or broke, ms. */
const RULES_LOOK = 5_000;
/** Changes within this time go out as one push, ms. */
const GATHER = 50;

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

  const face = (): Alerting => {
    const now = world.now();
    const held = room.heldBack();
    const rules = book.faces(now);
    return {
      rules,
      silent: !rules.some(({ rule, problem }) => rule?.enabled === true && problem === null),
      quiet: book.quiet(),
      blind: book.blind(),
      is_quiet: isQuiet(book.quiet(), now, environment === 'sandbox' ? 'always' : 'us'),
      mutes: ledger.mutes.active().map((mute) => ({
        id: mute.id,
        kind: mute.kind,
        symbols: mute.symbols === null ? null : [...mute.symbols],
        until: mute.until,
        from: timestamp(mute.from),
        until_at: mute.untilAt === null ? null : timestamp(mute.untilAt),
        comment: mute.comment,
        made_at: timestamp(mute.madeAt),
        holds: held.filter((symbol) => mute.symbols === null || (symbol !== null && mute.symbols.includes(symbol))).length,
      })),
      held_back: held.length,
      sandbox_pause: isLimited() ? SANDBOX_PAUSE : null,
      away: away.story(),
    };
  };
  let cancelPush: Cancel | null = null;
  let pushed = '';
  const changed = (): void => {
    cancelPush ??= clock.after(GATHER, () => {
      cancelPush = null;
      const now = face();
      // With every event something may have become another, and mostly nothing has.
      const words = JSON.stringify(now);
      if (words === pushed) return;
      pushed = words;
      options.onChanged(now);
    });
  };
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
    onMutes: changed,
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

  /** Rules whose standstill was said in this run; the ledger remembers over runs. */
  const said = new Map<string, string>();
  let cancelLook: Cancel = () => undefined;
  /** No rule ends silently: each problem is told once. */
  const lookAtRules = (): void => {
    const faces = book.faces(world.now());
    let isNew = false;
    for (const { id, rule, problem } of faces) {
      if (problem === null ? !said.delete(id) : said.get(id) === problem) continue;
      isNew = true;
      if (problem === null) continue;
      const notice = `barograph:rule:${id}:${noticeKey(problem)}`;
      const words = `${rule?.name ?? id}: ${problem}`;
      ledger.transaction(() =>
        ledger.tellings.write(
          0,
          { id: notice, kind: 'notice', rules: [id], baseRate: null, outcome: 'intent', reason: words, bin: null },
          clock.now(),
        ),
      );
      said.set(id, problem);
      handover.kick();
    }
    if (isNew) changed();
  };
  const looking = (): void => {
    cancelLook = clock.after(RULES_LOOK, () => {
      looking();
      lookAtRules();
    });
  };

  /** After an act of the user: what waits may go on, and every window hears of it. */
  const done = (ledgerIds: readonly number[] = []): Record<string, never> => {
    room.arrived();
    options.onAlerts(ledgerIds);
    changed();
    return {};
  };
  const ruleChanged = (): Record<string, never> => {
    lookAtRules();
    return done();
  };
  const outletOf = (rule: string): Outlet => {
    const outlet = book.get(rule)?.outlet ?? null;
    if (outlet === null) throw new RefusedError({ code: 'refused', message: `Rule ${rule} has no outlet. Save the rule with one first.` });
    return outlet;
  };

  return {
    judge,
    rehearse: (symbol) => rehearse(facts, symbol),
    kick: handover.kick,
    written({ added, intents, waits }) {
      away.added(added);
      if (intents > 0) handover.kick();
      if (!waits) return;
      room.arrived();
      changed();
    },
    caughtUp(gaps) {
      room.caughtUp();
      // What was fetched may lie beyond our idea of the world's time, which is measured anew only later.
      if (away.ended(gaps, timestamp(Math.max(world.now(), ledger.newestTransition() ?? 0)))) changed();
    },
    refresh() {
      if (!book.refresh()) return;
      lookAtRules();
      changed();
    },
    start() {
      room.start();
      blindness.start();
      handover.kick();
      looking();
    },
    async stop() {
      cancelLook();
      cancelPush?.();
      blindness.stop();
      room.stop();
      await handover.stop();
    },
    handlers: {
      'alerting.read': face,
      'rules.save': ({ rule }) => {
        book.save(rule);
        return ruleChanged();
      },
      'rules.delete': ({ id }) => {
        book.remove(id);
        return ruleChanged();
      },
      'rules.try': ({ rule }) =>
        tryRule(rule, {
          ledger,
          environment,
          quiet: book.quiet(),
          isWatched: watch.isWatched,
          listsOf,
          now: world.now(),
          hourOf: (at) => new Date(at).getHours(),
        }),
      'quiet.save': ({ quiet }) => {
        book.setQuiet(quiet);
        return ruleChanged();
      },
      'blind.save': ({ blind }) => {
        book.setBlind(blind);
        return done();
      },
      'outlet.test': async ({ rule }) => {
        try {
          return { detail: await carrier.test(rule, outletOf(rule)) };
        } catch (thrown) {
          throw new RefusedError({ code: 'refused', message: messageOf(thrown) });
        }
      },
      'outlet.secret': async ({ rule, secret }) => {
        const account = secretAccount(rule, outletOf(rule));
        if (secret === null) await ports.vault.deletePassword(profile.name, account);
        else await ports.vault.setPassword(profile.name, account, secret);
        return {};
      },
      'alerts.read': inbox.page,
      'alerts.trace': ({ ledger_id }) => inbox.trace(ledger_id),
      'alerts.acknowledge': ({ ledger_ids, acknowledged }) => {
        acts.acknowledge(ledger_ids, acknowledged);
        return done(ledger_ids);
      },
      'alerts.snooze': ({ ledger_ids, until }) => {
        acts.snooze(ledger_ids, until);
        return done(ledger_ids);
      },
      'alerts.unsnooze': ({ ledger_ids }) => {
        acts.unsnooze(ledger_ids);
        return done(ledger_ids);
      },
      'alerts.note': ({ ledger_id, note }) => {
        acts.note(ledger_id, note);
        return done([ledger_id]);
      },
      'alerts.clicked': ({ notification_id }) => {
        options.onAlerts(acts.clicked(notification_id));
        return {};
      },
      'silences.add': (input) => {
        acts.silence(input);
        return done();
      },
      'mutes.end': ({ id }) => {
        acts.endMute(id);
        return done();
      },
      'away.seen': () => {
        away.seen();
        changed();
        return {};
      },
    },
  };
}

/** The same problem has the same key, so that it is said once. */
function noticeKey(problem: string): string {
  let key = 5381;
  for (const letter of problem) key = (Math.imul(key, 33) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return key.toString(36);
}
