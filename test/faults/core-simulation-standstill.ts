// Faults: the service answers for minutes and does not go on: its clock stands, or its decisions are overdue.
import type { EventEnvelope } from '../../shared/wire/events.ts';
import type { Program, World } from './core-simulation-program.ts';
import type { Chance } from './core-simulation-random.ts';
import { unmute } from './core-simulation-user.ts';

/** Longer than the core takes to catch up, and than any hold time or batch, ms. */
export const IN_TIME = 65_000;

/** Longer than it takes until a decision is overdue, and until an outage is notified, ms. */
const NOTIFIED_WITHIN = 7 * 60_000;
/** The last proven instant may be as much earlier: the time between two questions, or to the next decision, ms. */
const PROVEN_WITHIN = 70_000;

/** Everything else is well: the outage must be on the desktop and on the indicators, with a gap from its beginning. */
export async function standStill(
  world: World,
  { chance, pick }: Chance,
  program: Program,
  clockRuns: boolean,
  emitted: EventEnvelope[],
  untold: string[],
): Promise<void> {
  const { clock, service, disk, desktop, say } = world;
  disk.fault = null;
  await makeWell(world, program);
  // What the core reads again from the oldest event takes longer, and is an outage of its own.
  if (program.core === null || (await connectionOf(program)).outage !== null) return;
  const began = clock.now() + service.worldOffset;
  const before = new Set(desktop.titles.keys());
  service.stand(clockRuns);
  say(clockRuns ? 'the service decides nothing' : 'the clock of the service stands');
  const event = service.emit(pick(['SPY', 'QQQ']), 2);
  emitted.push(event);
  say(`emit ${event.event_id} seq ${event.seq}`);
  await clock.advance(NOTIFIED_WITHIN);
  const { indicators, outage } = await connectionOf(program);
  const gaps = (await program.core.handlers['state.snapshot']({})).gaps.filter(({ closed }) => !closed);
  const told = [...desktop.titles].some(
    ([id, title]) => id.startsWith('barograph:outage:') && !before.has(id) && title.includes('Not receiving data'),
  );
  const at = `at ${new Date(began).toISOString()}`;
  if (outage === null) untold.push(`an outage ${at}`);
  if (!told) untold.push(`a notification of the outage ${at}`);
  if (Object.values(indicators).some(({ state }) => state === 'ok')) untold.push(`an indicator ${at}`);
  if (!gaps.some(({ from }) => Math.abs(Date.parse(from) - began) <= PROVEN_WITHIN)) untold.push(`a gap ${at}`);
  service.goOn();
  await clock.advance(chance(0.5) ? 60_000 : 0);
}

const connectionOf = async ({ core }: Program) => {
  if (core === null) throw new Error('the core does not run');
  return (await core.handlers['state.snapshot']({})).connection;
};

/** Ends every other fault, and lets the core catch up. */
export async function makeWell(
  { clock, service, desktop }: Pick<World, 'clock' | 'service' | 'desktop'>,
  program: Program,
): Promise<void> {
  Object.assign(service, { fault: null, deaf: false, mute: false });
  desktop.mood = 'well';
  program.killAfter(Number.POSITIVE_INFINITY);
  if (program.core === null) await program.start();
  program.core?.wake('resume');
  if (program.core !== null) unmute(program.core);
  await clock.advance(IN_TIME);
}
