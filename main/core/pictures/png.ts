// Main, core: turns SVG into PNG by a process for each picture, one at a time.
import { z } from 'zod';
import type { Clock } from '../../../shared/lib/clock.ts';
import type { ProcessStarter } from '../ports.ts';

const ReplySchema = z.union([
  z.object({ png: z.base64().transform((text) => Buffer.from(text, 'base64')) }),
  z.object({ problem: z.string() }),
]);

/** Deadline of a picture, ms; on a busy computer it takes three seconds. */
const LIMIT = 10_000;
const MOST_WAITING = 20;

/** Rejects where the picture cannot be drawn, or not in time. */
export type PngRenderer = (svg: string) => Promise<Buffer>;

export function createPngRenderer(start: ProcessStarter<string>, clock: Clock): PngRenderer {
  const render = async (svg: string): Promise<Buffer> => {
    const { promise: result, resolve } = Promise.withResolvers<unknown>();
    const child = start();
    const cancel = clock.after(LIMIT, () => resolve({ problem: `not drawn within ${LIMIT / 1000} s` }));
    child.onReply(resolve);
    child.onEnd((problem) => resolve({ problem }));
    child.send(svg);
    const reply = ReplySchema.safeParse(await result).data;
    cancel();
    child.kill();
    if (reply !== undefined && 'png' in reply) return reply.png;
    throw new Error(reply?.problem ?? 'the picture could not be read');
  };
  // Each takes a core and 110 MB: a burst of alerts must not take all of both.
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (svg) => {
    if (waiting >= MOST_WAITING) throw new Error('too many pictures are wanted at once');
    waiting += 1;
    const made = last.then(() => render(svg));
    last = made.catch(() => undefined);
    return made.finally(() => {
      waiting -= 1;
    });
  };
}
