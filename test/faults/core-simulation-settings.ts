// Faults: the settings of a simulated life, in memory or in a real file, which is damaged.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SettingsStore } from '../../main/core/ports.ts';
import type { Settings } from '../../main/core/profiles/settings.ts';
import { createSettingsStore, readSettingsFile, settingsPath } from '../../main/host/settings-store.ts';
import { type Mutation, SETTINGS_FOLDER } from './core-simulation-mutants.ts';
import type { Program, SimulatedSettings, World } from './core-simulation-program.ts';
import type { Chance } from './core-simulation-random.ts';

/** A symbol that only the user's own list has: the default would not notify it. */
export const OWN_SYMBOL = 'ZZZ';

export function settingsInMemory(initial: Settings): SimulatedSettings {
  let settings = initial;
  const store: SettingsStore = {
    read: () => settings,
    change(job) {
      settings = job(settings);
    },
  };
  return { open: () => store };
}

/** In the folder of the life, with the user's own list. */
export function settingsInFile(folder: string, initial: Settings, symbols: readonly string[], mutation: Mutation) {
  const dataFolder = join(folder, SETTINGS_FOLDER);
  for (const { name } of initial.profiles) mkdirSync(join(dataFolder, 'profiles', name), { recursive: true });
  const path = settingsPath(dataFolder);
  const sections = [{ name: 'Core', symbols: [...symbols, OWN_SYMBOL] }];
  writeFileSync(path, JSON.stringify({ ...initial, watchlists: [{ id: 'mine', name: 'Mine', sections }] }));
  const open = (): SettingsStore => {
    const store = createSettingsStore(dataFolder, () => undefined);
    return mutation.settings(store, () => readSettingsFile(path).status === 'valid');
  };
  // Before the first damage the program has read it once.
  open().read();
  return { open, path };
}

type Damage = (text: string, chances: Chance) => string | null;

/** Each leaves the file so that its text is not what the user wrote; null: removed. */
const DAMAGES: Readonly<Record<string, Damage>> = {
  truncated: (text, { upTo }) => text.slice(0, upTo(text.length)),
  emptied: () => '',
  removed: () => null,
  'half written': (text, { upTo }) => text.slice(upTo(text.length)) + text.slice(0, 9),
  zeroes: (text) => '\u0000'.repeat(text.length),
  'unknown key': (text) => text.replace('{', '{"later":{"a":1},'),
  'newer version': (text) => text.replace(/"version":\s*\d+/, '"version":99'),
  'one bad symbol': (text) => text.replace(/"symbols":\s*\[/, '"symbols":["brk b!",'),
};

/** Damages the file, while the program runs or not; the text that was there comes back at times. */
export function damageSettings(
  { say }: World,
  chances: Chance,
  program: Program,
  path: string,
): readonly (readonly [number, string, () => unknown])[] {
  let whole: string | null = null;
  const damage = async (): Promise<void> => {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (readSettingsFile(path).status === 'valid') whole = text;
    const [first = '', ...others] = Object.keys(DAMAGES);
    const kind = chances.pick([first, ...others]);
    const next = DAMAGES[kind]?.(text, chances) ?? null;
    if (next === null) rmSync(path, { force: true });
    else writeFileSync(path, next);
    say(`settings ${kind}`);
    const end = chances.random();
    if (end < 0.3) await program.stop();
    else if (end < 0.5) program.kill();
  };
  const mend = (): void => {
    if (whole !== null) writeFileSync(path, whole);
  };
  return [
    [6, 'settings damaged', damage],
    [2, 'settings mended', mend],
  ];
}
