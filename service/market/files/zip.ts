// Service, price files: the entries of a zip archive, by the directory at its end; each is read when it is asked for.
// By hand, because libraries load the archive whole or answer asynchronously, and files are read in steps.
import { crc32, inflateRawSync } from 'node:zlib';
import { MAX_FILE_BYTES } from './text.ts';

/** Bytes that are read in parts: of a file, or in memory. */
export interface ByteSource {
  readonly size: number;
  /** @throws Error where there are fewer */
  readonly read: (from: number, length: number) => Buffer;
}

export interface ZipEntry {
  readonly name: string;
  /** Bytes in the archive. */
  readonly packed: number;
  /** Bytes as the directory says, which are the most that are unpacked. */
  readonly size: number;
  /** @throws Error with one clause */
  readonly unpack: () => Buffer;
}

const SIGNATURE = { entry: 0x02014b50, content: 0x04034b50, end: 0x06054b50, end64: 0x06064b50, locator64: 0x07064b50 };
/** Bytes of the last record, of the longest comment behind it, and of what stands before it in large archives. */
const END_BYTES = 22;
const COMMENT_BYTES = 65_535;
const LOCATOR_BYTES = 20;
const END64_BYTES = 56;
/** Of an entry in the directory and of its content, without their names. */
const ENTRY_BYTES = 46;
const CONTENT_BYTES = 30;
/** Numbers of four bytes that are in an extra field of eight. */
const IN_EXTRA = 0xffffffff;
const EXTRA64 = 1;
const STORED = 0;
const DEFLATED = 8;

const MB = 1024 * 1024;
const DAMAGED = 'it is damaged or not whole; fetch it again';

export const sourceOf = (bytes: Uint8Array): ByteSource => ({
  size: bytes.length,
  read(from, length) {
    if (from + length > bytes.length) throw new Error(DAMAGED);
    return Buffer.from(bytes.buffer, bytes.byteOffset + from, length);
  },
});

export const isZip = (source: ByteSource): boolean => {
  const [first, second, third] = source.read(0, Math.min(4, source.size));
  return first === 0x50 && second === 0x4b && (third === 3 || third === 5);
};

/** @throws Error with one clause where the archive is damaged or has more entries than `most` */
export function zipEntries(source: ByteSource, most: number): ZipEntry[] {
  const { count, length, at } = directoryOf(source);
  if (count > most) throw new Error(`it has more than ${most} files`);
  if (at + length > source.size) throw new Error(DAMAGED);
  const directory = source.read(at, length);
  const entries: ZipEntry[] = [];
  for (let from = 0; entries.length < count; ) {
    if (from + ENTRY_BYTES > length || directory.readUInt32LE(from) !== SIGNATURE.entry) throw new Error(DAMAGED);
    const nameAt = from + ENTRY_BYTES;
    const extraAt = nameAt + directory.readUInt16LE(from + 28);
    const end = extraAt + directory.readUInt16LE(from + 30);
    const name = directory.toString('utf8', nameAt, extraAt);
    entries.push(entryOf(source, directory.subarray(from, nameAt), name, directory.subarray(extraAt, end)));
    from = end + directory.readUInt16LE(from + 32);
  }
  return entries;
}

/** Where the last record begins, whose comment ends the file; a comment may look like one. */
function endIn(tail: Buffer): number | null {
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1)
    if (tail.readUInt32LE(at) === SIGNATURE.end && at + END_BYTES + tail.readUInt16LE(at + 20) === tail.length)
      return at;
  return null;
}

/** Number of the entries, and where the directory is. */
function directoryOf(source: ByteSource): { readonly count: number; readonly length: number; readonly at: number } {
  const tailAt = Math.max(0, source.size - END_BYTES - COMMENT_BYTES - LOCATOR_BYTES);
  const tail = source.read(tailAt, source.size - tailAt);
  const end = endIn(tail);
  if (end === null) throw new Error(DAMAGED);
  const locator = end - LOCATOR_BYTES;
  if (locator < 0 || tail.readUInt32LE(locator) !== SIGNATURE.locator64)
    return { count: tail.readUInt16LE(end + 10), length: tail.readUInt32LE(end + 12), at: tail.readUInt32LE(end + 16) };
  const end64 = source.read(Number(tail.readBigUInt64LE(locator + 8)), END64_BYTES);
  if (end64.readUInt32LE(0) !== SIGNATURE.end64) throw new Error(DAMAGED);
  const number = (from: number): number => Number(end64.readBigUInt64LE(from));
  return { count: number(32), length: number(40), at: number(48) };
}

function entryOf(source: ByteSource, record: Buffer, name: string, extra: Buffer): ZipEntry {
  const [flags, method, sum] = [record.readUInt16LE(8), record.readUInt16LE(10), record.readUInt32LE(16)];
  // Those that need eight bytes stand in the extra field, in this order.
  const large = extra64(extra);
  const [size = 0, packed = 0, at = 0] = [24, 20, 42].map((from) => {
    const number = record.readUInt32LE(from);
    return number === IN_EXTRA ? (large.shift() ?? number) : number;
  });
  const unpack = (): Buffer => {
    if (size > MAX_FILE_BYTES) throw new Error(`it is larger than ${MAX_FILE_BYTES / MB} MB; split it`);
    if ((flags & 1) !== 0) throw new Error('it is encrypted');
    if (method !== STORED && method !== DEFLATED) throw new Error(`it is packed by the unknown method ${method}`);
    const head = source.read(at, CONTENT_BYTES);
    if (head.readUInt32LE(0) !== SIGNATURE.content) throw new Error(DAMAGED);
    const bytes = source.read(at + CONTENT_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28), packed);
    // At least one byte: the limit may not be zero.
    const content = method === STORED ? bytes : inflateRawSync(bytes, { maxOutputLength: Math.max(1, size) });
    if (content.length !== size || crc32(content) !== sum) throw new Error('its sum is wrong');
    return content;
  };
  return { name, packed, size, unpack };
}

function extra64(extra: Buffer): number[] {
  for (let from = 0; from + 4 <= extra.length; ) {
    const [id, length] = [extra.readUInt16LE(from), extra.readUInt16LE(from + 2)];
    from += 4;
    const numbers = Math.floor(Math.min(length, extra.length - from) / 8);
    if (id === EXTRA64)
      return Array.from({ length: Math.min(3, numbers) }, (_, at) => Number(extra.readBigUInt64LE(from + 8 * at)));
    from += length;
  }
  return [];
}
