// Faults: lives with a rule on a price that falls and rises again under every other fault.
// The property: a fall is notified at most once. After all faults have ended one is notified exactly once, and so is one
// that came while the program did not run.
import type { Settings } from '../../main/core/profiles/settings.ts';
import { DEFAULT_RULE, type Rule } from '../../shared/settings/alert-rules.ts';
import { isPriceName } from './core-simulation-oracle.ts';
import type { Program, World } from './core-simulation-program.ts';

const LEVEL = 100;
const ABOVE = 110;
const SYMBOL = 'SPY';
/** Longer than two polls and any batching of notifications, ms. */
const SETTLE = 65_000;

const RULE: Rule = {
  ...DEFAULT_RULE,
  id: 'dip',
  name: 'Dip',
  events: ['price.crossed'],
  min_state: 0,
  price: { kind: 'level', direction: 'below', level: LEVEL },
};

export const withPriceRule = (settings: Settings): Settings => ({
  ...settings,
  alerting: { ...settings.alerting, rules: [...settings.alerting.rules, RULE] },
});

export interface SimulatedPrices {
  /** Falls below the level, or rises far above it. */
  move(): void;
  /** Call it when all faults have ended. */
  check(program: Pick<Program, 'lostMemory'>): Promise<PriceFindings>;
  /** The same for a fall over a restart. */
  checkRestart(program: Pick<Program, 'start' | 'stop' | 'lostMemory'>): Promise<PriceFindings>;
}

interface PriceFindings {
  readonly missed: string[];
  readonly doubled: string[];
}

export function createSimulatedPrices({ clock, service, desktop, say }: World): SimulatedPrices {
  let isBelow = false;
  let falls = 0;
  const set = (below: boolean): void => {
    isBelow = below;
    if (below) falls += 1;
    // Each fall has a price of its own.
    const price = below ? LEVEL - falls / 100 : ABOVE;
    service.prices.set(SYMBOL, { price });
    say(`the price is ${price}`);
  };
  set(false);
  /** @param lost a fall that a ledger in memory had, which ended with its program, may be notified again */
  const notified = (lost: ReadonlySet<string>): string[] => [
    ...new Set(
      [...desktop.taken.values()].flat().filter((id) => isPriceName(id.replace(/^barograph:/, '')) && !lost.has(id)),
    ),
  ];
  /** @param fall with which the price falls once */
  const checkFall = async (lost: ReadonlySet<string>, fall: () => Promise<void>): Promise<PriceFindings> => {
    set(false);
    await clock.advance(SETTLE);
    const before = notified(lost).length;
    await fall();
    await clock.advance(SETTLE);
    const all = notified(lost);
    const last = all.length - before;
    return {
      missed: last === 0 ? [`fall ${falls} of the price`] : [],
      doubled: all.length > falls || last > 1 ? [`${all.length} notifications of ${falls} falls of the price`] : [],
    };
  };
  return {
    move: () => set(!isBelow),
    check: ({ lostMemory }) => checkFall(lostMemory, async () => set(true)),
    checkRestart: (program) =>
      checkFall(program.lostMemory, async () => {
        await program.stop();
        set(true);
        await program.start();
      }),
  };
}
