// Service, price files: the files in a zip archive and the sheets of a workbook, each as a file of its own.
import AdmZip, { type IZipEntry } from 'adm-zip';
import { NESTED_PRICE_FILE } from '../../../shared/domain/price-file-names.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import type { Part } from './table.ts';
import { MAX_FILE_BYTES } from './text.ts';
import { isWorkbook, sheetsOf } from './workbook.ts';

/** Files in an archive; one of a whole market has 12,000. */
const MAX_FILES = 20_000;
/** What is no file of a person, such as that of a Mac beside each file. */
const IGNORED = /\/$|(^|\/)(\.|__MACOSX\/)/;

/** The file itself, or what an archive or a workbook holds; nothing is unpacked before it is asked for. */
export function* partsOf(name: string, bytes: Uint8Array, isNested = false): Generator<Part> {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b || (bytes[2] !== 3 && bytes[2] !== 5))
    return yield { name, content: bytes };
  try {
    const archive = opened(bytes);
    // The names of entries are read after their number.
    if (archive.getEntryCount() > MAX_FILES) throw new Error(`it has more than ${MAX_FILES} files`);
    const entries = archive.getEntries().filter(({ entryName }) => !IGNORED.test(entryName));
    const size = entries.reduce((sum, { header }) => sum + header.size, 0);
    if (size > MAX_FILE_BYTES) throw new Error(`its files have more than ${MAX_FILE_BYTES / 1024 / 1024} MB together`);
    if (isWorkbook(entries)) yield* sheetsOf(name, entries);
    // What is in an archive in an archive may never end.
    else if (isNested) yield { name, content: 'it is an archive in an archive; unpack it' };
    else yield* filesOf(name, entries);
  } catch (error) {
    yield {
      name,
      content: `it cannot be unpacked (${messageOf(error)}); unpack its price files into the folder, or save its table as CSV`,
    };
  }
}

function opened(bytes: Uint8Array): AdmZip {
  try {
    return new AdmZip(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { noSort: true });
  } catch {
    throw new Error('it is damaged or not whole; fetch it again');
  }
}

function* filesOf(archive: string, entries: readonly IZipEntry[]): Generator<Part> {
  const files = entries.filter(({ entryName }) => NESTED_PRICE_FILE.test(entryName));
  if (files.length === 0)
    yield { name: archive, content: 'it has no price file; unpack the archives in it, if it has any' };
  for (const entry of files) {
    const name = `${archive}/${entry.entryName}`;
    // A workbook is an archive itself.
    const content = contentOf(entry);
    if (typeof content === 'string') yield { name, content };
    else yield* partsOf(name, content, true);
  }
}

function contentOf(entry: IZipEntry): Uint8Array | string {
  try {
    return entry.getData();
  } catch (error) {
    return `it cannot be unpacked (${messageOf(error)}); fetch the archive again, or unpack its price files into the folder`;
  }
}
