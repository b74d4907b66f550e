// Main, core: the relay, the third inlet: webhooks that arrive on this computer go into the same ledger as stream and back-fill, and from there on to
// local programs. This puts its parts together and answers what windows ask of it.
import { randomBytes } from 'node:crypto';
import { isLoopback } from '../../../client/address.ts';
import type { Client } from '../../../client/client.ts';
import type { ServiceProblem } from '../../../client/problem.ts';
import { RefusedError } from '../../../shared/channels/channel.ts';
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
import { examine } from './doctor.ts';
import type { Listening, Receipt, RelayDoor } from './door.ts';
import { createForwarder, type Forwarder } from './forwarder.ts';
import { createReception, type Reception } from './reception.ts';
import { createRefusals } from './refusals.ts';
import { createRegistrar, type Repeated } from './registrar.ts';
import { createSecretBook } from './secrets.ts';
import { createRelaySettings } from './settings.ts';
import { standardHeaders } from './sign.ts';
import { openRelayStore, type RelayStore } from './store.ts';
import { targetProblem } from './target.ts';

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
/** Changes within this time are shown at once, ms. */
const GATHER = 250;
/** How often the subscription is looked at, ms. In production a call counts against the quota, and the other inlets see meanwhile. */
const LOOK = { sandbox: 10_000, production: 900_000 };
/** Between two rounds of asking for what was kept aside, ms; a call for each. */
const CONFIRM = { sandbox: 60_000, production: 3_600_000 };
/** Who was overtaken by other deliveries is mostly right behind them: the service is asked for what does not come within this time, ms. */
const OVERTAKEN = 100;
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
  const listeners = new Set<(news: RelayNews) => void>();
  const refusals = createRefusals(clock);
  let arrivals: Arrival[] = [];
  let parts: { store: RelayStore; forwarder: Forwarder; reception: Reception } | null = null;
  let listening: Listening | null = null;
  let trouble: string | null = door === null ? 'This program cannot listen for webhooks.' : null;
  let cancelPush: Cancel | null = null;
  let cancelWait: Cancel | null = null;
  let cancels: Cancel[] = [];
  let isStopped = false;

  const changed = (): void => {
    cancelPush ??= clock.after(GATHER, () => {
      cancelPush = null;
      if (!isStopped) options.onChanged(face());
    });
  };
  const tell = (news: RelayNews): void => {
    for (const listener of listeners) guard.run(() => listener(news));
    changed();
  };
  const noted = {
    ...refusals,
    note: (...note: Parameters<typeof refusals.note>) => {
      const refused = refusals.note(...note);
      tell({ kind: 'refused', refused });
      return refused;
    },
  };

  const inPath = (): string => `/in/${secrets.path()}`;
  /** As it was read last: whoever knocks must not make this computer read a file. */
  let publicBase: string | null = null;
  const readPublicBase = (): string | null => {
    publicBase = settings.read().publicUrl?.replace(/\/+$/, '') ?? null;
    return publicBase;
  };
  const url = (): string | null => {
    if (listening === null) return null;
    const base = readPublicBase() ?? (reachable ? `http://127.0.0.1:${listening.port}` : null);
    return base === null ? null : base + inPath();
  };
  const registrar = createRegistrar({
    client,
    guard,
    random,
    cadence: LOOK[profile.environment],
    secrets,
    store: { fact: (name) => parts?.store.fact(name) ?? null, setFact: (name, value) => parts?.store.setFact(name, value) },
    url,
    isOn: () => listening !== null,
    isWanted: () => settings.read().on,
    mayAsk: options.mayAsk,
    onChanged: changed,
  });
  const ingest = (events: readonly ReceivedEvent[]): Ingested => {
    const ingested = options.ingest(events);
    if (ingested.replaced) options.catchUp();
    else if (ingested.holds && !isStopped) awaitOvertaken();
    return ingested;
  };
  /** Where the cursor moves on, another delivery is awaited; where it stands still, the service is asked. */
  const awaitOvertaken = (): void => {
    const { eventId } = ledger.cursor();
    cancelWait ??= clock.after(OVERTAKEN, () => {
      cancelWait = null;
      if (!ledger.holds()) return;
      if (ledger.cursor().eventId === eventId) options.catchUp();
      else awaitOvertaken();
    });
  };
  const confirm = async (): Promise<void> => {
    if (parts === null || !options.mayAsk() || parts.store.countAside() === 0) return;
    const settled = await confirmAside({ store: parts.store, read: parts.reception.read, client, isKnown: ledger.isKnown, ingest });
    if (settled > 0) changed();
  };

  const open = (): NonNullable<typeof parts> => {
    const store = openRelayStore(folder, timestamp(clock.now()), (line) => logger.error({}, line));
    const name = store.fact('name') ?? randomBytes(9).toString('base64url');
    store.setFact('name', name);
    store.prune(clock.now() - KEPT);
    // The ledger was lost and is filled again.
    if (Number(store.fact('printed') ?? 0) > ledger.highest()) store.setFact('printed', null);
    const forwarder = createForwarder({
      store,
      door: door ?? { post: async () => ({ status: null, error: 'this program cannot send' }) },
      guard,
      random,
      ledger,
      world: world.now,
      name,
      onSent: (sent) => tell({ kind: 'sent', ...sent }),
      onChanged: changed,
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

  const listen = async (): Promise<void> => {
    if (door === null || parts === null || listening !== null) return;
    const { reception } = parts;
    try {
      readPublicBase();
      listening = await door.listen({
        port: settings.read().port,
        paths: () => (publicBase === null ? [inPath()] : [inPath(), new URL(publicBase + inPath()).pathname]),
        hosts: () => (publicBase === null ? [] : [new URL(publicBase).host]),
        receive: reception.receive,
        onRefused: noted.note,
      });
      trouble = null;
      if (!listening.asWanted) logger.info({ port: listening.port }, 'the wanted port of the relay is in use; another one is taken');
    } catch (thrown) {
      trouble = `Webhooks cannot be received: ${messageOf(thrown)}. Switch the relay off and on to try again.`;
      logger.warn({}, trouble);
    }
    registrar.check();
    changed();
  };
  const close = async (): Promise<void> => {
    const open = listening;
    listening = null;
    await open?.close();
    parts?.reception.flush();
  };

  const face = (): RelayFace => ({
    on: listening !== null || settings.read().on,
    listening: listening === null ? null : { address: `http://127.0.0.1:${listening.port}`, as_wanted: listening.asWanted },
    problem: trouble,
    registration: registrar.face(),
    public_url: settings.read().publicUrl,
    reachable,
    secrets: {
      current: secrets.live(clock.now()).some(({ slot }) => slot === 'current'),
      previous: secrets.live(clock.now()).some(({ slot }) => slot === 'previous'),
    },
    form: secrets.form(),
    arrivals,
    refused: refusals.list(),
    kept_aside: parts?.store.countAside() ?? 0,
    targets: parts?.forwarder.targets() ?? [],
  });

  const ready = (): NonNullable<typeof parts> => {
    if (parts === null) throw refusal(trouble ?? 'The relay is not ready yet.');
    return parts;
  };
  const handlers: Relay['handlers'] = {
    'relay.read': () => face(),
    'relay.reveal': () => ({ url: url() ?? (listening === null ? null : `http://127.0.0.1:${listening.port}${inPath()}`) }),
    async 'relay.switch'({ on }) {
      ready();
      settings.write({ on });
      if (on) await listen();
      else {
        await registrar.withdraw();
        await close();
        registrar.check();
      }
      changed();
      return {};
    },
    'relay.public_url'({ url: wanted }) {
      ready();
      if (wanted !== null && !wanted.startsWith('https://') && !isLoopback(new URL(wanted).hostname))
        throw refusal('The public address must begin with https://.');
      settings.write({ publicUrl: wanted });
      readPublicBase();
      registrar.check();
      changed();
      return {};
    },
    async 'relay.secret'({ secret }) {
      ready();
      await secrets.replace(secret);
      changed();
      return {};
    },
    async 'relay.rotate'() {
      await inWords(registrar.rotate());
      changed();
      return {};
    },
    async 'relay.test'() {
      const outcome = await inWords(registrar.test());
      if (!outcome.ok) return { ok: false, words: outcome.error.message };
      const { status, error } = outcome.value;
      return error === null
        ? { ok: true, words: `The service sent its newest event, and it came through (answered ${status}).` }
        : { ok: false, words: `The service sent its newest event, and it did not come through: ${error}.` };
    },
    'relay.doctor'({ refused }) {
      const exhibit = refusals.exhibit(refused);
      if (exhibit === null) throw refusal('There is nothing to examine in this one.');
      const now = clock.now();
      return { findings: examine({ ...exhibit, secrets: secrets.live(now), retired: secrets.retired(now), pinned: secrets.form(), now }) };
    },
    'relay.target.add'({ url: target, secret, filter, allow_public }) {
      const { forwarder } = ready();
      const problem = targetProblem(target, allow_public, listening?.port ?? null);
      if (problem !== null) throw refusal(problem);
      if (forwarder.targets().some((one) => one.url === target))
        throw refusal('Events are passed on to this address already. Remove it first.');
      const added = forwarder.add({ url: target, secret: secret ?? null, filter, allowPublic: allow_public });
      return { id: added.id, secret: added.secret };
    },
    'relay.target.remove'({ id }) {
      ready().forwarder.remove(id);
      return {};
    },
  };

  let beginning: Promise<void> | null = null;
  const begin = async (): Promise<void> => {
    if (door === null) return;
    try {
      parts = open();
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
      cancelPush?.();
      cancelWait?.();
      if ((forGood || !settings.isKept()) && listening !== null) {
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
    face,
    ownUrl: url,
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    printed: {
      get: () => Number(parts?.store.fact('printed') ?? 0),
      set: (ledgerId) => parts?.store.setFact('printed', String(ledgerId)),
    },
    handlers,
    repeat: registrar.test,
    async sendToItself(eventId, body) {
      const [secret] = secrets.live(clock.now());
      if (door === null || listening === null || secret === undefined) return null;
      const headers = standardHeaders(secret.text, eventId, body, clock.now());
      if (headers === null) return null;
      const sent = { 'content-type': 'application/json', ...headers };
      return door.post({ url: `http://127.0.0.1:${listening.port}${inPath()}`, headers: sent, body, allowPublic: false });
    },
  };
}

const refusal = (message: string): RefusedError => new RefusedError({ code: 'refused', message });

async function inWords<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (thrown) {
    throw refusal(messageOf(thrown));
  }
}
