// Service, price files: the files in a zip archive and the sheets of a workbook, each as a file of its own.
import { NESTED_PRICE_FILE, UNREAD_FILE_NAME } from '../../../shared/domain/price-file-names.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { type DatedFile, openDated, tooLarge } from '../../folder-files.ts';
import type { Part } from './table.ts';
import { MAX_FILE_BYTES } from './text.ts';
import { isWorkbook, sheetsOf } from './workbook.ts';
import { type ByteSource, isZip, sourceOf, type ZipEntry, zipEntries } from './zip.ts';

/** Files in an archive; one of a whole market has 12,000. */
const MAX_FILES = 20_000;
const MB = 1024 * 1024;
/** Bytes that one of an archive may become where all are larger than a file may be: prices become five. */
const MOST_PACKED = 50;
/** Why files of other forms have no prices, of which the first is named. */
export const unreadReason = (files: number): string =>
  files === 1
    ? 'it is not read; unpack it, or save its table as CSV'
    : `it and ${files - 1} more are not read; unpack them, or save their tables as CSV`;
/** What is no file of a person, such as that of a Mac beside each file. */
const IGNORED = /\/$|(^|\/)(\.|__MACOSX\/)/;

/**
 * Opens a file of prices. One that is no archive is read at once; an archive may be larger than a file may be.
 * @throws Error with a reason for people
 */
export function openPriceFile(path: string, open = openDated): DatedFile {
  const file = open(path);
  let isKept = false;
  try {
    isKept = isZip(file);
    if (isKept) return file;
    if (file.size > MAX_FILE_BYTES) throw new Error(tooLarge(MAX_FILE_BYTES, 'split it'));
    return { ...sourceOf(file.read(0, file.size)), writtenAt: file.writtenAt, close: () => undefined };
  } finally {
    if (!isKept) file.close();
  }
}

/**
 * The file itself, or what an archive or a workbook holds; nothing is unpacked before it is asked for. Within a workbook
 * undefined lets others have their turn.
 */
export function* partsOf(name: string, file: ByteSource, isNested = false): Generator<Part | undefined> {
  if (!isZip(file)) return yield { name, content: file.read(0, file.size) };
  try {
    const entries = zipEntries(file, MAX_FILES).filter((entry) => !IGNORED.test(entry.name));
    refuseBomb(entries, file.size);
    if (isWorkbook(entries)) yield* sheetsOf(name, entries);
    // What is in an archive in an archive may never end.
    else if (isNested) yield { name, content: 'it is an archive in an archive; unpack it' };
    else yield* filesOf(name, entries);
  } catch (error) {
    yield {
      name,
      isLost: true,
      content: `it cannot be unpacked (${messageOf(error)}); unpack its price files into the folder, or save its table as CSV`,
    };
  }
}

/** @throws Error with one clause */
function refuseBomb(entries: readonly ZipEntry[], size: number): void {
  const [packed, unpacked] = [sum(entries, 'packed'), sum(entries, 'size')];
  if (packed > size) throw new Error('its files overlap');
  const times = Math.round(unpacked / Math.max(1, packed));
  if (unpacked > MAX_FILE_BYTES && times > MOST_PACKED)
    throw new Error(`its files become ${Math.round(unpacked / MB)} MB, ${times} times as much, as no prices do`);
}

const sum = (entries: readonly ZipEntry[], of: 'packed' | 'size'): number =>
  entries.reduce((all, entry) => all + entry[of], 0);

function* filesOf(archive: string, entries: readonly ZipEntry[]): Generator<Part | undefined> {
  const files = entries.filter((entry) => NESTED_PRICE_FILE.test(entry.name));
  const unread = entries.filter(({ name }) => UNREAD_FILE_NAME.test(name) && !NESTED_PRICE_FILE.test(name));
  if (unread[0] !== undefined) yield { name: `${archive}/${unread[0].name}`, content: unreadReason(unread.length) };
  else if (files.length === 0) yield { name: archive, content: 'it has no price file' };
  for (const entry of files) {
    const name = `${archive}/${entry.name}`;
    // A workbook is an archive itself.
    const content = contentOf(entry);
    if (typeof content === 'string') yield { name, content, isLost: true, of: files.length };
    else for (const part of partsOf(name, sourceOf(content), true)) yield part && { of: files.length, ...part };
  }
}

function contentOf(entry: ZipEntry): Uint8Array | string {
  try {
    return entry.unpack();
  } catch (error) {
    return `it cannot be unpacked (${messageOf(error)}); fetch the archive again, or unpack its price files into the folder`;
  }
}
