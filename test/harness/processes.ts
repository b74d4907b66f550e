// Test harness: child processes: waits for their output, and ends them with the test.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const TOP = join(import.meta.dirname, '..', '..');

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunningProcess {
  readonly pid: number;
  /** All output so far, both streams in order of arrival. */
  printed(): string;
  /**
   * The first match of a line on stdout, also an earlier one.
   * @throws when the process ends or the time (ms) is over, with its output
   */
  line(pattern: RegExp, within?: number): Promise<RegExpExecArray>;
  readonly exit: Promise<Exit>;
  /**
   * Asks it to end (SIGTERM).
   * @param within ms; a command of the product takes up to three seconds on an idle machine, and other tests run
   * beside it
   * @throws when it takes longer
   */
  stop(within?: number): Promise<Exit>;
  /** Kills it and its children. */
  kill(): Promise<Exit>;
}

const STOP_MS = 15_000;

/**
 * Variables of this environment that a child inherits; others, above all keys, are passed explicitly or not
 * at all.
 */
const PASSED = [
  'PATH',
  'HOME',
  'LANG',
  'TZ',
  'TMPDIR',
  'TEMP',
  'SystemRoot',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
  'NODE_COMPILE_CACHE',
];

/** The arguments of a package.json script `node FILE ...`: tests start the same file without npm. */
export function nodeScript(name: string): string[] {
  const script: unknown = JSON.parse(readFileSync(join(TOP, 'package.json'), 'utf8')).scripts[name];
  if (typeof script !== 'string' || !script.startsWith('node '))
    throw new Error(`package.json has no script "${name}" that runs node`);
  return script.split(' ').slice(1);
}

/**
 * Runs a script of package.json to its end.
 * @throws when it fails, with its output
 */
export async function runScript(name: string, ...args: string[]): Promise<string> {
  const run = start(process.execPath, [...nodeScript(name), ...args]);
  const { code } = await run.exit;
  if (code !== 0) throw new Error(`${name} ${args.join(' ')} ended with ${code}:\n${run.printed()}`);
  return run.printed();
}

/** The environment of a child: PASSED, and `more`. */
export const environmentOf = (more: Readonly<Record<string, string>>): Record<string, string> => ({
  ...Object.fromEntries(PASSED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
  ...more,
});

/** Starts a process in a group of its own, at the top of the repository. */
export function start(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): RunningProcess {
  const child = spawn(command, args, {
    cwd: TOP,
    env: environmentOf(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const { pid } = child;
  let all = '';
  let stdout = '';
  let ended: Exit | null = null;
  const watchers = new Set<() => void>();
  const notify = () => {
    for (const watcher of [...watchers]) watcher();
  };
  child.stdout.on('data', (chunk) => {
    all += chunk;
    stdout += chunk;
    notify();
  });
  child.stderr.on('data', (chunk) => {
    all += chunk;
  });
  const exit = new Promise<Exit>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null) => {
      ended = { code, signal };
      notify();
      resolve(ended);
    };
    child.on('close', end);
    child.on('error', (problem) => {
      all += problem.message;
      end(null, null);
    });
  });
  const name = [command, ...args].join(' ');
  if (pid === undefined) throw new Error(`cannot start ${name}`);
  const signal = (which: NodeJS.Signals, target: number) => {
    try {
      process.kill(target, which);
    } catch {
      // It has ended already.
    }
  };
  return {
    pid,
    printed: () => all,
    exit,
    line(pattern, within = 60_000) {
      return new Promise((resolve, reject) => {
        const settle = (act: () => void) => {
          clearTimeout(timer);
          watchers.delete(check);
          act();
        };
        const check = () => {
          // The last segment may be incomplete.
          for (const line of stdout.split('\n').slice(0, -1)) {
            const match = pattern.exec(line);
            if (match !== null) return settle(() => resolve(match));
          }
          if (ended !== null) settle(() => reject(new Error(`${name} ended before it printed ${pattern}:\n${all}`)));
        };
        const late = () =>
          settle(() => reject(new Error(`${name} did not print ${pattern} within ${within} ms:\n${all}`)));
        const timer = setTimeout(late, within);
        watchers.add(check);
        check();
      });
    },
    async stop(within = STOP_MS) {
      const startedAt = performance.now();
      signal('SIGTERM', pid);
      const timer = setTimeout(() => signal('SIGKILL', -pid), within);
      const end = await exit;
      clearTimeout(timer);
      if (performance.now() - startedAt >= within)
        throw new Error(`${name} did not end within ${within} ms of SIGTERM:\n${all}`);
      return end;
    },
    kill() {
      signal('SIGKILL', -pid);
      return exit;
    },
  };
}

export interface ScriptResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a script of package.json to its end with `input` on standard input; its environment is PASSED and `environment`. */
export function runWithInput(
  name: string,
  args: readonly string[],
  input: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ScriptResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...nodeScript(name), ...args], {
      cwd: TOP,
      env: environmentOf(environment),
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    // A verb that is refused early does not read it.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
}
