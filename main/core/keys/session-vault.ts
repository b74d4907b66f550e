// Main, core: the key vault in memory, for one session, and the account name of a profile's key.
import { message } from '../../../shared/text/message.ts';
import type { KeyVault } from '../ports.ts';

/** Account name of a profile's service key in a vault. */
export const API_KEY_ACCOUNT = 'api-key';

/** A vault whose items end with the process. */
export function createSessionVault(): KeyVault {
  const stored = new Map<string, Map<string, string>>();
  return {
    tier: message('tier.session'),
    getPassword: async (service, account) => stored.get(service)?.get(account) ?? null,
    async setPassword(service, account, password) {
      stored.set(service, (stored.get(service) ?? new Map()).set(account, password));
    },
    deletePassword: async (service, account) => stored.get(service)?.delete(account) ?? false,
    findCredentials: async (service) =>
      [...(stored.get(service) ?? [])].map(([account, password]) => ({ account, password })),
  };
}
