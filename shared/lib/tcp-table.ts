// Pure: the tables of TCP sockets that Linux keeps: who has which end of which connection.

/** One row: a socket of this computer. */
export interface TcpSocket {
  readonly local: TcpEnd;
  /** Port 0 where the socket listens. */
  readonly remote: TcpEnd;
  readonly isListening: boolean;
  readonly uid: number;
  /** "0" where no process has it any more; the row names the administrator then. */
  readonly inode: string;
}

export interface TcpEnd {
  /** As `addressOf` writes it. */
  readonly address: string;
  readonly port: number;
}

/** Returns the text of a file. */
export type TextReader = (path: string) => string;

const TABLE_V4 = '/proc/net/tcp';
/** Missing where the computer has no IPv6. */
const TABLE_V6 = '/proc/net/tcp6';
const LISTEN = '0A';

export const ANY_V4 = '0.0.0.0';
export const ANY_V6 = '0:0:0:0:0:0:0:0';
export const LOOPBACK_V4 = '127.0.0.1';
export const LOOPBACK_V6 = '0:0:0:0:0:0:0:1';

/**
 * The sockets with this port at either end.
 * @returns null where a table cannot be read: then nothing is known, which is not the same as nobody
 */
export function tcpSocketsOf(read: TextReader, port: number): TcpSocket[] | null {
  const tables = tablesOf(read);
  if (tables === null) return null;
  // Others can fill the tables with thousands of rows: only those with the port are taken apart.
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')} `;
  return tables.flatMap((table) => linesWith(table, wanted).flatMap(socketsIn));
}

function tablesOf(read: TextReader): string[] | null {
  try {
    return [read(TABLE_V4), textOrNone(read, TABLE_V6)];
  } catch {
    return null;
  }
}

/** @throws what `read` throws, unless there is no such file */
function textOrNone(read: TextReader, path: string): string {
  try {
    return read(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

function linesWith(table: string, wanted: string): string[] {
  const lines: string[] = [];
  for (let at = table.indexOf(wanted); at !== -1; ) {
    const end = table.indexOf('\n', at);
    lines.push(table.slice(table.lastIndexOf('\n', at) + 1, end === -1 ? undefined : end));
    at = end === -1 ? -1 : table.indexOf(wanted, end);
  }
  return lines;
}

/** Slot, local end, remote end, state, queues, timer, retransmits, user id, timeout, inode. */
function socketsIn(line: string): TcpSocket[] {
  const [, local = '', remote = '', state, , , , uid, , inode] = line.trim().split(/\s+/);
  if (uid === undefined || inode === undefined) return [];
  return [{ local: endOf(local), remote: endOf(remote), isListening: state === LISTEN, uid: Number(uid), inode }];
}

function endOf(text: string): TcpEnd {
  const [address = '', port = ''] = text.split(':');
  return { address: textOfGroups(groupsIn(address)), port: Number.parseInt(port, 16) };
}

/** The kernel prints words of four bytes, each in the byte order of this computer. */
function groupsIn(hex: string): number[] {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => {
    const printed = (word.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));
    return IS_LITTLE_ENDIAN ? printed.reverse() : printed;
  });
  const groups = Array.from(
    { length: bytes.length / 2 },
    (_, index) => ((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0),
  );
  return groups.length === 2 ? [...MAPPED, ...groups] : groups;
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
/** How an IPv4 address begins as an IPv6 one. */
const MAPPED = [0, 0, 0, 0, 0, 0xffff];

/**
 * An address as text that can be compared: `::ffff:127.0.0.1`, `[::1]` and `fe80::1%eth0` lose what differs between
 * one writer and another.
 */
export function addressOf(text: string): string {
  const plain = text
    .replace(/^\[|\]$/g, '')
    .replace(/%.*$/, '')
    .toLowerCase();
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (v4 !== undefined) return v4;
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = tail === undefined ? [] : Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0);
  return textOfGroups([...first, ...zeros, ...last]);
}

const groupsOf = (text: string): number[] =>
  text === '' ? [] : text.split(':').map((one) => Number.parseInt(one, 16));

/** An IPv4 address that is written as an IPv6 one is the same end of the same connection. */
function textOfGroups(groups: readonly number[]): string {
  const [high = 0, low = 0] = groups.slice(6);
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
    ? [high >> 8, high & 255, low >> 8, low & 255].join('.')
    : groups.map((group) => group.toString(16)).join(':');
}
