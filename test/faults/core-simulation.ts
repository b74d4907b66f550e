// Faults: one life of a core under a seed, in one thread on a manual clock.
// The service is behind a bad network, the notifier is unreliable, and any port call may kill the program.
// The property: no High Risk of a watched symbol missed, none notified twice.
import { getEventListeners } from 'node:events';
import type { Database } from 'better-sqlite3';
import type { Ledger, openLedger } from '../../main/core/ledger/ledger.ts';
import type { Monitor } from '../../main/core/monitor.ts';
import { createMonitor } from '../../main/core/monitor.ts';
import type { NotificationOutcome, NotificationRequest, Ports } from '../../main/core/ports.ts';
import { DEFAULT_SETTINGS } from '../../main/core/profiles/settings.ts';
import type { State } from '../../shared/domain/states.ts';
import type { EventEnvelope } from '../../shared/wire/events.ts';
import { encodeEvent } from '../../shared/wire/sse.ts';
import { noChannels, noVault } from '../harness/core-rig.ts';
import { folderInMemory } from '../harness/folders.ts';
import { createManualClock, settle } from '../harness/manual-clock.ts';
import { createWireService, type Fault } from '../harness/wire-service.ts';
import { createMutation, type MutantName } from './core-simulation-mutants.ts';
import { bareData, evaluateLife, type LifeFindings, origin } from './core-simulation-oracle.ts';
import { type Action, drawFrom, randomOf, settingsFrom } from './core-simulation-random.ts';
import { createUser, KilledError, mutesOf, wholeInbox } from './core-simulation-user.ts';

export interface LifeReport {
  readonly seed: number;
  readonly missed: readonly string[];
  readonly doubled: readonly string[];
  readonly kills: number;
  readonly notified: number;
  readonly trace: readonly string[];
}

/** Records all writes, pushes and notifications of a life. */
export interface LifeRecorder {
  /** A push to windows, or a notification handed over. */
  record(kind: string, value: unknown): void;
  /** The life is over, and its ledger is still open. */
  end(ledger: Database): void;
}

export interface LifeOptions {
  readonly steps?: number;
  /** No kill: the life then depends less on how often the core calls its ports. */
  readonly isImmortal?: boolean;
  readonly recorder?: LifeRecorder | null;
}

/** A call into the core during which it may be killed. */
function mortal(call: () => void): void {
  try {
    call();
  } catch (error) {
    if (!(error instanceof KilledError)) throw error;
  }
}

const WATCHED = ['SPY', 'QQQ', 'IWM', 'AAPL'];

/** Page of the service's list; a past that is longer takes the first reading more than one. */
const PAGE = 100;

/** Longer than any wait of the core before it tries again, and than any batching of alerts, ms. */
const HEALING = 65_000;

/** One for all: making one, with its stack, costs as much as a round trip. */
const ENDED = new Error('ended');

