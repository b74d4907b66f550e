// Faults: one life of a core under a seed, in one thread on a manual clock.
// The service is behind a bad network, the notifier is unreliable, and any port call may kill the program.
// The property: no High Risk of a watched symbol missed, none notified twice.
import { channels } from '../../shared/channels/channels.ts';
import { optionalText } from '../../shared/text/message.ts';
import { createManualClock } from '../harness/manual-clock.ts';
import { createWireService } from '../harness/wire-service.ts';
import { createHappenings, drawFrom, writePast } from './core-simulation-actions.ts';
import { createDesktop } from './core-simulation-desktop.ts';
import { createDisk } from './core-simulation-disk.ts';
import { createMutation, MUTANTS, type MutantName } from './core-simulation-mutants.ts';
import { evaluateLife, eventOf, isAboutNoEvent, type LifeFindings } from './core-simulation-oracle.ts';
import { createSimulatedPrices, withPriceRule } from './core-simulation-prices.ts';
import { createProgram, type Program, type World } from './core-simulation-program.ts';
import { createChance, settingsFrom } from './core-simulation-random.ts';
import { removedByRetention, watchSettled, withRetention } from './core-simulation-retention.ts';
import { OWN_SYMBOL, settingsInFile, settingsInMemory } from './core-simulation-settings.ts';
import { unmute, wholeInbox } from './core-simulation-user.ts';

export interface LifeReport {
  readonly seed: number;
  readonly missed: readonly string[];
  readonly doubled: readonly string[];
  readonly kills: number;
  readonly notified: number;
  readonly trace: readonly string[];
}

export interface LifeOptions {
  readonly steps?: number;
  /** The service often replaces its log, with new ids. Default: where the mutant needs it. */
  readonly isRestored?: boolean;
}

const WATCHED = ['SPY', 'QQQ', 'IWM', 'AAPL'];

/** Longer than any wait of the core before it tries again, and than any batching of alerts, ms. */
const HEALING = 65_000;

/** Longer than the core's longest wait after a refusal, ms. */
const HEALING_FROM_REFUSALS = 480_000;

/** @param mutant names the removed safeguard; null: none is removed */
export async function liveOnce(
  seed: number,
  mutant: MutantName | null = null,
  { steps = 40, isRestored = isRestoredFor(mutant) }: LifeOptions = {},
): Promise<LifeReport> {
  const chances = createChance(seed);
  const { chance, upTo } = chances;
  const clock = createManualClock();
  const trace: string[] = [];
  const say = (what: string): void => void trace.push(`${new Date(clock.now()).toISOString()} ${what}`);
  const replaces = isRestored || chance(0.3);
  // By the seed, which draws nothing: every other life stays as it is without refusals.
  const refuses = seed % 3 === 0;
  const hasImpostor = seed % 4 === 2;
  const hasBadDisk = seed % 4 === 1;
  const losesLedger = seed % 7 === 2 && !replaces && !hasBadDisk;
  const hasPast = !replaces && chance(0.3);
  // Not where the log is replaced: without a symbol or a true date nothing but its id identifies an event. Nor where
  // it is long: during its first reading an old date is its past. Nor where the ledger is lost: it knows the ids.
  const isOdd = !replaces && !hasPast && !losesLedger && seed % 5 === 2;
  // Not where the ledger is lost, which alone knows what it removed; nor with odd events, whose dates say nothing.
  const prunes = seed % 11 === 10 && !losesLedger && !isOdd;
  const damagesSettings = seed % 11 === 5;
  // Nothing is proven there, so neither clocks nor logs may lead it back in time, and without numbers no two transitions
  // share a second.
  const isToTheLetter = seed % 13 === 12 && !replaces && !hasPast && !losesLedger && !prunes && !isOdd;
  // Not where the ledger is lost: the side on which the price was is lost with it.
  const hasPrices = seed % 5 === 3 && !losesLedger && !damagesSettings && !prunes && !isToTheLetter;
  // Not where the desktop's history alone tells what was notified.
  const stands = seed % 6 === 4 && !losesLedger;
  const traits = {
    isOdd,
    stands,
    isRestored,
    replaces,
    refuses,
    hasImpostor,
    hasBadDisk,
    losesLedger,
    hasPast,
    prunes,
    damagesSettings,
    isToTheLetter,
  };
  const mutation = createMutation(mutant);
  const disk = createDisk(mutation);
  const chosen = settingsFrom(seed, chances, losesLedger || prunes || damagesSettings);
  const initial = hasPrices ? withPriceRule(chosen) : chosen;
  const file = damagesSettings ? settingsInFile(disk.folder, initial, WATCHED, mutation) : null;
  const settings = file ?? settingsInMemory(prunes ? withRetention(initial) : initial);
  const world: World = {
    clock,
    service: createWireService(clock),
    disk,
    desktop: createDesktop(clock, say),
    mutation,
    settings,
    random: chances.random,
    say,
  };
  world.service.hasEventLog = !isToTheLetter;
  const prices = hasPrices ? createSimulatedPrices(world) : null;
  const program = createProgram(world, { keepsRecord: losesLedger, prunes });
  const settled = watchSettled(world, program.lostMemory);
  try {
    if (traits.hasPast) writePast(world, chances);
    const past = [...world.service.log];
    await program.start();
    await clock.advance(1_000);
    const { actions, emitted, gone, late, leaked, untold, acknowledged } = createHappenings(
      world,
      chances,
      program,
      traits,
      file?.path ?? null,
    );
    const all: typeof actions = prices === null ? actions : [...actions, [4, 'price', prices.move]];
    for (let step = 0; step < steps; step += 1) {
      const [, name, act] = drawFrom(all, chances);
      say(name);
      await act();
      if (replaces || prunes || isToTheLetter) await clock.advance(1_100);
      await clock.advance(chance(0.5) ? upTo(500) : upTo(30_000));
      if (program.core === null && chance(0.6)) await program.start();
      if (prunes) settled.check();
    }
    const stillLost = await heal(world, program, refuses || hasImpostor);
    const ofPrices = (await prices?.check(program)) ?? { missed: [], doubled: [] };
    const { taken, titles } = world.desktop;
    const lost = program.lostMemory;
    const unwritten = losesLedger ? [] : unrecorded(world, lost, prunes);
    const removed = removedByRetention(world, acknowledged);
    const findings = evaluate(program, {
      emitted,
      past,
      notifiesPast: !losesLedger && !damagesSettings,
      watched: damagesSettings ? [...WATCHED, OWN_SYMBOL] : WATCHED,
      taken,
      titles,
      gone,
      lost,
      removed,
    });
    const unreadable = unreadableSnapshot(program);
    const ofRestart = (await prices?.checkRestart(program)) ?? { missed: [], doubled: [] };
    await program.core?.stop();
    const broken = [
      ...late.map((id) => `${id} in time`),
      ...untold.map((what) => `not said: ${what}`),
      ...world.desktop.forgotten.flatMap(({ id, name }) =>
        lost.has(name) || removed.has(eventOf(name)) ? [] : [`${name} is no longer named by ${id}`],
      ),
      ...leaked.map((path) => `the key went to another program: ${path}`),
    ];
    const missed = [
      ...findings.missed,
      ...stillLost,
      ...unwritten,
      ...unreadable,
      ...broken,
      ...ofPrices.missed,
      ...ofRestart.missed,
    ];
    const doubled = [...findings.doubled, ...settled.again, ...ofPrices.doubled, ...ofRestart.doubled];
    return { seed, ...findings, missed, doubled, kills: program.kills, notified: taken.size, trace };
  } finally {
    program.end();
    world.disk.remove();
  }
}

