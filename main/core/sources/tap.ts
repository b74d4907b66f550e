// Main, core: reads comments, `retry` and byte-order mark in a stream's bytes, before the parser.

export interface Tap {
  /** Reads one chunk. Returns the number of comments that begin in it. */
  pass(chunk: Uint8Array): number;
}

const LF = 10;
const CR = 13;
const COLON = 58;

/**
 * Counts lines that begin with a colon, across chunk borders, for all three line ends of the event-stream
 * format.
 */
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
/** Most digits of a plausible wait. */
const LONGEST_RETRY = 12;

/**
 * Reads the `retry` field, which the parser does not expose. Digits only, whole lines only, across chunk
 * borders.
 * @returns for each chunk, the last `retry` in it, ms; null: none
 */
export function createRetryTap(): (chunk: Uint8Array) => number | null {
  /** The beginning of a line that may be a `retry` field; null: any other line. */
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

/**
 * Positions after a line end where these letters follow. The search includes the line end, because few bytes
 * are one.
 */
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
 * Drops a byte-order mark at the start of a stream. Decoder and parser would drop one each, but neither drops
 * one after an empty comment.
 * @returns the bytes to pass on for each chunk; the first ones are buffered until the mark can be recognized
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
