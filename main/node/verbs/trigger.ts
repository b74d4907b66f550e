// Main, command line: `barograph trigger`: makes an event happen now in a sandbox service.
import { messageOf } from '../../../shared/lib/result.ts';
import { ErrorBodySchema } from '../../../shared/wire/errors.ts';
import { routes } from '../../../shared/wire/routes.ts';
import { oneLine, UsageError } from '../../core/host/command-line.ts';
import { takeKeyFromEnvironment } from '../../core/host/secrets.ts';
import { type ServiceFlags, serviceOf } from './service-flags.ts';

export interface TriggerFlags extends ServiceFlags {
  readonly symbol?: string;
}

const LIMIT = 10_000;

/** Prints one JSON line per event that came of it. */
export async function triggerVerb(event: string, flags: TriggerFlags): Promise<void> {
  const { trigger } = routes;
  const body = trigger.body?.safeParse({ event, symbol: flags.symbol });
  if (body?.success !== true) throw new UsageError(wrongBody(event, flags));
  const { url, key } = serviceOf(flags, takeKeyFromEnvironment(process.env));
  const answer = await fetch(`${url.replace(/\/+$/, '')}${trigger.path}`, {
    method: trigger.method,
    headers: { 'content-type': 'application/json', ...(key === null ? {} : { 'x-api-key': key }) },
    body: JSON.stringify(body.data),
    redirect: 'error',
    signal: AbortSignal.timeout(LIMIT),
  }).catch((thrown) => {
    throw new Error(`The service at ${url} does not answer: ${messageOf(thrown)}.`);
  });
  const text = await answer.text();
  const parsed = parse(text);
  if (!answer.ok) {
    const error = ErrorBodySchema.safeParse(parsed);
    throw new Error(
      `The service refused: ${error.success ? `${error.data.message} (${error.data.code})` : `${answer.status} ${oneLine(text).slice(0, 200)}`}`,
    );
  }
  for (const envelope of trigger.reply.parse(parsed).data) console.log(JSON.stringify(envelope));
}

function wrongBody(event: string, { symbol }: TriggerFlags): string {
  const { trigger } = routes;
  const events = trigger.body?.shape.event.options.join(', ');
  if (trigger.body?.shape.event.safeParse(event).success === true) return `--symbol ${symbol}: this is no symbol.`;
  return `${event} is no event that can be triggered. Give one of ${events}.`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
