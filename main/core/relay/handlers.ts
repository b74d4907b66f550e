// Main, core: the window's calls about the relay.
import { isLoopback } from '../../../client/address.ts';
import { RefusedError } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { RelayChannels, RelayView } from '../../../shared/channels/relay.ts';
import type { Clock } from '../../../shared/lib/clock.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import type { Forwarder } from './forwarder.ts';
import type { Listener } from './listener.ts';
import type { Refusals } from './refusals.ts';
import type { Registrar } from './registrar.ts';
import type { SecretStore } from './secrets.ts';
import type { RelaySettingsStore } from './settings.ts';
import { examine } from './signature-diagnostics.ts';
import { targetProblem } from './target.ts';

export interface RelayHandlerDeps {
  readonly clock: Clock;
  readonly settings: Pick<RelaySettingsStore, 'write'>;
  readonly secrets: SecretStore;
  readonly refusals: Pick<Refusals, 'delivery'>;
  readonly registrar: Pick<Registrar, 'check' | 'withdraw' | 'rotate' | 'test'>;
  readonly listener: Pick<Listener, 'listening' | 'localUrl' | 'url' | 'refresh'>;
  readonly view: { read(): RelayView; changed(): void };
  readonly lifecycle: {
    /** @throws RefusedError while the relay has no store */
    ready(): { readonly forwarder: Forwarder };
    listen(): Promise<void>;
    /** Stops listening and writes the batch. */
    close(): Promise<void>;
  };
}

export const refusal = (message: string): RefusedError => new RefusedError({ code: 'refused', message });

export function createRelayHandlers(deps: RelayHandlerDeps): Handlers<RelayChannels> {
  const { clock, settings, secrets, refusals, registrar, listener, view } = deps;
  const { ready, listen, close } = deps.lifecycle;
  return {
    'relay.read': view.read,
    'relay.reveal': () => ({ url: listener.url() ?? listener.localUrl() }),
    async 'relay.switch'({ on }) {
      ready();
      settings.write({ on });
      if (on) await listen();
      else {
        await registrar.withdraw();
        await close();
        registrar.check();
      }
      view.changed();
      return {};
    },
    'relay.public_url'({ url }) {
      ready();
      if (url !== null && !url.startsWith('https://') && !isLoopback(new URL(url).hostname))
        throw refusal('The public address must begin with https://.');
      settings.write({ publicUrl: url });
      listener.refresh();
      registrar.check();
      view.changed();
      return {};
    },
    async 'relay.secret'({ secret }) {
      ready();
      await secrets.replace(secret);
      view.changed();
      return {};
    },
    async 'relay.rotate'() {
      await withRefusal(registrar.rotate());
      view.changed();
      return {};
    },
    async 'relay.test'() {
      const outcome = await withRefusal(registrar.test());
      if (!outcome.ok) return { ok: false, message: outcome.error.message };
      const { status, error } = outcome.value;
      return error === null
        ? { ok: true, message: `The service sent its newest event, and it came through (answered ${status}).` }
        : { ok: false, message: `The service sent its newest event, and it did not come through: ${error}.` };
    },
    'relay.diagnose'({ refused }) {
      const delivery = refusals.delivery(refused);
      if (delivery === null) throw refusal('There is nothing to examine in this one.');
      const now = clock.now();
      return {
        findings: examine({
          ...delivery,
          secrets: secrets.live(now),
          retired: secrets.retired(now),
          pinned: secrets.form(),
          now,
        }),
      };
    },
    'relay.target.add'({ url, secret, filter, allow_public }) {
      const { forwarder } = ready();
      const problem = targetProblem(url, allow_public, listener.listening()?.port ?? null);
      if (problem !== null) throw refusal(problem);
      if (forwarder.targets().some((one) => one.url === url))
        throw refusal('Events are passed on to this address already. Remove it first.');
      const added = forwarder.add({ url, secret: secret ?? null, filter, allowPublic: allow_public });
      return { id: added.id, secret: added.secret };
    },
    'relay.target.remove'({ id }) {
      ready().forwarder.remove(id);
      return {};
    },
  };
}

async function withRefusal<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw refusal(messageOf(error));
  }
}
