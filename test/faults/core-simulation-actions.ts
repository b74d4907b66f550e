// Faults: the weighted actions of a simulated life: events, faults of the network, kills, the user.
import type { State } from '../../shared/domain/states.ts';
import type { EventEnvelope } from '../../shared/wire/events.ts';
import { encodeEvent } from '../../shared/wire/sse.ts';
import type { Fault } from '../harness/wire-service.ts';
import { DISK_FAULTS } from './core-simulation-disk.ts';
import { mortal } from './core-simulation-lifeline.ts';
import { lossActions } from './core-simulation-loss.ts';
import { bareData, origin, UNREADABLE_SYMBOL } from './core-simulation-oracle.ts';
import type { Program, World } from './core-simulation-program.ts';
import type { Chance } from './core-simulation-random.ts';
import { retentionActions } from './core-simulation-retention.ts';
import { damageSettings } from './core-simulation-settings.ts';
import { IN_TIME, makeWell, standStill } from './core-simulation-standstill.ts';
import { createUser, unmute } from './core-simulation-user.ts';

/** Weight, name, function. */
export type Action = readonly [number, string, () => unknown];

export interface Traits {
  /** The log is replaced often, and always with new ids. */
  readonly isRestored: boolean;
  /**
   * The service's log may be replaced. In such a life no two transitions share a second, because the second key
   * could not distinguish them.
   */
  readonly replaces: boolean;
  /** The disk often fails, and a High Risk comes then. */
  readonly hasBadDisk: boolean;
  /** The ledger's file is lost. Times alone may then tell what was notified: no clock is set, and nothing is muted. */
  readonly losesLedger: boolean;
  /** The service sometimes refuses the key, the address or the plan, for seconds or for long. */
  readonly refuses: boolean;
  /** Another program sometimes takes the service's port, for seconds or for long. */
  readonly hasImpostor: boolean;
  /** The service sends High Risks without a readable symbol, under a name in another case, or with an impossible date. */
  readonly isOdd: boolean;
  /** The ledger's retention removes events within the life, and the log is read again from its oldest. */
  readonly prunes: boolean;
  /** The settings are a file, which is damaged. */
  readonly damagesSettings: boolean;
  /** The service lists transitions alone, by their dates, and dates some a year ahead. */
  readonly isToTheLetter: boolean;
  /** The service sometimes answers for minutes without going on. */
  readonly stands: boolean;
  /** The log is long before the core first reads it: only what is High Risk at its end may be notified. */
  readonly hasPast: boolean;
}

export interface Happenings {
  /** Everything that happened after the core began to watch, in order. */
  readonly emitted: readonly EventEnvelope[];
  /** Events that only a replaced log had: nobody can fetch them. */
  readonly gone: ReadonlySet<string>;
  /** High Risks that the desktop did not have in time while the ledger could not be written. */
  readonly late: readonly string[];
  /** Events that the user acknowledged in a life whose retention removes them. */
  readonly acknowledged: ReadonlySet<string>;
  /** What the user was not told while the service answered and did not go on. */
  readonly untold: readonly string[];
  /** Paths to which the key was sent while another program had the port. */
  readonly leaked: readonly string[];
  readonly actions: readonly Action[];
}

const EMITTED = ['SPY', 'QQQ', 'IWM', 'AAPL', 'ZZZ'] as const;
/** Normal, Elevated, and High Risk twice as often. */
const STATES: readonly [State, ...State[]] = [0, 1, 2, 2];

/** Page of the service's list; a longer past takes the first reading more than one. */
const PAGE = 100;

/** Each for all but the identity, which needs no key. */
const REFUSALS: readonly [() => Response, ...(() => Response)[]] = [
  () => Response.json({ code: 'invalid_key', message: 'Unknown key.' }, { status: 401 }),
  () => Response.json({ code: 'payment_required', message: 'Unpaid.' }, { status: 402 }),
  () => Response.json({ code: 'forbidden', message: 'No.' }, { status: 403, headers: { 'retry-after': '9' } }),
  () => new Response(null, { status: 204 }),
  () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/' } }),
];

