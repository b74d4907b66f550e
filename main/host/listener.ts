// Main, host: finds the owner of the program that listens at an address of this computer.
// It reads /proc of Linux; on other systems the owner is unknown.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type Listener, type ListenerReader, UNKNOWN_LISTENER } from '../../client/key-gate.ts';
import {
  ANY_V4,
  ANY_V6,
  addressOf,
  LOOPBACK_V4,
  LOOPBACK_V6,
  type TcpSocket,
  tcpSocketsOf,
} from '../../shared/lib/tcp-table.ts';

/** User ids that may have the key: this user, and the administrator, who can read it anyway. */
const isTrusted = (uid: number): boolean => uid === 0 || uid === process.getuid?.();

/**
 * Reads the tables of the kernel once for each listening socket of this user's programs, and then checks only
 * that the program still has it: the tables cost milliseconds a request, a link some microseconds.
 */
export function createListenerReader(): ListenerReader {
  const seen = new Map<string, { readonly listener: Listener; readonly descriptor: string; readonly socket: string }>();
  return (base) => {
    const known = seen.get(base.host);
    if (known !== undefined && linkOf(known.descriptor) === known.socket) return known.listener;
    seen.delete(base.host);
    const sockets = socketsAt(base) ?? [];
    const listener = listenerOf(sockets);
    const [only, another] = sockets;
    // Only a single socket at this very address is cached: no program with a more general one gets its
    // connections. A name has two addresses.
    if (only === undefined || another !== undefined || only.local.address !== addressOf(base.hostname)) return listener;
    const socket = `socket:[${only.inode}]`;
    const descriptor = descriptorOf(socket);
    if (descriptor !== null) seen.set(base.host, { listener, descriptor, socket });
    return listener;
  };
}

/** @param base an address of plain http on this computer */
export const listenerAt: ListenerReader = (base) => listenerOf(socketsAt(base) ?? []);

function listenerOf(sockets: readonly TcpSocket[]): Listener {
  if (sockets.length === 0) return UNKNOWN_LISTENER;
  return {
    owner: sockets.every(({ uid }) => isTrusted(uid)) ? 'self' : 'other',
    socket: sockets
      .map(({ inode }) => inode)
      .sort()
      .join(','),
  };
}

/** Whether this process listens at the address; null where the platform does not show it. */
export function listensAt(pid: number, base: URL): boolean | null {
  const sockets = socketsAt(base);
  if (sockets === null) return null;
  const held = new Set(descriptorsOf(String(pid)).map(linkOf));
  return sockets.length > 0 && sockets.every(({ inode }) => held.has(`socket:[${inode}]`));
}

/**
 * The path of a descriptor of the socket, in this process first; null where no process that this user may
 * read has one.
 */
function descriptorOf(socket: string): string | null {
  for (const pid of ['self', ...namesIn('/proc').filter((name) => /^\d+$/.test(name))]) {
    const found = descriptorsOf(pid).find((path) => linkOf(path) === socket);
    if (found !== undefined) return found;
  }
  return null;
}

const descriptorsOf = (pid: string): string[] => namesIn(`/proc/${pid}/fd`).map((name) => `/proc/${pid}/fd/${name}`);

/** Names in a folder; empty where it is missing or this user may not read it. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Target of a link; empty where the descriptor was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** Sockets that may accept a connection to the address; null where the platform does not show them. */
function socketsAt({ hostname, port }: URL): TcpSocket[] | null {
  if (process.platform !== 'linux') return null;
  const wanted = Number(port === '' ? 80 : port);
  // The name localhost has an address in both families.
  const addresses = hostname === 'localhost' ? [LOOPBACK_V4, LOOPBACK_V6] : [addressOf(hostname)];
  const accepting = new Set([...addresses, ANY_V6, ...(addresses.some(isV4) ? [ANY_V4] : [])]);
  const sockets = tcpSocketsOf((path) => readFileSync(path, 'latin1'), wanted);
  return (
    sockets?.filter(({ isListening, local }) => isListening && local.port === wanted && accepting.has(local.address)) ??
    null
  );
}

const isV4 = (address: string): boolean => !address.includes(':');
