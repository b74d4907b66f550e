// Main, host: finds the owner of the program that listens at an address of this computer.
// Linux tells it; elsewhere it is unknown.
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
 * Reads the tables of the kernel once for each listening socket of this user's programs, and then looks only
 * whether the program still has it: the tables cost milliseconds a request, a link some microseconds.
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
    // A more general socket of somebody else gets no connection to this very address. A name has two.
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

/** Whether this process listens there; null where the platform does not tell. */
export function listensAt(pid: number, base: URL): boolean | null {
  const sockets = socketsAt(base);
  if (sockets === null) return null;
  const held = new Set(descriptorsOf(String(pid)).map(linkOf));
  return sockets.length > 0 && sockets.every(({ inode }) => held.has(`socket:[${inode}]`));
}

/**
 * The path of a descriptor with the socket, of this process first; null: of no process that this user may
 * read.
 */
function descriptorOf(socket: string): string | null {
  for (const pid of ['self', ...namesIn('/proc').filter((name) => /^\d+$/.test(name))]) {
    const found = descriptorsOf(pid).find((path) => linkOf(path) === socket);
    if (found !== undefined) return found;
  }
  return null;
}

const descriptorsOf = (pid: string): string[] => namesIn(`/proc/${pid}/fd`).map((name) => `/proc/${pid}/fd/${name}`);

/** Empty where there is no such folder, or it is not for this user. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A descriptor may be closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** Sockets that may accept a connection to the address; null where the platform does not tell. */
function socketsAt({ hostname, port }: URL): TcpSocket[] | null {
  if (process.platform !== 'linux') return null;
  const wanted = Number(port === '' ? 80 : port);
  // A name stands for both families.
  const addresses = hostname === 'localhost' ? [LOOPBACK_V4, LOOPBACK_V6] : [addressOf(hostname)];
  const accepting = new Set([...addresses, ANY_V6, ...(addresses.some(isV4) ? [ANY_V4] : [])]);
  const sockets = tcpSocketsOf((path) => readFileSync(path, 'latin1'), wanted);
  return (
    sockets?.filter(({ isListening, local }) => isListening && local.port === wanted && accepting.has(local.address)) ??
    null
  );
}

const isV4 = (address: string): boolean => !address.includes(':');
