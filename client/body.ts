// Client: reads the body of an answer, up to a size limit and the deadline of its call.
import { err, ok, type Result } from '../shared/lib/result.ts';

/** Larger than any page of a hundred records; a larger body is refused unread. */
export const BODY_LIMIT = 8 * 1024 * 1024;

/** Characters of a body beyond the limit that are kept. */
const BEGINNING = 64 * 1024;

export interface BodyProblem {
  readonly tooLarge: boolean;
  /** Of the body. */
  readonly beginning: string;
}

/**
 * Reads the body as text.
 * @param signal ends the read; a custom fetch may not watch its own signal
 * @param cut true: a longer body is cut at the limit; false: it is refused
 * @throws what the transport throws when it breaks off
 */
export async function readBody(
  response: Response,
  limit: number,
  signal: AbortSignal,
  cut = false,
): Promise<Result<string, BodyProblem>> {
  if (response.body === null) return ok('');
  const reader = response.body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel);
  try {
    const decoder = new TextDecoder();
    let text = '';
    let bytes = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (signal.aborted) throw signal.reason;
      if (done) return ok(text + decoder.decode());
      bytes += value.byteLength;
      text += decoder.decode(value, { stream: true });
      if (bytes <= limit) continue;
      cancel();
      return cut ? ok(text.slice(0, limit)) : err({ tooLarge: true, beginning: text.slice(0, BEGINNING) });
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
