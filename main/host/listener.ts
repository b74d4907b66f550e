// Main, host: finds the owner of the program that listens at an address of this computer.
// Linux tells it; elsewhere it is unknown.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type Listener, UNKNOWN_LISTENER } from '../../client/key-gate.ts';
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

/** @param base an address of plain http on this computer */
export function listenerAt(base: URL): Listener {
  const sockets = socketsAt(base);
  if (sockets === null || sockets.length === 0) return UNKNOWN_LISTENER;
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
  const folder = `/proc/${pid}/fd`;
  try {
    const held = new Set(readdirSync(folder).map((name) => linkOf(`${folder}/${name}`)));
    return sockets.length > 0 && sockets.every(({ inode }) => held.has(`socket:[${inode}]`));
  } catch {
    return false;
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
