// Main, command line: `barograph trigger`: makes an event, or those of a file, in a sandbox.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { stateFromQuery } from '../../../shared/domain/states.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { routes } from '../../../shared/wire/routes.ts';
import { UsageError } from '../../host/command-line.ts';
import { answerOf, connectTo, type ServiceFlags } from './service-flags.ts';

export interface TriggerFlags extends ServiceFlags {
  readonly symbol?: string;
  readonly state?: string;
  readonly confidence?: string;
  readonly note?: string;
  readonly fixture?: string;
}

const BodySchema = routes.trigger.body.strict();
type Body = z.output<typeof BodySchema>;

/** Prints one JSON line per event that resulted. Flags fill in what an entry of a file leaves open. */
export async function triggerVerb(event: string | undefined, flags: TriggerFlags): Promise<void> {
  const { symbol, state, confidence, note, fixture } = flags;
  const given = Object.fromEntries(
    Object.entries({
      symbol,
      state: state === undefined ? undefined : (stateFromQuery(state) ?? state),
      confidence: confidence === undefined ? undefined : numberOr(confidence),
      note,
    }).filter(([, value]) => value !== undefined),
  );
  if ((event === undefined) === (fixture === undefined))
    throw new UsageError('Give the name of an event, or --fixture with a file of them.');
  const bodies = fixture === undefined ? [bodyOf({ ...given, event })] : entriesOf(fixture, given);
  const service = connectTo(flags);
  for (const body of bodies) {
    const { data } = await answerOf(() => service.call('trigger', { body }));
    for (const envelope of data) console.log(JSON.stringify(envelope));
  }
}

/** @throws UsageError before anything is sent */
function entriesOf(path: string, given: Readonly<Record<string, unknown>>): Body[] {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`--fixture ${path}: ${messageOf(error)}`);
  }
  const entries = z.array(z.record(z.string(), z.unknown())).min(1).safeParse(value);
  if (!entries.success)
    throw new UsageError(
      `--fixture ${path}: it must be a list like [{"event": "signal.high_risk", "symbol": "SPY", "confidence": 83.3}].`,
    );
  return entries.data.map((entry, index) => {
    try {
      return bodyOf({ ...given, ...entry });
    } catch (error) {
      throw new UsageError(`--fixture ${path}, entry ${index + 1}: ${messageOf(error)}`);
    }
  });
}

function bodyOf(given: Readonly<Record<string, unknown>>): Body {
  const body = BodySchema.safeParse(given);
  if (body.success) return body.data;
  const [issue] = body.error.issues;
  const name = issue?.code === 'unrecognized_keys' ? issue.keys[0] : String(issue?.path[0] ?? '');
  switch (name) {
    case 'event':
      throw new UsageError(
        `${given.event} is no event that can be triggered. Give one of ${BodySchema.shape.event.options.join(', ')}.`,
      );
    case 'symbol':
      throw new UsageError(`--symbol ${given.symbol}: this is no symbol.`);
    case 'state':
      throw new UsageError(`--state ${given.state}: must be normal, elevated, high_risk, or 0, 1, 2.`);
    case 'confidence':
      throw new UsageError(`--confidence ${given.confidence}: must be a number from 0 to 100.`);
    case 'note':
      throw new UsageError('--note: must be a text of at most 500 characters.');
    default:
      throw new UsageError(`${name}: an event to trigger has only ${Object.keys(BodySchema.shape).join(', ')}.`);
  }
}

const numberOr = (text: string): number | string => (/^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text);