const isLaterPage: Fault = ({ path, url }) =>
  path === '/events' && url.searchParams.has('after') ? 'unreachable' : null;

/** Fills the log before the core first reads it. */
export function writePast({ clock, service, say }: World, { chance, upTo, pick }: Chance): void {
  const length = PAGE + upTo(PAGE);
  for (let index = 0; index < length; index += 1)
    service.emit(pick(EMITTED), pick(STATES), {
      at: new Date(clock.now() - (length - index) * 20_000).toISOString(),
    });
  say(`a past of ${length}`);
  if (chance(0.6)) service.fault = isLaterPage;
}

/** @param settingsFile null: the settings are in memory */
export function createHappenings(
  world: World,
  chances: Chance,
  program: Program,
  traits: Traits,
  settingsFile: string | null,
): Happenings {
  const { service, say } = world;
  const { pick } = chances;
  const emitted: EventEnvelope[] = [];
  const gone = new Set<string>();
  const late: string[] = [];
  const leaked: string[] = [];
  const untold: string[] = [];
  const acknowledged = new Set<string>();
  const emit = (): EventEnvelope => {
    const event = service.emit(pick(EMITTED), pick(STATES));
    emitted.push(event);
    say(
      `emit ${event.event_id} seq ${event.seq} ${event.event} ${event.data && 'symbol' in event.data ? event.data.symbol : ''}${service.deaf ? ' (deaf)' : ''}`,
    );
    return event;
  };
  return {
    emitted,
    gone,
    late,
    leaked,
    untold,
    acknowledged,
    actions: [
      ...streamActions(world, chances, traits, emitted, emit),
      ...faultActions(world, chances, program),
      ...programActions(world, chances, program, traits),
      [traits.isOdd ? 5 : 0, 'odd event', () => emitOdd(world, chances.pick(ODD_KINDS), chances, emitted)],
      [traits.isToTheLetter ? 5 : 0, 'event dated ahead', () => emitOdd(world, 'ahead', chances, emitted)],
      [traits.refuses ? 4 : 0, 'refusal', () => refuse(world, chances)],
      [traits.hasImpostor ? 4 : 0, 'impostor', () => impersonate(world, chances, leaked)],
      [
        traits.hasBadDisk ? 3 : 0,
        'High Risk on a bad disk',
        () => alertOnBadDisk(world, chances, program, emitted, late),
      ],
      [traits.stands ? 1 : 0, 'standstill', () => standStill(world, chances, program, false, emitted, untold)],
      [traits.stands ? 1 : 0, 'no decisions', () => standStill(world, chances, program, true, emitted, untold)],
      ...(traits.losesLedger ? lossActions(world, chances, program) : []),
      ...(traits.prunes ? retentionActions(world, chances, program, acknowledged) : []),
      ...(settingsFile === null ? [] : damageSettings(world, chances, program, settingsFile)),
      [logWeight(traits), 'another log', () => replaceLog(world, chances, traits, gone)],
    ],
  };
}

/** Events and what the stream makes of them: unheard, repeated, without ids, out of order. */
function streamActions(
  { clock, service }: World,
  { chance, upTo }: Chance,
  { replaces, losesLedger, isOdd, isToTheLetter, prunes }: Traits,
  emitted: readonly EventEnvelope[],
  emit: () => EventEnvelope,
): readonly Action[] {
  /** Writes an earlier event again, while the log has it. */
  const repeat = (encode: (event: EventEnvelope) => string): void => {
    const old = emitted[upTo(emitted.length)];
    if (old !== undefined && service.log.includes(old)) service.write(encode(old));
  };
  const outOfOrder = async (): Promise<void> => {
    service.deaf = true;
    const first = emit();
    await clock.advance(1_100);
    const second = emit();
    service.deaf = false;
    service.write(encodeEvent(second));
    if (chance(0.5)) await clock.advance(upTo(3_000));
    service.write(encodeEvent(first));
  };
  const unheard = (): void => {
    service.deaf = true;
    emit();
    service.deaf = false;
  };
  return [
    [8, 'emit', emit],
    [3, 'burst', () => Array.from({ length: 1 + upTo(6) }, () => replaces || prunes || isToTheLetter || emit())],
    [4, 'emit unheard', unheard],
    [3, 'again', () => repeat(encodeEvent)],
    // Without its ledger the core cannot know that it is a repetition.
    [
      losesLedger || isOdd || isToTheLetter ? 0 : 2,
      'again without id',
      () => repeat((event) => `event: ${event.event}\ndata: ${bareData(event)}\n\n`),
    ],
    [2, 'out of order', outOfOrder],
    [3, 'cut', () => service.cut()],
  ];
}

