// Pure: the connections of one port: bounded, with deadlines, so that nobody can keep a client out.
// A connection is unauthenticated until its client shows a key, a session or a signature.
import type { Cancel, Clock } from './clock.ts';
import { addressOf, type TcpEnd, type TextReader, tcpSocketsOf } from './tcp-table.ts';

/** Both ends of a connection, as a socket of Node names them. */
interface Ends {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  /** Of this computer, at which the client is connected. */
  readonly localAddress?: string | undefined;
}

/** A socket of Node. */
export interface Connection extends Ends {
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** An HTTP server of Node. */
export interface HttpPort {
  /** A server with TLS has it. */
  readonly setSecureContext?: unknown;
  on(event: 'connection' | 'secureConnection', listener: (connection: Connection) => void): unknown;
  on(
    event: 'request',
    listener: (
      request: { readonly socket: Connection },
      response: { once(event: 'close', listener: () => void): unknown },
    ) => void,
  ): unknown;
}

export interface PoolLimits {
  /** One more evicts the oldest of the peer that has most. */
  readonly unauthenticated: number;
  /** Beyond it, connections stay unauthenticated: they are served, and may be evicted. */
  readonly authenticated: number;
  /** Without authentication a connection closes after this long without the end of an answer, ms. */
  readonly deadline: number;
}

/** A port that other computers reach: their streams are many, and the system's own limit of files bounds them. */
export const OPEN_PORT_LIMITS: PoolLimits = { unauthenticated: 4_096, authenticated: 60_000, deadline: 10_000 };

/**
 * More than two backlogs of a port (511): what was accepted in one turn of the event loop is read before it
 * can be evicted.
 */
export const PORT_LIMITS: PoolLimits = { unauthenticated: 1_024, authenticated: 4_096, deadline: 10_000 };

export interface PoolDeps {
  readonly clock: Clock;
  readonly limits?: PoolLimits;
  /**
   * Who owns the other end of each connection, by `connectionKey`, where the platform knows. Called only to evict.
   */
  readonly owners?: () => ReadonlyMap<string, string>;
}

export interface ConnectionPool {
  /** Counts a new connection until it closes. */
  add(connection: Connection): void;
  /** Its client has proven that it may use the port: no deadline, no eviction. */
  authenticate(connection: Connection): void;
  /** Restarts the deadline: an answer ended. */
  answered(connection: Connection): void;
  /** Adds every connection of an HTTP server. */
  guard(server: HttpPort): void;
}

/** After an eviction the pool has room for this share of its size, so that owners are looked up rarely. */
const ROOM = 1 / 8;

export function createConnectionPool({
  clock,
  limits = PORT_LIMITS,
  owners = () => new Map(),
}: PoolDeps): ConnectionPool {
  /** Oldest first; the value cancels the deadline. */
  const unauthenticated = new Map<Connection, Cancel>();
  const authenticated = new Set<Connection>();

  const forget = (connection: Connection): void => {
    unauthenticated.get(connection)?.();
    unauthenticated.delete(connection);
    authenticated.delete(connection);
  };
  const end = (connection: Connection): void => {
    forget(connection);
    connection.destroy();
  };
  const deadlineOf = (connection: Connection): Cancel => clock.after(limits.deadline, () => end(connection));

  const evict = (): void => {
    const known = owners();
    const peers = new Map<string, Connection[]>();
    for (const connection of unauthenticated.keys()) {
      const peer = known.get(connectionKey(connection)) ?? networkOf(connection.remoteAddress ?? '');
      const theirs = peers.get(peer);
      if (theirs === undefined) peers.set(peer, [connection]);
      else theirs.push(connection);
    }
    const queues = [...peers.values()];
    const most = Math.floor(limits.unauthenticated * (1 - ROOM));
    while (unauthenticated.size > most) {
      const oldest = queues.reduce((heaviest, queue) => (queue.length > heaviest.length ? queue : heaviest)).shift();
      if (oldest !== undefined) end(oldest);
    }
  };

  const add = (connection: Connection): void => {
    unauthenticated.set(connection, deadlineOf(connection));
    connection.once('close', () => forget(connection));
    if (unauthenticated.size > limits.unauthenticated) evict();
  };
  const answered = (connection: Connection): void => {
    const cancel = unauthenticated.get(connection);
    if (cancel === undefined) return;
    cancel();
    unauthenticated.set(connection, deadlineOf(connection));
  };

  /** With TLS a request comes by another object than the connection below it; both have the same ends. */
  const guardHandshakes = (server: HttpPort): void => {
    const handshakes = new Map<string, Connection>();
    server.on('connection', (connection) => {
      const ends = connectionKey(connection);
      handshakes.set(ends, connection);
      connection.once('close', () => void (handshakes.get(ends) === connection && handshakes.delete(ends)));
      add(connection);
    });
    server.on('secureConnection', (secured) => {
      const ends = connectionKey(secured);
      const below = handshakes.get(ends);
      if (below !== undefined) forget(below);
      handshakes.delete(ends);
      add(secured);
    });
  };

  return {
    add,
    answered,
    authenticate(connection) {
      const cancel = unauthenticated.get(connection);
      if (cancel === undefined || authenticated.size >= limits.authenticated) return;
      cancel();
      unauthenticated.delete(connection);
      authenticated.add(connection);
    },
    guard(server) {
      if (server.setSecureContext === undefined) server.on('connection', add);
      else guardHandshakes(server);
      server.on('request', ({ socket }, response) => void response.once('close', () => answered(socket)));
    },
  };
}

/**
 * Owners of the clients of a port: user ids by connection, as `connectionKey` names it. Empty where the platform has
 * no tables.
 */
export function ownersOf(read: TextReader, port: number): Map<string, string> {
  const owners = new Map<string, string>();
  for (const { local, remote, uid, inode } of tcpSocketsOf(read, port) ?? [])
    if (remote.port === port && inode !== NOBODY) owners.set(keyOf(local, remote.address), String(uid));
  return owners;
}

/** The peer of another computer: its address; of IPv6 the network of 64 bits, because one computer has all of it. */
function networkOf(remoteAddress: string): string {
  const address = addressOf(remoteAddress);
  return address.includes(':') ? address.split(':').slice(0, NETWORK_GROUPS).join(':') : address;
}

const NETWORK_GROUPS = 4;

/** The inode of a socket whose process closed it. Its row would name the administrator. */
const NOBODY = '0';

/**
 * Several users can have the same port, at other addresses of this computer or towards other ones: only both ends
 * name a connection.
 */
export const connectionKey = ({ remoteAddress = '', remotePort = 0, localAddress = '' }: Ends): string =>
  keyOf({ address: addressOf(remoteAddress), port: remotePort }, addressOf(localAddress));

const keyOf = (client: TcpEnd, server: string): string => `${client.address} ${client.port} ${server}`;
