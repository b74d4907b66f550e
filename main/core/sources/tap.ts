// Main, core: counts the comments that keep a stream alive, in the raw bytes, before they are parsed.

export interface Tap {
  /** Looks at one chunk. Returns how many comments began in it. */
  pass(chunk: Uint8Array): number;
}

const LF = 10;
const CR = 13;
const COLON = 58;

/** Counts lines that begin with a colon, over chunk borders and for all three line ends of the event-stream format. */
export function createTap(): Tap {
  let atLineStart = true;
  return {
    pass(chunk) {
      if (chunk.length === 0) return 0;
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const first = atLineStart && bytes[0] === COLON ? 1 : 0;
      const last = bytes[bytes.length - 1];
      atLineStart = last === LF || last === CR;
      return first + linesWith(':', bytes).length;
    },
  };
}

const RETRY = 'retry:';
/** A longer value is no time that anybody waits, digits. */
const LONGEST_RETRY = 12;

/**
 * Sees the field by which a service says how long to wait before connecting again; the parser keeps it to itself. Digits only, whole lines only,
 * over chunk borders.
 * @returns for each chunk, the last such time in it, ms; null: there is none
 */
export function createRetryTap(): (chunk: Uint8Array) => number | null {
  /** The beginning of a line that may be such a field; null: the line is another one. */
  let line: Buffer | null = Buffer.alloc(0);
  const couldBe = (start: Buffer): boolean => {
    const text = start.toString('latin1', 0, RETRY.length);
    return start.length <= RETRY.length + 1 + LONGEST_RETRY && RETRY.startsWith(text);
  };
  return (chunk) => {
    let found: number | null = null;
    const bytes =
      line === null || line.length === 0
        ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
        : Buffer.concat([line, chunk]);
    const isStart = line !== null;
    for (const at of isStart ? [0, ...linesWith(RETRY, bytes)] : linesWith(RETRY, bytes)) {
      const value = /^retry: ?(\d{1,12})[\r\n]/.exec(
        bytes.toString('latin1', at, at + RETRY.length + LONGEST_RETRY + 2),
      )?.[1];
      if (value !== undefined) found = Number(value);
    }
    const last = Math.max(bytes.lastIndexOf(LF), bytes.lastIndexOf(CR));
    const tail = bytes.subarray(last + 1);
    line = (last !== -1 || isStart) && couldBe(tail) ? Buffer.from(tail) : null;
    return found;
  };
}

/** Where lines begin with these letters, in order, besides the first line. Looked for with the end of the line before: few bytes are one. */
function linesWith(letters: string, bytes: Buffer): number[] {
  const found: number[] = [];
  for (const start of [`\n${letters}`, `\r${letters}`])
    for (let at = bytes.indexOf(start, 0, 'latin1'); at !== -1; at = bytes.indexOf(start, at + start.length, 'latin1'))
      found.push(at + 1);
  return found.sort((a, b) => a - b);
}

const BOM = Uint8Array.of(0xef, 0xbb, 0xbf);
const EMPTY_COMMENT = Uint8Array.of(COLON, LF);

/**
 * Drops the one byte-order mark that may stand before a stream. Decoder and parser would drop one each; behind an empty comment neither does.
 * @returns what to pass on for each chunk; the first bytes are held until there are enough to tell
 */
export function createBomFilter(): (chunk: Uint8Array) => Uint8Array {
  let held: Uint8Array | null = new Uint8Array();
  return (chunk) => {
    if (held === null) return chunk;
    const start = Buffer.concat([held, chunk]);
    held = start;
    const couldBeBom = start.every((byte, index) => index >= BOM.length || byte === BOM[index]);
    if (couldBeBom && start.length < BOM.length) return new Uint8Array();
    held = null;
    return Buffer.concat([EMPTY_COMMENT, couldBeBom ? start.subarray(BOM.length) : start]);
  };
}
