// Main, core: cuts frames of the event stream that are too large for the parser; adds their size.
// Without the cut, such a frame would break every later connection at the same event.

const LF = 10;
const CR = 13;
/** A frame beyond this, bytes, counts as endless: the stream breaks, and the list is read. */
const ENDLESS = 32 * 1024 * 1024;
/** Longest line after the cut that is checked for its field, bytes. */
const LONGEST_FIELD = 1_024;
const PREFIX = 'barograph-cut ';

const FIELDS = ['id:', 'event:'];
const isField = (head: string): boolean => FIELDS.some((field) => head.startsWith(field));
const couldBeField = (head: string): boolean => isField(head) || FIELDS.some((field) => field.startsWith(head));

export interface CutData {
  /** The kept part. */
  readonly data: string;
  /** Bytes of the whole frame. */
  readonly size: number;
}

/** The data of a cut frame; null: not cut. The prefix cannot be in a service's own data, which is JSON. */
export function cutDataOf(data: string): CutData | null {
  const at = data.lastIndexOf(`\n${PREFIX}`);
  const size = at === -1 ? '' : data.slice(at + 1 + PREFIX.length);
  return /^\d{1,15}$/.test(size) ? { data: data.slice(0, at), size: Number(size) } : null;
}

/**
 * A filter of bytes: passes `most` bytes of each frame, then its id and event name alone, then a line of data
 * with its size.
 */
export function createFrameLimit(most: number): (chunk: Uint8Array) => Uint8Array {
  let size = 0;
  let isCut = false;
  let hasData = false;
  /** The current line: length, first bytes, and bytes after the cut. */
  let lineLength = 0;
  let head = '';
  let rest: Buffer[] = [];
  let isWithinCutLine = false;
  let wasCr = false;

  const endLine = (emit: (bytes: Uint8Array) => void): void => {
    if (isWithinCutLine) emit(Buffer.from('\n'));
    else if (isCut && lineLength <= LONGEST_FIELD && isField(head)) emit(Buffer.concat([...rest, Buffer.from('\n')]));
    isWithinCutLine = false;
    rest = [];
  };
  const endFrame = (emit: (bytes: Uint8Array) => void): void => {
    if (isCut) emit(Buffer.from(hasData ? `data: ${PREFIX}${size}\n\n` : '\n'));
    size = 0;
    isCut = false;
    hasData = false;
  };

  return (chunk) => {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const passed: Uint8Array[] = [];
    const emit = (part: Uint8Array): void => void passed.push(part);
    let cr = bytes.indexOf(CR);
    let wasCutHere = isCut;
    /** Start of the bytes that pass unchanged. */
    let from = 0;
    for (let at = 0; at < bytes.length; ) {
      if (cr !== -1 && cr < at) cr = bytes.indexOf(CR, at);
      const lf = bytes.indexOf(LF, at);
      const end = Math.min(lf === -1 ? bytes.length : lf, cr === -1 ? bytes.length : cr);
      const length = end - at;
      if (head.length < 6) head += bytes.toString('latin1', at, Math.min(end, at + 6 - head.length));
      if (!isCut && size + length > most && !(lineLength + length <= LONGEST_FIELD && couldBeField(head))) {
        const kept = at + Math.max(0, most - size);
        emit(bytes.subarray(from, kept));
        isCut = true;
        wasCutHere = true;
        // A line without a passed byte must not end: an empty line would end the frame.
        isWithinCutLine = kept > at || lineLength > 0;
      } else if (isCut && !isWithinCutLine && lineLength + length <= LONGEST_FIELD) rest.push(bytes.subarray(at, end));
      size += length;
      if (size > ENDLESS) throw new Error('a message without end');
      lineLength += length;
      at = end;
      if (end === bytes.length) break;
      const isPair = bytes[end] === LF && wasCr && lineLength === 0;
      wasCr = bytes[end] === CR;
      at = end + 1;
      // The LF of a CR LF pair.
      if (isPair) {
        if (isCut) from = at;
        continue;
      }
      if (/^data(:|$)/.test(head)) hasData = true;
      if (lineLength === 0) {
        if (isCut) from = at;
        endFrame(emit);
      } else if (isCut) {
        endLine(emit);
        from = at;
      }
      lineLength = 0;
      head = '';
    }
    if (!isCut) emit(bytes.subarray(from));
    return !wasCutHere ? chunk : Buffer.concat(passed);
  };
}
