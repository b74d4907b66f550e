// Faults: one life of a core under a seed: a service behind a bad network, a notifier with moods, a program that is killed at any port call,
// all in one thread on a manual clock. The property is the promise: no High Risk of a watched symbol missed, none told as two.
import { createHash } from 'node:crypto';
import type { Core } from '../../main/core/core.ts';
import { createCore } from '../../main/core/core.ts';
import type { NotificationOutcome, NotificationRequest, Ports } from '../../main/core/ports.ts';
import { DEFAULT_SETTINGS } from '../../main/core/profiles/settings.ts';
import type { State } from '../../shared/domain/states.ts';
import type { EventEnvelope } from '../../shared/wire/events.ts';
import { encodeEvent } from '../../shared/wire/sse.ts';
import { noOutlets, noVault, temporaryFolder } from '../harness/core-rig.ts';
import { createManualClock, settle } from '../harness/manual-clock.ts';
import { createWireService, type Fault } from '../harness/wire-service.ts';

export interface LifeReport {
  readonly seed: number;
  readonly missed: readonly string[];
  readonly doubled: readonly string[];
  readonly kills: number;
  readonly told: number;
  readonly trace: readonly string[];
}

class Killed extends Error {}

/** A call into the core during which it may be killed. */
function mortal(call: () => void): void {
  try {
    call();
  } catch (thrown) {
    if (!(thrown instanceof Killed)) throw thrown;
  }
}

/** Weight, name, deed. */
type Action = readonly [number, string, () => unknown];

function drawFrom(actions: readonly Action[], lot: number): Action {
  let left = lot;
  for (const action of actions) {
    left -= action[0];
    if (left < 0) return action;
  }
  throw new Error('no action');
}

