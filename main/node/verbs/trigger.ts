// Main, command line: `barograph trigger`: makes an event happen now in a sandbox service.
import { z } from 'zod';
import { messageOf } from '../../../shared/lib/result.ts';
import { ErrorBodySchema } from '../../../shared/wire/errors.ts';
import { GIVEN_KEY_PATTERN } from '../../../shared/wire/keys.ts';
import { routes } from '../../../shared/wire/routes.ts';
import { oneLine, UsageError } from '../../core/host/command-line.ts';
import { readRunFile } from '../../core/host/run-file.ts';

export interface TriggerFlags {
  readonly dataDir: string;
  readonly symbol?: string;
  readonly url?: string;
  readonly key?: string;
}

const LIMIT = 10_000;
const UrlSchema = z.url({ protocol: /^https?$/ });

/** Prints one JSON line per event that came of it. */
export async function triggerVerb(event: string, flags: TriggerFlags): Promise<void> {
  const { trigger } = routes;
  const body = trigger.body?.safeParse({ event, symbol: flags.symbol });
  if (body?.success !== true) throw new UsageError(wrongBody(event, flags));
  const { url, key } = serviceOf(flags);
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

function serviceOf({ dataDir, url, key }: TriggerFlags): { url: string; key: string | null } {
  if (key !== undefined && !GIVEN_KEY_PATTERN.test(key))
    throw new UsageError('--key takes svc_test_ keys only, followed by 16 or more of A-Z, a-z, 0-9.');
  if (url !== undefined) {
    if (!UrlSchema.safeParse(url).success) throw new UsageError(`--url ${url}: an http or https address is needed.`);
    return { url, key: key ?? null };
  }
  const sandbox = readRunFile(dataDir)?.sandbox ?? null;
  if (sandbox === null)
    throw new UsageError(`No app with a sandbox runs in ${dataDir}. Start it with npm start, or name a service with --url and --key.`);
  return { url: sandbox.url, key: key ?? sandbox.key };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