const YEAR = 365 * 86_400_000;

const ODD_KINDS = ['symbol', 'name', 'ahead', 'long ago'] as const;

/** A High Risk with something about it that cannot be. */
function emitOdd(
  { clock, service, say }: World,
  kind: (typeof ODD_KINDS)[number],
  { pick }: Chance,
  emitted: EventEnvelope[],
): void {
  const by = kind === 'ahead' ? YEAR : kind === 'long ago' ? -YEAR : 0;
  const wasDeaf = service.deaf;
  service.deaf = true;
  const event = service.emit(
    pick(['SPY', 'QQQ', 'IWM', 'AAPL']),
    2,
    by === 0 ? {} : { at: new Date(clock.now() + service.worldOffset + by).toISOString() },
  );
  service.deaf = wasDeaf;
  if (kind === 'symbol') Object.assign(event.data, { symbol: UNREADABLE_SYMBOL });
  if (kind === 'name') Object.assign(event, { event: 'SIGNAL.HIGH_RISK' });
  // What it should have been, for the judge.
  const timestamp = new Date(clock.now() + service.worldOffset).toISOString();
  emitted.push({ ...event, event: 'signal.high_risk', timestamp } as EventEnvelope);
  say(`emit ${event.event_id} seq ${event.seq} odd ${kind}${wasDeaf ? ' (deaf)' : ''}`);
  if (!wasDeaf) service.write(encodeEvent(event));
}

/** Faults of network, notifier and program. */
function faultActions(
  { service, desktop, say }: World,
  { chance, upTo, pick }: Chance,
  program: Program,
): readonly Action[] {
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
  const toggle = (fault: 'mute' | 'deaf'): void => {
    service[fault] = !service[fault];
  };
  const change = (): void => {
    service.fault = chance(0.5) ? null : pick(faults);
  };
  const changeMood = (): void => {
    desktop.mood = pick(['well', 'slow', 'away', 'fails', 'hangs']);
    say(`notifier ${desktop.mood}`);
    if (desktop.mood === 'well' && chance(0.5)) mortal(desktop.onReturn);
  };
  const killSoon = (): void => {
    const calls = 1 + upTo(40);
    program.killAfter(calls);
  };
  return [
    [1, 'mute', () => toggle('mute')],
    [1, 'deaf', () => toggle('deaf')],
    [2, 'garbage', () => service.write('data: {"half\n\nevent: x\ndata: 1\n\n')],
    [4, 'fault', change],
    [3, 'notifier', changeMood],
    [5, 'kill soon', killSoon],
  ];
}

/** Refuses for four seconds, or until another fault. */
async function refuse({ clock, service }: World, { chance, pick }: Chance): Promise<void> {
  const refusal = pick(REFUSALS);
  // It is the service, and proves it: only then the core asks for more.
  service.fault = ({ path }) => (path === '/' || path === '/proof' ? null : refusal());
  service.cut();
  if (chance(0.3)) return;
  await clock.advance(4_000);
  service.fault = null;
}

/** The service ended, and another program answers in its place: ten seconds, or until another fault. */
async function impersonate({ clock, service, mutation }: World, { chance }: Chance, leaked: string[]): Promise<void> {
  service.fault = ({ path, headers }) => {
    if (headers.has('x-api-key') || headers.has('authorization')) leaked.push(path);
    if (path === '/') return null;
    if (path === '/proof') return mutation.proofIsIgnored ? null : Response.json({ proof: '0'.repeat(64) });
    return Response.json({ data: [], has_more: false, next_cursor: null });
  };
  service.cut();
  await clock.advance(10_000);
  if (chance(0.7)) service.fault = null;
}

