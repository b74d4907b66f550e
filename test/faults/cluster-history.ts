// Faults: the history of a cluster: its requests and answers, one line an operation.
// Jepsen's checkers read this form.
import { z } from 'zod';

const EventSchema = z.strictObject({
  /** Which log: another one after a database was restored from a backup. */
  log: z.string(),
  seq: z.int(),
  id: z.string(),
});
export type HistoryEvent = z.infer<typeof EventSchema>;

const VALUES = {
  /** A client asks for one event to be written. ok: it is in the log; fail: it is not; info: nobody knows. */
  append: z.union([z.null(), z.array(z.string())]),
  /** An entry of the journal is durable; only a simulation sees the instant. */
  commit: z.strictObject({
    log: z.string(),
    position: z.int(),
    /** The term at which the writer believed to lead; null for what any node may write. */
    epoch: z.int().nullable(),
    events: z.array(EventSchema),
  }),
  /** A node won the leadership with this term. */
  elect: z.strictObject({ log: z.string(), epoch: z.int() }),
  /** A client opens a stream after an event; null: from now on. */
  resume: z.strictObject({ after: z.int().nullable(), log: z.string().nullable() }),
  /** A stream told its client an event. */
  stream: EventSchema,
  /** A webhook receiver is to get every event after this number; without it every event of the log. */
  subscribe: z.strictObject({ log: z.string(), after: z.int() }),
  /** A webhook receiver accepted an event. */
  deliver: EventSchema.omit({ seq: true }),
  /** The whole log as one node answers it. */
  read: z.strictObject({ log: z.string(), events: z.array(EventSchema) }),
  /** The operator restored a backup. */
  restore: z.strictObject({ log: z.string() }),
  /** A fault of the environment: kill, freeze, cut. */
  nemesis: z.string(),
} as const;

const operation = <Name extends keyof typeof VALUES>(f: Name) =>
  z.strictObject({
    index: z.int(),
    type: z.enum(['invoke', 'ok', 'fail', 'info']),
    process: z.union([z.int(), z.literal('nemesis')]),
    f: z.literal(f),
    value: VALUES[f],
    /** ns from the start. */
    time: z.int(),
  });
const OperationSchema = z.discriminatedUnion('f', [
  operation('append'),
  operation('commit'),
  operation('elect'),
  operation('resume'),
  operation('stream'),
  operation('subscribe'),
  operation('deliver'),
  operation('read'),
  operation('restore'),
  operation('nemesis'),
]);
export type Operation = z.infer<typeof OperationSchema>;

type NewOperation = Operation extends infer One ? (One extends Operation ? Omit<One, 'index' | 'time'> : never) : never;

export interface History {
  add(operation: NewOperation): void;
  readonly operations: readonly Operation[];
}

/** @param now ms; any origin */
export function createHistory(now: () => number): History {
  const operations: Operation[] = [];
  const startedAt = now();
  return {
    operations,
    add(given) {
      const time = Math.round((now() - startedAt) * 1e6);
      operations.push({ index: operations.length, ...given, time } as Operation);
    },
  };
}

export const toLines = (operations: readonly Operation[]): string =>
  operations.map((one) => `${JSON.stringify(one)}\n`).join('');

/** @throws ZodError or SyntaxError for a line that is no operation */
export const fromLines = (text: string): Operation[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => OperationSchema.parse(JSON.parse(line)));

/** The same history as Jepsen stores it (history.edn). */
export const toEdn = (operations: readonly Operation[]): string =>
  operations
    .map(
      ({ index, type, process, f, value, time }) =>
        `{:index ${index}, :type :${type}, :process ${process === 'nemesis' ? ':nemesis' : process}, :f :${f}, :value ${edn(value)}, :time ${time}}\n`,
    )
    .join('');

function edn(value: unknown): string {
  if (value === null) return 'nil';
  if (Array.isArray(value)) return `[${value.map(edn).join(' ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, one]) => `:${name} ${edn(one)}`)
    .join(', ')}}`;
}
