// Main, host: takes secrets from the environment, and hides them from output and child processes.

const SERVICE_KEY = /\bsvc_[a-z]+_[A-Za-z0-9]{4,}/g;
const HEADER = /\b(bearer|x-api-key"?:?)\s+"?[A-Za-z0-9._~+/-]{8,}=*/gi;

/** Replaces everything that looks like a key. The prefix stays, so that its kind remains visible. */
export const withoutSecrets = (text: string): string =>
  text
    .replaceAll(SERVICE_KEY, (key) => `${key.slice(0, key.lastIndexOf('_') + 1)}[hidden]`)
    .replaceAll(HEADER, '$1 [hidden]');

/** Takes BAROGRAPH_KEY out of the environment, so that no child inherits it and no output contains it. */
export const takeKeyFromEnvironment = (environment: NodeJS.ProcessEnv): string | null =>
  take(environment, 'BAROGRAPH_KEY');

/** Takes the passphrase of the vault out of the environment likewise. */
export const takePassphraseFromEnvironment = (environment: NodeJS.ProcessEnv): string | null =>
  take(environment, 'BAROGRAPH_PASSPHRASE');

function take(environment: NodeJS.ProcessEnv, name: string): string | null {
  const value = environment[name]?.trim();
  delete environment[name];
  return value === undefined || value === '' ? null : value;
}

/** The environment for a child process: without keys and without options of Node or Electron. */
export function cleanEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(BAROGRAPH_|NODE_OPTIONS$|ELECTRON_RUN_AS_NODE$)/.test(name)),
  );
}

/**
 * Cleans the environment of this process likewise: a library may start a child that inherits all of it.
 */
export function cleanOwnEnvironment(own: NodeJS.ProcessEnv): void {
  const clean = cleanEnvironment(own);
  for (const name of Object.keys(own)) if (!(name in clean)) delete own[name];
}