/** The computer and its user: stops, sleep, clocks, a full disk, self-tests. */
function programActions(
  { clock, service, disk, say }: World,
  chances: Chance,
  program: Program,
  { replaces, hasPast, losesLedger, isOdd, isToTheLetter, prunes }: Traits,
): readonly Action[] {
  const { random } = chances;
  const user = createUser(chances, say, clock.now);
  const setClock = (): void => {
    const by = (random() - 0.5) * 7_200_000;
    clock.jump(by);
    service.worldOffset -= by;
  };
  const toggleDisk = (): void => {
    disk.fault = disk.fault === null ? chances.pick(DISK_FAULTS) : null;
    say(`disk ${disk.fault ?? 'well'}`);
  };
  return [
    [2, 'stop', program.stop],
    [2, 'wake', () => mortal(() => program.core?.wake('resume'))],
    [losesLedger ? 0 : 2, 'clock set', setClock],
    // During the first reading, a service whose time goes back behind the baseline looks like its own past.
    [
      hasPast || replaces || losesLedger || isToTheLetter ? 0 : 1,
      'both clocks set',
      () => clock.jump((random() - 0.5) * 7_200_000),
    ],
    [losesLedger ? 0 : 1, 'disk', toggleDisk],
    [1, 'self-test', () => mortal(() => program.core !== null && user.runSelfTests(program.core))],
    [
      replaces || losesLedger || isOdd || isToTheLetter || prunes ? 0 : 2,
      'the user',
      () => mortal(() => program.core !== null && user.acts(program.core)),
    ],
  ];
}

/** Everything else is well: the desktop must have the alert although the ledger cannot be written. */
async function alertOnBadDisk(
  { clock, service, disk, desktop, say }: World,
  { chance, pick }: Chance,
  program: Program,
  emitted: EventEnvelope[],
  late: string[],
): Promise<void> {
  disk.fault = pick(DISK_FAULTS);
  say(`disk ${disk.fault}`);
  await makeWell({ clock, service, desktop }, program);
  if (program.core !== null) unmute(program.core);
  const event = service.emit('SPY', 2);
  emitted.push(event);
  say(`emit ${event.event_id} seq ${event.seq}`);
  await clock.advance(IN_TIME);
  const id = `barograph:${event.event_id}`;
  if (![...desktop.taken.values()].some((names) => names.includes(id))) late.push(event.event_id);
  if (chance(0.5)) disk.fault = null;
}

const logWeight = ({ replaces, isRestored }: Traits): number => (isRestored ? 6 : replaces ? 2 : 0);

/** Replaces the log by one with the later events of the old: new numbers always, new ids in half of the cases. */
function replaceLog(
  { service, say }: World,
  { random, chance, upTo }: Chance,
  { isRestored }: Traits,
  gone: Set<string>,
): void {
  if (service.log.length < 2) return;
  const renames = isRestored || chance(0.5);
  const remaining = service.log.slice(-Math.ceil(service.log.length * (0.5 + random() / 2)));
  for (const event of service.log) if (!remaining.includes(event)) gone.add(origin(event.event_id));
  service.replaceLog();
  for (const [index, event] of remaining.entries())
    service.log.push(renumber(event, index + 1, renames ? `${event.event_id}r${upTo(1e6)}` : event.event_id));
  say(`another log of ${remaining.length}, ${renames ? 'new' : 'same'} ids`);
}

function renumber(event: EventEnvelope, seq: number, id: string): EventEnvelope {
  return event.event.startsWith('signal.') && 'event_id' in event.data
    ? ({ ...event, seq, event_id: id, data: { ...event.data, event_id: id } } as EventEnvelope)
    : { ...event, seq, event_id: id };
}

export function drawFrom(actions: readonly Action[], { random }: Chance): Action {
  let left = random() * actions.reduce((sum, [weight]) => sum + weight, 0);
  for (const action of actions) {
    left -= action[0];
    if (left < 0) return action;
  }
  throw new Error('no action');
}
