// Main, core: the relay, the third inlet: webhooks that arrive on this computer go into the same ledger as stream and back-fill, and from there on to
// local programs. This puts its parts together.
import { randomBytes } from 'node:crypto';
import { isLoopback } from '../../../client/address.ts';
import type { Client } from '../../../client/client.ts';
import type { ServiceProblem } from '../../../client/problem.ts';
import type { Handlers } from '../../../shared/channels/ends.ts';
import type { Arrival, Refused, RelayChannels, RelayFace } from '../../../shared/channels/relay.ts';
import { type Cancel, every } from '../../../shared/lib/clock.ts';
import { messageOf, type Result } from '../../../shared/lib/result.ts';
import { timestamp } from '../../../shared/wire/primitives.ts';
import type { ReceivedEvent } from '../dialect/received-event.ts';
import type { Guard } from '../guard.ts';
import type { Cursor } from '../ledger/cursor.ts';
import type { EntryRow } from '../ledger/entries.ts';
import type { Ingested } from '../ledger/ledger.ts';
import type { Ports } from '../ports.ts';
import type { Profile } from '../profiles/settings.ts';
import type { WorldClock } from '../state/world-clock.ts';
import { confirmAside } from './aside.ts';
import type { Receipt, RelayDoor } from './door.ts';
import { createFaceReader } from './face.ts';
import { createForwarder, type Forwarder } from './forwarder.ts';
import { createRelayHandlers, refusal } from './handlers.ts';
import { CANNOT_LISTEN, createListener } from './listener.ts';
import { createOvertaken } from './overtaken.ts';
import { createReception, type Reception } from './reception.ts';
import { createRefusals } from './refusals.ts';
import { createRegistrar, type Repeated } from './registrar.ts';
import { createSecretBook } from './secrets.ts';
import { createRelaySettings } from './settings.ts';
import { standardHeaders } from './sign.ts';
import { openRelayStore, type RelayStore } from './store.ts';

/** What happened at the relay, as it happens, for whoever prints it. */
export type RelayNews =
  | { readonly kind: 'arrived'; readonly arrival: Arrival }
  | { readonly kind: 'refused'; readonly refused: Refused }
  | {
      readonly kind: 'sent';
      readonly url: string;
      readonly eventId: string;
      readonly status: number | null;
      readonly error: string | null;
    };

export interface Relay {
  /** Begins once; whoever calls again waits for the same. */
  start(): Promise<void>;
  /** Ends listening, writes what is gathered. @param forGood the service ends with this program: it is told to deliver no more */
  stop(forGood: boolean): Promise<void>;
  /** The ledger has grown. */
  kick(): void;
  /** The service may be asked. */
  trusted(): void;
  face(): RelayFace;
  /** The address that the service delivers to, secret path and all; null while there is none. Not for windows. */
  ownUrl(): string | null;
  watch(listener: (news: RelayNews) => void): Cancel;
  /** Ledger id up to which a terminal has shown the ledger; kept over restarts. */
  readonly printed: { get(): number; set(ledgerId: number): void };
  readonly handlers: Handlers<RelayChannels>;
  /** The service sends its newest event once more. Rejects, in words for the user, where it does not deliver here. */
  repeat(): Promise<Result<Repeated, ServiceProblem>>;
  /** A test event, signed with the secret that is kept here, on its way through the own port; null where nothing listens or there is no secret. */
  sendToItself(eventId: string, body: string): Promise<Receipt | null>;
}

export interface RelayOptions extends Pick<Ports, 'random' | 'logger' | 'vault' | 'settings' | 'folder'> {
  /** null: this program cannot listen; the relay stands still. */
  readonly door: RelayDoor | null;
  readonly guard: Guard;
  readonly profile: Profile;
  readonly serviceUrl: string;
  readonly client: Pick<Client, 'read' | 'page'>;
  readonly ledger: {
    highest(): number;
    after(ledgerId: number, limit: number): EntryRow[];
    isKnown(eventId: string): boolean;
    cursor(): Cursor;
    /** Something is missing before what arrived. */
    holds(): boolean;
  };
  readonly world: WorldClock;
  readonly ingest: (events: readonly ReceivedEvent[]) => Ingested;
  readonly mayAsk: () => boolean;
  readonly catchUp: () => void;
  readonly ledgerFailed: (words: string) => void;
  readonly onChanged: (face: RelayFace) => void;
}

