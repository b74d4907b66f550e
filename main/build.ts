// Build: builds page, preload and the desktop shell's main process when missing or outdated.
// `node main/build.ts` builds all of them; `npm start` builds those that it is about to use.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lockFile } from './core/files/file-lock.ts';
import { exitCodeOf } from './host/command-line.ts';

export type Target = 'renderer' | 'preload' | 'main';

interface Recipe {
  readonly config: string;
  /** Files and folders that the result depends on. */
  readonly sources: readonly string[];
  /** A file that exists when the target is built. */
  readonly result: string;
}

const RECIPES: Readonly<Record<Target, Recipe>> = {
  renderer: {
    config: 'vite.config.ts',
    sources: ['renderer', 'shared', 'assets', 'package-lock.json', 'vite.config.ts'],
    result: 'renderer/index.html',
  },
  preload: {
    config: 'vite.preload.config.ts',
    sources: ['preload', 'shared', 'package-lock.json', 'vite.preload.config.ts'],
    result: 'preload/preload.cjs',
  },
  main: {
    config: 'vite.main.config.ts',
    sources: ['main', 'service', 'shared', 'package-lock.json', 'vite.main.config.ts'],
    result: 'main/entry.js',
  },
};

export const ROOT = join(import.meta.dirname, '..');
export const DIST = join(ROOT, 'dist');

const stampOf = (target: Target): string => join(DIST, `${target}.stamp`);

/** Digest of every source of the target, without tests. */
function digestOf(target: Target): string {
  const hash = createHash('sha256').update(process.versions.node);
  const add = (path: string): void => {
    if (!existsSync(join(ROOT, path))) return;
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(ROOT, path)));
  };
  for (const source of RECIPES[target].sources) {
    const path = join(ROOT, source);
    if (!existsSync(path)) continue;
    if (/\.\w+$/.test(source)) add(source);
    else
      for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }).sort(byPath))
        if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
          add(join(entry.parentPath.slice(ROOT.length + 1), entry.name));
  }
  return hash.digest('hex');
}

const byPath = (a: { parentPath: string; name: string }, b: { parentPath: string; name: string }): number =>
  join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1;

const isFresh = (target: Target): boolean =>
  existsSync(join(DIST, RECIPES[target].result)) &&
  existsSync(stampOf(target)) &&
  readFileSync(stampOf(target), 'utf8') === digestOf(target);

/**
 * Builds those of `targets` that are missing or older than their sources.
 * @param say receives one line: the built target, and the duration
 */
export async function ensureBuilt(targets: readonly Target[], say: (line: string) => void): Promise<void> {
  if (targets.every(isFresh)) return;
  const unlock = waitForTurn();
  try {
    // The previous holder of the lock may have built this target.
    for (const target of targets) if (!isFresh(target)) await buildInChildProcess(target, say);
  } finally {
    unlock();
  }
}

/**
 * Builds in a child process, because the app would keep a builder's memory for as long as it runs. The parent
 * holds the lock.
 */
async function buildInChildProcess(target: Target, say: (line: string) => void): Promise<void> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename, target]);
    say(stdout.trim());
  } catch (error) {
    // stderr holds its error message.
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw said === '' ? error : new Error(said);
  }
}

async function build(target: Target, say: (line: string) => void): Promise<void> {
  const digest = digestOf(target);
  const started = performance.now();
  const vite = await import('vite');
  const outputDir = join(DIST, target);
  const next = `${outputDir}.next`;
  // Builds into a folder beside the old one, and moves it when complete: after a failed build, or under a
  // running app, the old one stays.
  await vite.build({
    configFile: join(ROOT, RECIPES[target].config),
    logLevel: 'silent',
    build: { outDir: next, emptyOutDir: true },
  });
  rmSync(outputDir, { recursive: true, force: true });
  renameSync(next, outputDir);
  writeFileSync(stampOf(target), digest);
  say(`built ${target} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

/** Waits for the lock of this checkout, so that one build runs at a time; it ends with its process. */
function waitForTurn(): () => void {
  mkdirSync(DIST, { recursive: true });
  return lockFile(join(DIST, 'build-lock.sqlite'), 120_000);
}

if (import.meta.main) {
  process.exitCode = await exitCodeOf(
    'npm run build',
    async () => {
      const [requested] = process.argv.slice(2);
      if (requested === 'renderer' || requested === 'preload' || requested === 'main')
        await build(requested, console.log);
      else {
        waitForTurn();
        for (const target of ['renderer', 'preload', 'main'] as const) await build(target, console.error);
      }
      return 0;
    },
    console.error,
  );
}
