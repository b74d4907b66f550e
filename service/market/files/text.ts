// Service, price files: the text of a file: unpacks gzip, and finds the encoding.
import { gunzipSync } from 'node:zlib';
import { err, messageOf, ok, type Result } from '../../../shared/lib/result.ts';
import { isHeader } from './columns.ts';

/** Size limit of a file, packed or not: a larger text may exceed the maximum length of a string. */
export const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** Bytes from which UTF-16 without a byte-order mark is told. */
const PROBE = 400;

/** Encodings of programs on Windows. Bytes that are not UTF-8 have that in which a line names columns, or the first. */
const LEGACY = ['windows-1252', 'shift_jis', 'gb18030', 'euc-kr', 'big5', 'windows-1251'] as const;
/** Bytes in which such a line is looked for. */
const HEAD_BYTES = 4_096;

const NO_TABLES: readonly (readonly [RegExp, string])[] = [
  [/^\s*<(!doctype|html|\?xml)/i, 'this is a web page, not prices; fetch the file again'],
  [/^PK[^\w\s,;|]/, 'this is an archive; unpack it'],
  [/^\u00d0\u00cf/, 'this is a workbook of an Excel before 2007; save it as XLSX, or its table as CSV'],
  [/^%PDF/, 'this is a PDF; save its table as CSV'],
  [/^\s*[{[]\s*["{[]/, 'this is JSON; fetch it as CSV (Alpha Vantage: datatype=csv)'],
];

/** @returns the text, or one sentence about why there is none */
export function textOf(packed: Uint8Array): Result<string, string> {
  const isPacked = packed[0] === 0x1f && packed[1] === 0x8b;
  let bytes = packed;
  try {
    if (isPacked) bytes = gunzipSync(packed, { maxOutputLength: MAX_FILE_BYTES });
  } catch (error) {
    return err(`the gzip file cannot be unpacked (${messageOf(error)}); fetch it again`);
  }
  const unicode = new TextDecoder(encodingOf(bytes)).decode(bytes);
  const text = unicode.includes('\uFFFD') ? new TextDecoder(legacyOf(bytes)).decode(bytes) : unicode;
  const other = NO_TABLES.find(([pattern]) => pattern.test(text));
  if (other !== undefined) return err(other[1]);
  if (text.includes('\u0000')) return err('this is not UTF-8 text; save it as CSV in UTF-8');
  // Programs write CRLF, old ones CR, and joined files all of them.
  return ok(text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);
}

function legacyOf(bytes: Uint8Array): string {
  const names = (encoding: string): boolean => {
    try {
      const head = new TextDecoder(encoding).decode(bytes.subarray(0, HEAD_BYTES));
      return head.split(/[\r\n]+/).some((line) => isHeader(line.split(/[,;\t|]/)));
    } catch {
      // A runtime may lack an encoding.
      return false;
    }
  };
  return LEGACY.find(names) ?? LEGACY[0];
}

function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const probe = bytes.subarray(0, PROBE);
  const isWide = (first === 0xff && second === 0xfe) || (probe.length > 3 && isZeroAtOdd(probe));
  return isWide ? 'utf-16le' : 'utf-8';
}

const isZeroAtOdd = (bytes: Uint8Array): boolean =>
  bytes.every((byte, index) => (index % 2 === 1 ? byte === 0 : byte !== 0));
