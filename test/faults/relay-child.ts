// Test child: a core that receives events by webhook alone, in a process that the test kills.
// Arguments: FOLDER PATH SECRET MODE, where MODE is when it kills itself (SIGKILL): `received` before it
// reads a delivery, `stored` when it has written and not answered it, `never`. Prints `ready PORT`, and
// `notified NAME under ID` for every event that a notification names.

import { createSessionVault } from '../../main/core/keys/session-vault.ts';
import { createMonitor } from '../../main/core/monitor.ts';
import { DEFAULT_SETTINGS } from '../../main/core/profiles/settings.ts';
import { RELAY_ACCOUNT } from '../../main/core/relay/secrets.ts';
import type { RelayServer } from '../../main/core/relay/server.ts';
import { openRelayServer } from '../../main/host/relay-server.ts';
import { systemClock } from '../../main/host/system-clock.ts';
import { plainMessage } from '../../shared/text/message.ts';

const [folder = '', path = '', secret = '', mode = 'never'] = process.argv.slice(2);
const [first] = DEFAULT_SETTINGS.profiles;
if (first === undefined) throw new Error('no profile');
const profile = { ...first, relay: { on: true, port: 0, publicUrl: null } };

const die = (when: string): void => {
  if (mode === when) process.kill(process.pid, 'SIGKILL');
};
const server = openRelayServer(systemClock);
const mortal: RelayServer = {
  ...server,
  listen: (options) =>
    server.listen({
      ...options,
      async receive(headers, body) {
        die('received');
        const answer = await options.receive(headers, body);
        die('stored');
        return answer;
      },
    }),
};
const vault = createSessionVault();
await vault.setPassword(
  profile.name,
  RELAY_ACCOUNT,
  JSON.stringify({ path, current: secret, previous: null, changedOver: null, form: null }),
);
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const core = createMonitor({
  ports: {
    clock: systemClock,
    random: Math.random,
    fetch: () => Promise.reject(new TypeError('fetch failed')),
    vault,
    notifier: {
      async show({ id, names = [id] }) {
        for (const name of names) console.log(`notified ${name} under ${id}`);
        return { tier: 'system', detail: plainMessage('') };
      },
      status: () => ({ tier: 'system', detail: plainMessage('') }),
    },
    logger: quiet,
    settings: { read: () => ({ ...DEFAULT_SETTINGS, profiles: [profile] }), change: () => undefined },
    host: { relay: mortal },
  },
  folder,
  profile,
  service: { baseUrl: 'http://127.0.0.1:1', key: null },
  label: plainMessage(''),
});
await core.start();
await core.relay.start();
console.log(`ready ${new URL(core.relay.view().listening?.address ?? '').port}`);