const SHOWN = 50;
/** How often the subscription is looked at, ms. In production a call counts against the quota, and the other inlets see meanwhile. */
const LOOK = { sandbox: 10_000, production: 900_000 };
/** Between two rounds of asking for what was kept aside, ms; a call for each. */
const CONFIRM = { sandbox: 60_000, production: 3_600_000 };
/** What was settled is remembered this long: as long as ids are unique, ms. */
const KEPT = 30 * 24 * 3_600_000;
/** The service is given this long to hear that it must deliver no more, ms: what the time for an end leaves beside the notifications under way. */
const WITHDRAW_LIMIT = 900;

export function createRelay(options: RelayOptions): Relay {
  const { door, guard, random, logger, profile, client, ledger, world, folder } = options;
  const { clock } = guard;
  const reachable = isLoopback(URL.parse(options.serviceUrl)?.hostname ?? '');
  const settings = createRelaySettings(options.settings, profile, reachable);
  const secrets = createSecretBook(options.vault, profile.name, (problem) =>
    logger.info({ problem }, 'the secret of the relay lasts for this run only'),
  );
  const hearers = new Set<(news: RelayNews) => void>();
  const refusals = createRefusals(clock);
  let arrivals: Arrival[] = [];
  let parts: { store: RelayStore; forwarder: Forwarder; reception: Reception } | null = null;
  let trouble: string | null = door === null ? CANNOT_LISTEN : null;
  let cancels: Cancel[] = [];
  let isStopped = false;

  const face = createFaceReader({
    clock,
    settings,
    secrets,
    refusals,
    reachable,
    now: () => ({
      listening: listener.listening(),
      problem: trouble,
      registration: registrar.face(),
      arrivals,
      keptAside: parts?.store.countAside() ?? 0,
      targets: parts?.forwarder.targets() ?? [],
    }),
    onChanged: options.onChanged,
  });
  const tell = (news: RelayNews): void => {
    for (const hear of hearers) guard.run(() => hear(news));
    face.changed();
  };
  const noted = {
    ...refusals,
    note: (...note: Parameters<typeof refusals.note>) => {
      const refused = refusals.note(...note);
      tell({ kind: 'refused', refused });
      return refused;
    },
  };

  const listener = createListener({
    door,
    settings,
    secrets,
    logger,
    reachable,
    onRefused: noted.note,
  });
  const registrar = createRegistrar({
    client,
    guard,
    random,
    cadence: LOOK[profile.environment],
    secrets,
    store: {
      fact: (name) => parts?.store.fact(name) ?? null,
      setFact: (name, value) => parts?.store.setFact(name, value),
    },
    url: listener.url,
    isOn: () => listener.listening() !== null,
    isWanted: () => settings.read().on,
    mayAsk: options.mayAsk,
    onChanged: face.changed,
  });
  const overtaken = createOvertaken({ clock, ledger, catchUp: options.catchUp });
  const ingest = (events: readonly ReceivedEvent[]): Ingested => {
    const ingested = options.ingest(events);
    if (ingested.replaced) options.catchUp();
    else if (ingested.holds && !isStopped) overtaken.arm();
    return ingested;
  };
  const confirm = async (): Promise<void> => {
    if (parts === null || !options.mayAsk() || parts.store.countAside() === 0) return;
    const settled = await confirmAside({
      store: parts.store,
      read: parts.reception.read,
      client,
      isKnown: ledger.isKnown,
      ingest,
    });
    if (settled > 0) face.changed();
  };

  const open = (outwards: Pick<RelayDoor, 'post'>): NonNullable<typeof parts> => {
    const store = openRelayStore(folder, timestamp(clock.now()), (line) => logger.error({}, line));
    const name = store.fact('name') ?? randomBytes(9).toString('base64url');
    store.setFact('name', name);
    store.prune(clock.now() - KEPT);
    // The ledger was lost and is filled again.
    if (Number(store.fact('printed') ?? 0) > ledger.highest()) store.setFact('printed', null);
    const forwarder = createForwarder({
      store,
      door: outwards,
      guard,
      random,
      ledger,
      world: world.now,
      name,
      onSent: (sent) => tell({ kind: 'sent', ...sent }),
      onChanged: face.changed,
    });
    const reception = createReception({
      clock,
      secrets,
      refusals: noted,
      store,
      name,
      world: () => (world.isKnown() ? { now: world.now(), speed: world.face().speed } : null),
      isKnown: ledger.isKnown,
      ingest,
      onLedgerFailed: options.ledgerFailed,
      onArrival(arrival) {
        arrivals = [arrival, ...arrivals].slice(0, SHOWN);
        tell({ kind: 'arrived', arrival });
      },
      onAside() {
        options.catchUp();
        guard.go(confirm());
      },
      onFault: (problem) => logger.error({ problem }, 'the relay could not take a delivery in'),
    });
    return { store, forwarder, reception };
  };

  const ready = (): NonNullable<typeof parts> => {
    if (parts === null) throw refusal(trouble ?? 'The relay is not ready yet.');
    return parts;
  };
  const listen = async (): Promise<void> => {
    if (parts === null || listener.listening() !== null) return;
    trouble = await listener.open(parts.reception.receive);
    registrar.check();
    face.changed();
  };
  const close = async (): Promise<void> => {
    await listener.close();
    parts?.reception.flush();
  };

  let beginning: Promise<void> | null = null;
  const begin = async (): Promise<void> => {
    if (door === null) return;
    try {
      parts = open(door);
      await secrets.load();
    } catch (thrown) {
      trouble = `The relay cannot keep what it needs: ${messageOf(thrown)}`;
      logger.error({}, trouble);
    }
    if (parts === null || isStopped) return;
    const { forwarder } = parts;
    forwarder.start();
    cancels = [
      every(clock, CONFIRM[profile.environment], () => guard.go(confirm())),
      every(clock, 24 * 3_600_000, () => parts?.store.prune(clock.now() - KEPT)),
    ];
    if (settings.read().on) await listen();
    else registrar.check();
  };

  return {
    start() {
      beginning ??= begin();
      return beginning;
    },
    async stop(forGood) {
      isStopped = true;
      registrar.stop();
      for (const cancel of cancels) cancel();
      face.stop();
      overtaken.stop();
      if ((forGood || !settings.isKept()) && listener.listening() !== null) {
        const limit = new Promise<void>((resolve) => clock.after(WITHDRAW_LIMIT, resolve));
        await Promise.race([registrar.withdraw().catch(() => undefined), limit]);
      }
      await close();
      parts?.forwarder.stop();
      parts?.store.close();
      parts = null;
    },
    kick: () => parts?.forwarder.kick(),
    trusted: () => {
      if (parts !== null) registrar.check();
    },
    face: face.read,
    ownUrl: listener.url,
    watch(hear) {
      hearers.add(hear);
      return () => hearers.delete(hear);
    },
    printed: {
      get: () => Number(parts?.store.fact('printed') ?? 0),
      set: (ledgerId) => parts?.store.setFact('printed', String(ledgerId)),
    },
    handlers: createRelayHandlers({
      clock,
      settings,
      secrets,
      refusals,
      registrar,
      listener,
      face,
      ready,
      listen,
      close,
    }),
    repeat: registrar.test,
    async sendToItself(eventId, body) {
      const [secret] = secrets.live(clock.now());
      const url = listener.localUrl();
      if (door === null || url === null || secret === undefined) return null;
      const headers = standardHeaders(secret.text, eventId, body, clock.now());
      if (headers === null) return null;
      return door.post({ url, headers: { 'content-type': 'application/json', ...headers }, body, allowPublic: false });
    },
  };
}
