// Faults: checks a history of a cluster by the history alone.
// It knows nothing of the code that made it.
import type { HistoryEvent, Operation } from './cluster-history.ts';

/**
 * - hole: a number of the log that no event has
 * - doubled: one id at two numbers
 * - lost: an acknowledged event that is not in the log
 * - differs: two answers have other events at one number
 * - told-unwritten: told to somebody, and not in the log, or not yet
 * - stream-skips, stream-repeats: a stream, over all its connections
 * - undelivered: an event of the log that the webhook receiver never got
 * - deposed-writes: an entry of a term after the entry of a newer term
 * - two-leaders: one term won twice
 */
export type FindingKind =
  | 'hole'
  | 'doubled'
  | 'lost'
  | 'differs'
  | 'told-unwritten'
  | 'stream-skips'
  | 'stream-repeats'
  | 'undelivered'
  | 'deposed-writes'
  | 'two-leaders';

export interface Finding {
  readonly kind: FindingKind;
  readonly what: string;
  /** Index of the operation that shows it. */
  readonly index: number;
}

type Of<Name extends Operation['f']> = Extract<Operation, { f: Name }>;
const only = <Name extends Operation['f']>(operations: readonly Operation[], f: Name): Of<Name>[] =>
  operations.filter((one): one is Of<Name> => one.f === f && one.type === 'ok');

interface CheckOptions {
  /** The history ends at rest: streams are at the end of the log, nothing waits for delivery. */
  readonly isQuiet: boolean;
}

/** @returns what is wrong, in no order; nothing for a history without a fault */
export function checkHistory(operations: readonly Operation[], { isQuiet }: CheckOptions): Finding[] {
  const final = only(operations, 'read').at(-1);
  return [
    ...checkReads(operations),
    ...checkNumbers(operations),
    ...checkTerms(operations),
    ...checkStreams(operations, isQuiet ? final : undefined),
    ...(final === undefined ? [] : checkFinal(operations, final, isQuiet)),
  ];
}

/** Every answer of a whole log: without holes, every id once. */
function checkReads(operations: readonly Operation[]): Finding[] {
  return only(operations, 'read').flatMap(({ value, index }): Finding[] => {
    const { events } = value;
    const seen = new Set<string>();
    return events.flatMap(({ seq, id }, place): Finding[] => {
      const before = events[place - 1];
      const isDoubled = seen.has(id);
      seen.add(id);
      return [
        ...(before !== undefined && seq !== before.seq + 1
          ? [{ kind: 'hole' as const, what: `${before.seq} is followed by ${seq}`, index }]
          : []),
        ...(isDoubled ? [{ kind: 'doubled' as const, what: `${id} again at ${seq}`, index }] : []),
      ];
    });
  });
}

/** A number of a log means one event, whoever says it, and whenever; one event has one number. */
function checkNumbers(operations: readonly Operation[]): Finding[] {
  const byNumber = new Map<string, string>();
  const byId = new Map<string, number>();
  const findings: Finding[] = [];
  for (const operation of operations)
    for (const { log, seq, id } of eventsIn(operation)) {
      const { index } = operation;
      const known = byNumber.get(`${log} ${seq}`);
      if (known === undefined) byNumber.set(`${log} ${seq}`, id);
      else if (known !== id) findings.push({ kind: 'differs', what: `${seq} is ${known} and ${id}`, index });
      const number = byId.get(`${log} ${id}`);
      if (number === undefined) byId.set(`${log} ${id}`, seq);
      else if (number !== seq) findings.push({ kind: 'doubled', what: `${id} is ${number} and ${seq}`, index });
    }
  return findings;
}

function eventsIn(operation: Operation): readonly HistoryEvent[] {
  if (operation.type !== 'ok') return [];
  if (operation.f === 'stream') return [operation.value];
  if (operation.f === 'read' || operation.f === 'commit') return operation.value.events;
  return [];
}

function checkTerms(operations: readonly Operation[]): Finding[] {
  const findings: Finding[] = [];
  const won = new Map<string, number | 'nemesis'>();
  for (const { value, process, index } of only(operations, 'elect')) {
    const name = `${value.log} ${value.epoch}`;
    const other = won.get(name);
    if (other !== undefined)
      findings.push({ kind: 'two-leaders', what: `term ${value.epoch}: ${other} and ${process}`, index });
    won.set(name, process);
  }
  const newest = new Map<string, number>();
  for (const { value, index } of only(operations, 'commit')) {
    if (value.epoch === null) continue;
    const before = newest.get(value.log) ?? 0;
    if (value.epoch < before)
      findings.push({
        kind: 'deposed-writes',
        what: `${value.position} is of term ${value.epoch}, after ${before}`,
        index,
      });
    newest.set(value.log, Math.max(before, value.epoch));
  }
  return findings;
}