/** mulberry32: small, seeded, good enough to choose faults. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const WATCHED = ['SPY', 'QQQ', 'IWM', 'AAPL'];

export async function liveOnce(seed: number, steps = 40): Promise<LifeReport> {
  const random = randomOf(seed);
  const chance = (share: number): boolean => random() < share;
  const upTo = (limit: number): number => Math.floor(random() * limit);
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item => items[upTo(items.length)] ?? items[0];
  const clock = createManualClock();
  const service = createWireService(clock);
  const folder = temporaryFolder();
  const trace: string[] = [];
  const say = (what: string): void => void trace.push(`${new Date(clock.now()).toISOString()} ${what}`);
  /** Logs are replaced only in some lives; in those no two transitions share a second, because then the second key could not tell them apart. */
  const replaces = chance(0.3);

  let mood: 'well' | 'fails' | 'hangs' = 'well';
  let kills = 0;
  let portCallsLeft = Number.POSITIVE_INFINITY;
  let incarnation = 0;
  let core: Core | null = null;
  /** Per id that the desktop really took: the ids that it names, its own where it tells one event alone. */
  const taken = new Map<string, readonly string[]>();
  const settings = { current: DEFAULT_SETTINGS };

  const portsOf = (mine: number): Ports => {
    const alive = (): void => {
      if (mine !== incarnation) throw new Killed('dead');
      portCallsLeft -= 1;
      if (portCallsLeft > 0) return;
      portCallsLeft = Number.POSITIVE_INFINITY;
      incarnation += 1;
      kills += 1;
      core = null;
      say('KILLED');
      throw new Killed('killed');
    };
    const show = async (request: NotificationRequest): Promise<NotificationOutcome> => {
      alive();
      if (mood === 'hangs') return new Promise(() => undefined);
      if (mood === 'fails') throw new Error('no bus');
      taken.set(request.id, request.names ?? [request.id]);
      say(`took ${request.id}`);
      return { tier: 'system', detail: '' };
    };
    return {
      clock: {
        now: () => clock.now(),
        after(ms, job) {
          alive();
          return clock.after(ms, () => {
            if (mine === incarnation) job();
          });
        },
      },
      random,
      async fetch(url, init) {
        alive();
        const response = await service.fetch(url, init);
        if (mine !== incarnation) return new Promise(() => undefined);
        return response;
      },
      vault: noVault,
      outlets: noOutlets,
      notifier: { show, status: () => ({ tier: 'system', detail: '' }) },
      logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
      settings: { read: () => settings.current, write: () => undefined },
      folder: folder.path,
    };
  };
  const start = async (): Promise<void> => {
    incarnation += 1;
    const [profile] = DEFAULT_SETTINGS.profiles;
    if (profile === undefined) throw new Error('no profile');
    say('start');
    try {
      core = createCore({ ports: portsOf(incarnation), profile, service: { baseUrl: service.url, key: service.key }, label: '' });
      await core.start();
    } catch (thrown) {
      if (!(thrown instanceof Killed)) throw thrown;
    }
    await settle();
  };
  const stop = async (): Promise<void> => {
    if (core === null) return;
    say('stop');
    const stopping = core.stop().catch((thrown: unknown) => {
      if (!(thrown instanceof Killed)) throw thrown;
    });
    core = null;
    await clock.advance(3_000);
    await stopping;
    incarnation += 1;
  };

  await start();
  await clock.advance(1_000);

  const emitted: EventEnvelope[] = [];
  /** What a replaced log does not have any more, nobody can fetch. */
  const gone = new Set<string>();
  const origin = (id: string): string => id.replace(/(r\d+)+$/, '');
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
    () => Response.json({ code: 'temporarily_unavailable', message: 'later' }, { status: 503, headers: { 'retry-after': '7' } }),
    ({ path }) => (path === '/' ? null : new Response('<html>', { headers: { 'content-type': 'text/html' } })),
    () => (chance(0.3) ? 'unreachable' : null),
  ];
  /** The same event as an inlet without ids would bring it. */
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
        portCallsLeft = 1 + upTo(40);
      },
    ],
    [2, 'stop', stop],
    [2, 'wake', () => mortal(() => core?.wake('resume'))],
    [1, 'clock set', () => clock.jump((random() - 0.5) * 7_200_000)],
    [
      replaces ? 2 : 0,
      'another log',
      () => {
        if (service.log.length < 2) return;
        // What the new log keeps has new ids in half of the cases, new numbers always.
        const renames = chance(0.5);
        const kept = service.log.slice(-Math.ceil(service.log.length * (0.5 + random() / 2)));
        for (const event of service.log) if (!kept.includes(event)) gone.add(origin(event.event_id));
        service.replaceLog();
        for (const [index, event] of kept.entries())
          service.log.push(renumber(event, index + 1, renames ? `${event.event_id}r${upTo(1e6)}` : event.event_id));
        say(`another log of ${kept.length}, ${renames ? 'new' : 'same'} ids`);
      },
    ],
  ];
  const total = actions.reduce((sum, [weight]) => sum + weight, 0);

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
    if (core === null) await start();
    // As if it had crashed: what hangs in the notifier is given up by the next start.
    await clock.advance(120_000);
    await stop();
    await start();
    await clock.advance(180_000);
    const held = core;
    core = null;
    await (held as Core | null)?.stop();
  } finally {
    folder.remove();
  }

  const high = emitted.filter((event) => event.event === 'signal.high_risk' && WATCHED.includes(event.data.symbol));
  const secondKey = (event: EventEnvelope): string => `${'symbol' in event.data ? event.data.symbol : ''} ${event.timestamp.slice(0, 19)}`;
  const hashOf = (event: EventEnvelope): string => `sha256:${createHash('sha256').update(bareData(event)).digest('hex')}`;
  const idsOf = new Map<string, string[]>();
  const note = (event: string, id: string): void => void idsOf.set(event, [...(idsOf.get(event) ?? []), id]);
  const names = [...taken].flatMap(([id, named]) => named.map((one) => [id, origin(one.replace(/^barograph:/, ''))] as const));
  // Told under its own id, or under one that another log gave it.
  for (const [id, name] of names) if (!name.startsWith('sha256:')) note(name, id);
  // Told under the hash of its content: without an id, events of one symbol, state and second cannot be told apart; it is one that was not told otherwise.
  for (const [id, name] of names) {
    if (!name.startsWith('sha256:')) continue;
    const told = high.find((event) => hashOf(event) === name);
    const same = told === undefined ? [] : high.filter((event) => secondKey(event) === secondKey(told));
    note((same.find((event) => !idsOf.has(event.event_id)) ?? same[0])?.event_id ?? name, id);
  }
  const known = new Set(high.map((event) => event.event_id));
  return {
    seed,
    missed: high.map((event) => event.event_id).filter((id) => !idsOf.has(id) && !gone.has(id)),
    doubled: [...idsOf].filter(([event, ids]) => ids.length > 1 || !known.has(event)).flatMap(([, ids]) => ids),
    kills,
    told: taken.size,
    trace,
  };
}

function renumber(event: EventEnvelope, seq: number, id: string): EventEnvelope {
  return event.event.startsWith('signal.') && 'event_id' in event.data
    ? ({ ...event, seq, event_id: id, data: { ...event.data, event_id: id } } as EventEnvelope)
    : { ...event, seq, event_id: id };
}

function bareData(event: EventEnvelope): string {
  const { event_id: _, seq: __, data, ...rest } = event;
  const { event_id: ___, ...facts } = 'event_id' in data ? data : { event_id: '', ...data };
  return JSON.stringify({ ...rest, data: facts });
}