/** @param mutant a safeguard that is taken out of the core; null: the core as it is */
export async function liveOnce(
  seed: number,
  mutant: MutantName | null = null,
  { steps = 40, isImmortal = false, recorder = null }: LifeOptions = {},
): Promise<LifeReport> {
  const random = randomOf(seed);
  const chance = (share: number): boolean => random() < share;
  const upTo = (limit: number): number => Math.floor(random() * limit);
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item => items[upTo(items.length)] ?? items[0];
  const clock = createManualClock();
  const service = createWireService(clock);
  const folder = folderInMemory();
  const trace: string[] = [];
  const say = (what: string): void => void trace.push(`${new Date(clock.now()).toISOString()} ${what}`);
  /** Logs are replaced only in some lives; in those no two transitions share a second, because then the second key could not distinguish them. */
  const replaces = chance(0.3);
  /** In some lives the log is long before the core first reads it: that past must never be notified. */
  const hasPast = !replaces && chance(0.3);
  const mutation = createMutation(mutant);
  let settings = settingsFrom(chance);

  let mood: 'well' | 'fails' | 'hangs' = 'well';
  let kills = 0;
  let portCallsLeft = Number.POSITIVE_INFINITY;
  let incarnation = 0;
  let core: Monitor | null = null;
  /** Per id that the desktop really took: the ids that it names, its own where it tells one event alone. */
  const taken = new Map<string, readonly string[]>();
  const titles = new Map<string, string>();
  /** The database of the present life, and its ledger; one that was killed leaves it to be closed. */
  let opened: ReturnType<typeof mutation.open> | null = null;
  /** What the end of a process would have ended: Node keeps a signal that somebody listens to, and with it the whole life, for ever. */
  let leftovers: (() => void)[] = [];
  const closeLast = (): void => {
    for (const end of leftovers) end();
    leftovers = [];
    opened?.db.close();
  };
  let isDiskFull = false;
  const fillDisk = (): void => {
    if (opened === null || !opened.db.open) return;
    const pages = Number(opened.db.pragma('page_count', { simple: true }));
    opened.db.pragma(`max_page_count = ${isDiskFull ? pages : 1_000_000}`);
  };

  /** Every call of a life passes here; a killed one never comes back. */
  const alive = (mine: number): void => {
    if (mine !== incarnation) throw new KilledError('dead');
    portCallsLeft -= 1;
    if (portCallsLeft > 0) return;
    portCallsLeft = Number.POSITIVE_INFINITY;
    incarnation += 1;
    kills += 1;
    core = null;
    say('KILLED');
    throw new KilledError('killed');
  };
  /** The ledger, in the middle of whose writing the program may be killed too. */
  const ledgerOf = (mine: number): typeof openLedger => {
    return (path, stamp) => {
      opened = mutation.open(path, stamp);
      const { ledger } = opened;
      fillDisk();
      // A core that was killed writes nothing any more, whoever catches the error.
      const ifAlive = <Args extends unknown[], Value>(write: (...args: Args) => Value) => {
        return (...args: Args): Value => {
          if (mine !== incarnation) throw new KilledError('dead');
          return write(...args);
        };
      };
      return {
        ...ledger,
        ingest: ifAlive((arrival: Parameters<Ledger['ingest']>[0]) =>
          ledger.ingest({
            ...arrival,
            evaluate(event, source) {
              alive(mine);
              return arrival.evaluate(event, source);
            },
          }),
        ),
        transaction: ifAlive(ledger.transaction) as Ledger['transaction'],
        caughtUp: ifAlive(ledger.caughtUp),
        openGap: ifAlive(ledger.openGap),
        forgetCursor: ifAlive(ledger.forgetCursor),
        metadata: { ...ledger.metadata, set: ifAlive(ledger.metadata.set) },
      };
    };
  };
  const portsOf = (mine: number): Ports => {
    const show = async (request: NotificationRequest): Promise<NotificationOutcome> => {
      alive(mine);
      recorder?.record('notification', request);
      if (mood === 'hangs') return new Promise(() => undefined);
      if (mood === 'fails') throw new Error('no bus');
      taken.set(request.id, request.names ?? [request.id]);
      titles.set(request.id, request.title);
      say(`took ${request.id}`);
      return { tier: 'system', detail: '' };
    };
    return {
      clock: {
        now: () => clock.now(),
        after(ms, job) {
          alive(mine);
          return clock.after(ms, () => {
            if (mine === incarnation) job();
          });
        },
      },
      random: () => (mine === incarnation ? random() : 0.5),
      fetch(url, init = {}) {
        // What a killed life left running in a library (a stream that reconnects by itself) waits for ever and holds nothing.
        if (mine !== incarnation) return new Promise(() => undefined);
        alive(mine);
        const { pathname } = new URL(url);
        const headers = mutation.headers(pathname, new Headers(init.headers), opened?.ledger ?? null);
        const own = new AbortController();
        const forward = (): void => own.abort(ENDED);
        const { signal } = init;
        signal?.addEventListener('abort', forward);
        leftovers.push(() => {
          if (signal)
            for (const listener of getEventListeners(signal, 'abort'))
              signal.removeEventListener('abort', listener as () => void);
          own.abort(ENDED);
        });
        const answered = Promise.resolve(
          mutation.answer(pathname) ?? service.fetch(url, { ...init, headers, signal: own.signal }),
        ).then((response) => (mine === incarnation ? response : new Promise<Response>(() => undefined)));
        // One who was killed right after asking listens to no answer.
        answered.catch(() => undefined);
        return answered;
      },
      vault: noVault,
      channels: noChannels,
      notifier: { show, status: () => ({ tier: 'system', detail: '' }) },
      logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
      settings: {
        read: () => settings,
        write(changed) {
          settings = changed;
        },
      },
      folder: folder.path,
    };
  };
  const start = async (): Promise<void> => {
    incarnation += 1;
    const [profile] = DEFAULT_SETTINGS.profiles;
    if (profile === undefined) throw new Error('no profile');
    say('start');
    closeLast();
    try {
      core = createMonitor({
        ports: portsOf(incarnation),
        profile,
        service: { baseUrl: service.url, key: service.key },
        label: '',
        openLedger: ledgerOf(incarnation),
      });
      if (recorder !== null) {
        const mine = incarnation;
        core.attach({ push: (name, payload) => mine === incarnation && recorder.record(name, payload) });
      }
      await core.start();
    } catch (error) {
      if (!(error instanceof KilledError)) throw error;
    }
    await settle();
  };
  const stop = async (): Promise<void> => {
    if (core === null) return;
    say('stop');
    const stopping = core.stop().catch((error: unknown) => {
      if (!(error instanceof KilledError)) throw error;
    });
    core = null;
    await clock.advance(3_000);
    await stopping;
    incarnation += 1;
  };

  const isLaterPage: Fault = ({ path, url }) =>
    path === '/events' && url.searchParams.has('after') ? 'unreachable' : null;
  if (hasPast) {
    const length = PAGE + upTo(PAGE);
    for (let index = 0; index < length; index += 1)
      service.emit(pick(['SPY', 'QQQ', 'IWM', 'AAPL', 'ZZZ']), pick<State>([0, 1, 2, 2]), {
        at: new Date(clock.now() - (length - index) * 20_000).toISOString(),
      });
    say(`a past of ${length}`);
    if (chance(0.6)) service.fault = isLaterPage;
  }
  await start();
  await clock.advance(1_000);

  const user = createUser({ chance, upTo, pick, say, now: clock.now });
  const emitted: EventEnvelope[] = [];
  /** What a replaced log does not have any more, nobody can fetch. */
  const gone = new Set<string>();
  const emit = (): EventEnvelope => {
    const event = service.emit(pick(['SPY', 'QQQ', 'IWM', 'AAPL', 'ZZZ']), pick<State>([0, 1, 2, 2]));
    emitted.push(event);
    say(
      `emit ${event.event_id} seq ${event.seq} ${event.event} ${event.data && 'symbol' in event.data ? event.data.symbol : ''}${service.deaf ? ' (deaf)' : ''}`,
    );
    return event;
  };
  const faults: readonly [Fault, ...Fault[]] = [
    () => 'unreachable',
    () => 'silence',
    ({ path }) => (path === '/events' ? 'unreachable' : null),
    ({ path }) => (path === '/stream' ? new Response('no', { status: 500 }) : null),
    () =>
      Response.json(
        { code: 'temporarily_unavailable', message: 'later' },
        { status: 503, headers: { 'retry-after': '7' } },
      ),
    ({ path }) => (path === '/' ? null : new Response('<html>', { headers: { 'content-type': 'text/html' } })),
    () => (chance(0.3) ? 'unreachable' : null),
    isLaterPage,
  ];
  /** The same event as a source without ids would bring it. */
  const bare = (event: EventEnvelope): string => `event: ${event.event}\ndata: ${bareData(event)}\n\n`;
  const actions: readonly Action[] = [
    [8, 'emit', emit],
    [3, 'burst', () => Array.from({ length: 1 + upTo(6) }, () => replaces || emit())],
    [
      4,
      'emit unheard',
      () => {
        service.deaf = true;
        emit();
        service.deaf = false;
      },
    ],
    [
      3,
      'again',
      () => {
        const old = emitted[upTo(emitted.length)];
        if (old !== undefined && service.log.includes(old)) service.write(encodeEvent(old));
      },
    ],
    [
      2,
      'again without id',
      () => {
        const old = emitted[upTo(emitted.length)];
        if (old !== undefined && service.log.includes(old)) service.write(bare(old));
      },
    ],
    [
      2,
      'out of order',
      async () => {
        service.deaf = true;
        const first = emit();
        await clock.advance(1_100);
        const second = emit();
        service.deaf = false;
        service.write(encodeEvent(second));
        if (chance(0.5)) await clock.advance(upTo(3_000));
        service.write(encodeEvent(first));
      },
    ],
    [3, 'cut', () => service.cut()],
    [
      1,
      'mute',
      () => {
        service.mute = !service.mute;
      },
    ],
    [
      1,
      'deaf',
      () => {
        service.deaf = !service.deaf;
      },
    ],
    [2, 'garbage', () => service.write('data: {"half\n\nevent: x\ndata: 1\n\n')],
    [
      4,
      'fault',
      () => {
        service.fault = chance(0.5) ? null : pick(faults);
      },
    ],
    [
      3,
      'notifier',
      () => {
        mood = pick(['well', 'fails', 'hangs']);
        say(`notifier ${mood}`);
      },
    ],
    [
      5,
      'kill soon',
      () => {
        const calls = 1 + upTo(40);
        if (!isImmortal) portCallsLeft = calls;
      },
    ],
    [2, 'stop', stop],
    [2, 'wake', () => mortal(() => core?.wake('resume'))],
    [
      2,
      'clock set',
      () => {
        const by = (random() - 0.5) * 7_200_000;
        clock.jump(by);
        service.worldOffset -= by;
      },
    ],
    // A service whose own time goes back behind the baseline, while that log is still being read, is indistinguishable from its past.
    [hasPast || replaces ? 0 : 1, 'both clocks set', () => clock.jump((random() - 0.5) * 7_200_000)],
    [
      1,
      'disk',
      () => {
        isDiskFull = !isDiskFull;
        say(isDiskFull ? 'disk full' : 'disk has room');
        fillDisk();
      },
    ],
    [1, 'self-test', () => mortal(() => core !== null && user.runSelfTests(core))],
    [replaces ? 0 : 2, 'the user', () => mortal(() => core !== null && user.acts(core))],
    [
      replaces ? 2 : 0,
      'another log',
      () => {
        if (service.log.length < 2) return;
        // What the new log keeps has new ids in half of the cases, new numbers always.
        const renames = chance(0.5);
        const remaining = service.log.slice(-Math.ceil(service.log.length * (0.5 + random() / 2)));
        for (const event of service.log) if (!remaining.includes(event)) gone.add(origin(event.event_id));
        service.replaceLog();
        for (const [index, event] of remaining.entries())
          service.log.push(renumber(event, index + 1, renames ? `${event.event_id}r${upTo(1e6)}` : event.event_id));
        say(`another log of ${remaining.length}, ${renames ? 'new' : 'same'} ids`);
      },
    ],
  ];
  const total = actions.reduce((sum, [weight]) => sum + weight, 0);

  let findings: LifeFindings = { missed: [], doubled: [] };
  try {
    for (let step = 0; step < steps; step += 1) {
      const drawn = drawFrom(actions, random() * total);
      say(drawn[1]);
      await drawn[2]();
      if (replaces) await clock.advance(1_100);
      await clock.advance(chance(0.5) ? upTo(500) : upTo(30_000));
      if (core === null && chance(0.6)) await start();
    }
    say('everything heals');
    Object.assign(service, { fault: null, deaf: false, mute: false });
    mood = 'well';
    portCallsLeft = Number.POSITIVE_INFINITY;
    isDiskFull = false;
    fillDisk();
    if (core === null) await start();
    const { handlers } = core as unknown as Monitor;
    handlers['quiet.save']({ quiet: null });
    // Ending one checks the others too, so they are asked for again each time.
    for (let [mute] = mutesOf(handlers); mute !== undefined; [mute] = mutesOf(handlers))
      handlers['mutes.end']({ id: mute.id });
    // As if it had crashed: what hangs in the notifier is given up by the next start.
    await clock.advance(HEALING);
    await stop();
    await start();
    await clock.advance(HEALING);
    const held = core as Monitor | null;
    core = null;
    const evidence = { emitted, watched: WATCHED, taken, titles, gone };
    findings = evaluateLife({ ...evidence, inbox: new Map() });
    if (held !== null) {
      // Reading all of it takes longer than many a life; it is asked only whether what was not notified was suppressed with a reason.
      const inbox = findings.missed.length === 0 ? [] : wholeInbox(held);
      if (inbox.length > 0)
        findings = evaluateLife({
          ...evidence,
          inbox: new Map(inbox.map((row) => [row.alert.transition.event_id, row])),
        });
      recorder?.record('snapshot', held.handlers['state.snapshot']({}));
      recorder?.record('tray', held.trayView());
      if (opened !== null) recorder?.end(opened.db);
      await held.stop();
    }
  } finally {
    incarnation += 1;
    closeLast();
    folder.remove();
  }

  return { seed, ...findings, kills, notified: taken.size, trace };
}

function renumber(event: EventEnvelope, seq: number, id: string): EventEnvelope {
  return event.event.startsWith('signal.') && 'event_id' in event.data
    ? ({ ...event, seq, event_id: id, data: { ...event.data, event_id: id } } as EventEnvelope)
    : { ...event, seq, event_id: id };
}
