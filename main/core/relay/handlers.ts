// Main, core: the window's calls about the relay.

import { refused } from '../../../shared/channels/channel.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { RelayChannels, RelayView } from '../../../shared/channels/relay.ts';
import { foreignBody } from '../../../shared/settings/foreign-alerts.ts';
import { message, plainMessage } from '../../../shared/text/message.ts';
import { texts } from '../../../shared/text/texts.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { CoreContext } from '../module.ts';
import type { ActivityLog } from './activity.ts';
import type { RelayRuntime } from './runtime.ts';
import type { SecretStore } from './secrets.ts';
import type { RelayServer } from './server.ts';
import { publicAddressProblem, type RelaySettingsStore } from './settings.ts';
import { examine } from './signature-diagnostics.ts';
import { targetProblem } from './target.ts';

export interface RelayHandlerDeps {
  readonly context: CoreContext;
  readonly settings: Pick<RelaySettingsStore, 'write'>;
  readonly secrets: SecretStore;
  readonly activity: Pick<ActivityLog, 'refusedDelivery'>;
  readonly view: {
    read(): RelayView;
    /** The local address with the secret path; null while the relay does not listen. */
    address(): string | null;
    changed(): void;
  };
  /** @throws RefusedError while the relay has no store */
  readonly ready: () => Pick<RelayRuntime, 'forwarder' | 'listener' | 'registrar' | 'listen' | 'close' | 'lastInbound'>;
  /** null: this program cannot listen. */
  readonly server: Pick<RelayServer, 'post'> | null;
}

export function createRelayHandlers(deps: RelayHandlerDeps): Handlers<RelayChannels> {
  const { settings, secrets, activity, view, ready } = deps;
  const { clock } = deps.context.guard;
  return {
    ...createInboundHandlers(deps),
    ...createTargetHandlers(deps),
    'relay.read': view.read,
    'relay.reveal': () => ({ url: view.address() }),
    async 'relay.switch'({ on }) {
      const { registrar, listen, close } = ready();
      settings.write({ on });
      if (on) await listen();
      else {
        // Deletes the subscription; where that fails, later checks do.
        await registrar.check();
        await close();
      }
      view.changed();
      return {};
    },
    'relay.public_url'({ url }) {
      const { registrar, listener } = ready();
      const problem = url === null ? null : publicAddressProblem(url);
      if (problem !== null) throw refused(problem);
      settings.write({ publicUrl: url });
      listener.refresh();
      void registrar.check();
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
      await ready().registrar.rotate();
      view.changed();
      return {};
    },
    async 'relay.test'() {
      const outcome = await ready().registrar.test();
      if (!outcome.ok) return { ok: false, message: plainMessage(outcome.error.message) };
      const { status, error } = outcome.value;
      return error === null
        ? { ok: true, message: message('relay.test_arrived', { status }) }
        : { ok: false, message: message('relay.test_failed', { error }) };
    },
    'relay.diagnose'({ refused: id }) {
      const delivery = activity.refusedDelivery(id);
      if (delivery === null) throw refused(message('relay.not_examinable'));
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
  };
}

type InboundChannel = Extract<keyof RelayChannels, `relay.inbound.${string}`>;

/** The calls about the address at which other programs send their alerts. */
function createInboundHandlers(deps: RelayHandlerDeps): Handlers<Pick<RelayChannels, InboundChannel>> {
  const { settings, secrets, view, ready, server } = deps;
  const { clock } = deps.context.guard;
  return {
    'relay.inbound.reveal': () => ({ url: ready().listener.inboundUrl() }),
    'relay.inbound.last': () => ({ body: ready().lastInbound()?.body ?? null }),
    async 'relay.inbound.rotate'() {
      ready();
      await secrets.rotateInbound();
      view.changed();
      return {};
    },
    'relay.inbound.mapping'(mapping) {
      settings.write({ mapping });
      view.changed();
      return {};
    },
    async 'relay.inbound.test'() {
      const { listener } = ready();
      const url = listener.inboundUrl('here');
      if (server === null || url === null) return { ok: false, message: message('relay.cannot_listen') };
      const { error } = await server.post({
        url,
        headers: {},
        body: testBody(view.read(), clock.now()),
        allowPublic: false,
      });
      return error === null
        ? { ok: true, message: message('relay.inbound_arrived') }
        : { ok: false, message: message('relay.test_failed', { error }) };
    },
  };
}

type TargetChannel = Extract<keyof RelayChannels, `relay.target.${string}`>;

/** The calls about the programs to which events are forwarded. */
function createTargetHandlers({ view, ready }: RelayHandlerDeps): Handlers<Pick<RelayChannels, TargetChannel>> {
  return {
    'relay.target.add'({ url, secret, filter, allow_public }) {
      const { forwarder, listener } = ready();
      const problem = targetProblem(url, allow_public, listener.listening()?.port ?? null);
      if (problem !== null) throw refused(problem);
      if (forwarder.targets().some((one) => one.url === url)) throw refused(message('target.duplicate'));
      const added = forwarder.add({ url, secret: secret ?? null, filter, allowPublic: allow_public });
      view.changed();
      return { id: added.id, secret: added.secret };
    },
    'relay.target.remove'({ id }) {
      ready().forwarder.remove(id);
      view.changed();
      return {};
    },
  };
}

/** An alert that says that it is a test; with the time, because a repeat within a minute is one alert. */
function testBody({ inbound: { mapping } }: RelayView, now: number): string {
  const { title, text } = texts.foreign.test;
  return foreignBody(mapping, { title, text: text(timestamp(now)), severity: 'high' });
}