/** What the desktop took and the ledger does not have, or has as open. */
function unrecorded({ desktop, disk }: World, lost: ReadonlySet<string>, mayBeRemoved: boolean): string[] {
  const ledger = disk.ledger();
  return [...desktop.taken.keys()]
    .filter(
      (id) =>
        !isAboutNoEvent(id) &&
        !lost.has(id) &&
        !isSettled(ledger?.notifications.find(id)?.outcome ?? (mayBeRemoved ? 'shown' : undefined)),
    )
    .map((id) => `${id} in the ledger`);
}

/** What is written can be read: the snapshot that every window gets. */
function unreadableSnapshot({ core }: Program): string[] {
  if (core === null) return [];
  const read = channels['state.snapshot'].output.safeParse(core.handlers['state.snapshot']({}));
  return read.success ? [] : [`no window opens: ${read.error.message}`];
}

const isSettled = (outcome: string | undefined): boolean => outcome === 'shown' || outcome === 'in_app';

const isRestoredFor = (mutant: MutantName | null): boolean => mutant !== null && MUTANTS[mutant].isRestored === true;

/**
 * Ends all faults, mutes and hours, and lets the core catch up, over a restart too.
 * @returns why the core still receives nothing before that restart, after a service that refused it
 */
async function heal(
  { clock, service, disk, desktop, say }: World,
  program: Program,
  refuses: boolean,
): Promise<string[]> {
  say('everything heals');
  Object.assign(service, { fault: null, deaf: false, mute: false });
  service.goOn();
  desktop.mood = 'well';
  program.killAfter(Number.POSITIVE_INFINITY);
  disk.fault = null;
  if (program.core === null) await program.start();
  if (program.core === null) throw new Error('the core did not start');
  const { handlers } = program.core;
  unmute(program.core);
  await clock.advance(HEALING);
  if (refuses) await clock.advance(HEALING_FROM_REFUSALS);
  const { outage } = (await handlers['state.snapshot']({})).connection;
  const stillLost = refuses && outage !== null ? [`no data: ${optionalText(outage.cause)}`] : [];
  // The next start gives up what hangs in the notifier.
  await program.stop();
  await program.start();
  await clock.advance(HEALING);
  return stillLost;
}

type Happened = Omit<Parameters<typeof evaluateLife>[0], 'inbox'>;

function evaluate({ core }: Program, happened: Happened): LifeFindings {
  const findings = evaluateLife({ ...happened, inbox: new Map() });
  if (findings.missed.length === 0 || core === null) return findings;
  // Reading the inbox takes longer than many a life, and only tells why a missed event was suppressed.
  const inbox = wholeInbox(core).map((row) => [row.alert.transition.event_id, row] as const);
  return evaluateLife({ ...happened, inbox: new Map(inbox) });
}
