// Main, core: secrets of this run: how they come in, where they are kept for one session, and how they are kept out of everything that is written.
import type { KeyVault } from '../ports.ts';

const SERVICE_KEY = /\bsvc_[a-z]+_[A-Za-z0-9]{4,}/g;
const HEADER = /\b(bearer|x-api-key"?:?)\s+"?[A-Za-z0-9._~+/-]{8,}=*/gi;

/** The text with everything that looks like a key replaced. The prefix stays, so that one still sees which kind it was. */
export const withoutSecrets = (text: string): string =>
  text
    .replaceAll(SERVICE_KEY, (key) => `${key.slice(0, key.lastIndexOf('_') + 1)}[hidden]`)
    .replaceAll(HEADER, '$1 [hidden]');

/** Account name of a profile's service key in a vault. */
export const API_KEY_ACCOUNT = 'api-key';

/** Takes BAROGRAPH_KEY out of the environment, so that no child inherits it and nothing prints it. */
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

/** What a child process may inherit: the environment without keys and without what steers Node or Electron from outside. */
export function cleanEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(BAROGRAPH_|NODE_OPTIONS$|ELECTRON_RUN_AS_NODE$)/.test(name)),
  );
}

/** A vault that forgets everything when the process ends, and says so. */
export function createSessionVault(): KeyVault {
  const stored = new Map<string, Map<string, string>>();
  return {
    tier: 'this session only',
    getPassword: async (service, account) => stored.get(service)?.get(account) ?? null,
    async setPassword(service, account, password) {
      stored.set(service, (stored.get(service) ?? new Map()).set(account, password));
    },
    deletePassword: async (service, account) => stored.get(service)?.delete(account) ?? false,
    findCredentials: async (service) =>
      [...(stored.get(service) ?? [])].map(([account, password]) => ({ account, password })),
  };
}
