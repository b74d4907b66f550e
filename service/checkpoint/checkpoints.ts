// Service, checkpoint: keeps engine, tracks and older rows in the cache file.
import { z } from 'zod';
import { messageOf } from '../../shared/lib/result.ts';
import type { EngineState, TrackState } from '../engine/types.ts';
import type { Logger } from '../logger.ts';
import type { RowStore } from '../signals/closed-row.ts';
import type { Checkpoints, SavedCloses } from '../signals/closes-reader.ts';
import type { SavedTrack } from '../signals/track.ts';
import type { Steps } from '../steps.ts';
import type { CacheFile } from './cache-file.ts';

/** Name of its value. */
const CHECKPOINT = 'checkpoint';

/** Blocks that are kept in memory after a reading, of 11 kB: more than one symbol has, and the weeks of a briefing of 50. */
const CACHED_BLOCKS = 192;
/** Parts that one step checks: some ms. */
const PARTS_A_STEP = 64;

/**
 * The parts are two for each symbol, in the order of the market's instruments: the engine's track, and the
 * `SavedTrack`. They are read one by one when they are used, because all together are a hundred megabytes.
 */
const HeadSchema = z.object({
  version: z.string(),
  days: z.object({ count: z.number(), hash: z.string(), date: z.string(), closedAt: z.number() }),
  lastDates: z.array(z.string().nullable()),
  /** Ids of the blocks of all tracks. */
  blocks: z.array(z.number()),
  /** Engine state without its symbols; the engine checks whether it is its own. */
  engine: z.custom<Omit<EngineState, 'symbols'>>(),
});
type Head = z.infer<typeof HeadSchema>;

/**
 * @param version of the program: another one may compute otherwise, so its checkpoint is not used. null: there
 *   are only rows, and no checkpoint
 */
export function createCheckpoints(file: CacheFile, version: string | null, logger: Logger): Checkpoints {
  /** Ids of the blocks of the checkpoint. */
  let kept: ReadonlySet<number> = new Set();
  let failing = '';
  /** Logs a repeated failure once: a full disk stays full for a while. */
  const failed = (error: unknown): void => {
    const text = messageOf(error);
    if (text !== failing) logger.warn({ error: text }, 'the cache cannot be written');
    failing = text;
  };
  const discard = (why: string): void => {
    logger.info({ why }, 'the checkpoint is not used: closes are computed from the first bar');
    try {
      file.clear();
    } catch (error) {
      failed(error);
      file.abandon();
    }
  };
  const headOf = (): Head | undefined => HeadSchema.safeParse(file.value(CHECKPOINT)?.head).data;

  return {
    rows: createRowStore(file, { failed, damaged: () => discard('it is damaged'), isKept: (id) => kept.has(id) }),
    discard,
    used: ({ days: { date } }) => logger.info({ date }, 'continuing from the checkpoint'),

    *load() {
      try {
        const [head, parts] = [headOf(), file.value(CHECKPOINT)?.parts ?? []];
        if (head === undefined) return null;
        if (head.version === version) {
          yield* check(file, [...parts, ...head.blocks]);
          return savedCloses(file, head, parts);
        }
        discard(`version ${head.version} made it`);
      } catch (error) {
        discard(messageOf(error));
      }
      return null;
    },

    *save(take) {
      if (version === null) return;
      const { days, tracks, engine: whole } = take();
      const { symbols, ...engine } = whole;
      const blocks: number[] = [];
      const parts = function* (): Generator<TrackState | SavedTrack | null> {
        let index = 0;
        for (const track of tracks) {
          blocks.push(...(track?.rows.blocks.filter((block) => typeof block === 'number') ?? []));
          yield symbols[index++]?.track ?? null;
          yield track;
        }
      };
      const lastDates = symbols.map(({ lastDate }) => lastDate);
      try {
        yield* file.replace(CHECKPOINT, parts(), (): Head => {
          kept = new Set(blocks);
          return { version, days, lastDates, blocks, engine };
        });
      } catch (error) {
        failed(error);
      }
    },

    *prune(inUse) {
      try {
        kept = new Set(headOf()?.blocks);
        const { all, ofValues } = file.ids();
        const used = new Set([...kept, ...ofValues]);
        for (const { closed } of inUse) for (const id of closed.rows.storedBlocks()) used.add(id);
        yield* file.remove(all.filter((id) => !used.has(id)));
      } catch (error) {
        failed(error);
      }
    },
  };
}

/** @throws Error if a part cannot be read as it was written */
function* check(file: CacheFile, parts: readonly number[]): Steps<void> {
  for (const [index, id] of parts.entries()) {
    if (!file.isWhole(id)) throw new Error('it is damaged');
    if (index % PARTS_A_STEP === 0) yield;
  }
}

function savedCloses(file: CacheFile, { days, lastDates, engine }: Head, parts: readonly number[]): SavedCloses {
  const part = (index: number): unknown => file.part(parts[index] as number);
  return {
    days,
    engine: {
      ...engine,
      symbols: lastDates.map((lastDate, index) => ({
        lastDate,
        get track() {
          return part(2 * index) as TrackState | null;
        },
      })),
    },
    tracks: (function* () {
      for (const index of lastDates.keys()) yield part(2 * index + 1) as SavedTrack | null;
    })(),
  };
}

interface RowStoreDeps {
  readonly failed: (error: unknown) => void;
  readonly damaged: () => void;
  readonly isKept: (id: number) => boolean;
}

function createRowStore(file: CacheFile, { failed, damaged, isKept }: RowStoreDeps): RowStore {
  /** The last ones read, the newest last. */
  const cached = new Map<number, Float64Array>();
  const none = { id: 0, numbers: new Float64Array() as Float64Array };
  let newest = none;
  return {
    write(numbers, over) {
      try {
        if (over === null || isKept(over)) return file.add(numbers);
        cached.delete(over);
        newest = none;
        file.overwrite(over, numbers);
        return over;
      } catch (error) {
        failed(error);
        return null;
      }
    },
    read(id) {
      if (id === newest.id) return newest.numbers;
      const numbers = cached.get(id) ?? file.numbers(id);
      if (numbers === undefined) {
        damaged();
        throw new Error('the cache of past days is damaged: the next start computes them again');
      }
      cached.delete(id);
      cached.set(id, numbers);
      for (const oldest of cached.keys()) {
        if (cached.size <= CACHED_BLOCKS) break;
        cached.delete(oldest);
      }
      newest = { id, numbers };
      return numbers;
    },
  };
}