/** A process is one client; its stream goes on where it was, over all connections. */
function checkStreams(operations: readonly Operation[], final: Of<'read'> | undefined): Finding[] {
  const findings: Finding[] = [];
  const places = new Map<number | 'nemesis', { log: string; seq: number; index: number }>();
  for (const { process, f, value, type, index } of operations) {
    if (type !== 'ok') continue;
    if (f === 'resume' && value.after !== null && value.log !== null && !places.has(process))
      places.set(process, { log: value.log, seq: value.after, index });
    if (f !== 'stream') continue;
    const place = places.get(process);
    // After a restored backup a client starts again: the log says that it is another one.
    if (place?.log === value.log) {
      if (value.seq <= place.seq)
        findings.push({ kind: 'stream-repeats', what: `${process}: ${value.seq} after ${place.seq}`, index });
      if (value.seq > place.seq + 1)
        findings.push({ kind: 'stream-skips', what: `${process}: ${value.seq} after ${place.seq}`, index });
    }
    places.set(process, { log: value.log, seq: value.seq, index });
  }
  const last = final?.value.events.at(-1);
  if (final !== undefined && last !== undefined)
    for (const [process, { log, seq, index }] of places)
      if (log === final.value.log && seq < last.seq)
        findings.push({ kind: 'stream-skips', what: `${process} ends at ${seq}, the log at ${last.seq}`, index });
  return findings;
}

/** What was acknowledged, told or written, against the log as it is at the end. */
function checkFinal(
  operations: readonly Operation[],
  { value, index: readAt }: Of<'read'>,
  isQuiet: boolean,
): Finding[] {
  const { log, events } = value;
  const first = events[0]?.seq ?? 1;
  const ids = new Set(events.map(({ id }) => id));
  const findings: Finding[] = [];
  const restored = operations.findLast(({ f, type }) => f === 'restore' && type === 'ok')?.index ?? -1;
  const begun = new Map(
    operations.map(({ f, type, process, index }) => [f === 'append' && type === 'invoke' ? process : null, index]),
  );
  for (const { value: written, index, process } of only(operations, 'append'))
    if ((begun.get(process) ?? index) > restored)
      for (const id of written ?? [])
        if (!ids.has(id)) findings.push({ kind: 'lost', what: `${id} was acknowledged`, index });
  for (const { value: told, index } of only(operations, 'stream'))
    if (index < readAt && told.log === log && told.seq >= first && !ids.has(told.id))
      findings.push({ kind: 'told-unwritten', what: `${told.id} on a stream`, index });
  const after = only(operations, 'subscribe')[0]?.value.after ?? 0;
  const delivered = new Set<string>();
  for (const { value: told, index } of only(operations, 'deliver')) {
    // Also what was delivered before a backup was restored.
    delivered.add(told.id);
    // What came after the last reading of the log cannot be in it.
    if (index < readAt && told.log === log && !ids.has(told.id))
      findings.push({ kind: 'told-unwritten', what: `${told.id} to a webhook`, index });
  }
  if (isQuiet && operations.some(({ f }) => f === 'deliver'))
    for (const { id, seq } of events)
      if (seq > after && !delivered.has(id))
        findings.push({ kind: 'undelivered', what: id, index: operations.length - 1 });
  return [...findings, ...checkInstants(operations)];
}

/** Where the history has the instants at which entries became durable, nobody was told before. */
function checkInstants(operations: readonly Operation[]): Finding[] {
  const findings: Finding[] = [];
  const durable = new Set<string>();
  if (!operations.some(({ f }) => f === 'commit')) return [];
  for (const { f, type, value, index } of operations) {
    if (type !== 'ok') continue;
    if (f === 'commit') for (const { log, id } of value.events) durable.add(`${log} ${id}`);
    if ((f === 'stream' || f === 'deliver') && !durable.has(`${value.log} ${value.id}`))
      findings.push({ kind: 'told-unwritten', what: `${value.id} before it was durable`, index });
  }
  return findings;
}
