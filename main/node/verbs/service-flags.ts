// Main, command line: which service a verb speaks to, and with which key: as flags name it, else the one inside the running app; and how it is asked.
import { z } from 'zod';
import { connect, type Result, type ServiceClient, type ServiceProblem } from '../../../client/index.ts';
import { GIVEN_KEY_PATTERN } from '../../../shared/wire/keys.ts';
import { UsageError } from '../../host/command-line.ts';
import { readRunFile } from '../../host/run-file.ts';
import { takeKeyFromEnvironment } from '../../host/secrets.ts';

export interface ServiceFlags {
  readonly dataDir: string;
  readonly url?: string;
  readonly key?: string;
}

const UrlSchema = z.url({ protocol: /^https?$/ });

/** Whoever types a command waits rather than not knowing whether it was done, ms. */
const DEADLINE = 30_000;
/** So often a service that has too much to do, or is starting, is asked again when it said that it may. */
const TRIES = 5;
const LONGEST_PAUSE = 10_000;

/** @throws UsageError for a key that a command line may not carry, an address that is none, or no app to ask */
export function serviceOf({ dataDir, url, key }: ServiceFlags): { url: string; key: string | null } {
  const environmentKey = takeKeyFromEnvironment(process.env);
  if (key !== undefined && !GIVEN_KEY_PATTERN.test(key))
    throw new UsageError(
      '--key takes svc_test_ keys only, followed by 16 or more of A-Z, a-z, 0-9. Any other key goes into BAROGRAPH_KEY.',
    );
  if (url !== undefined) return { url: addressOf('--url', url), key: key ?? environmentKey };
  const sandbox = readRunFile(dataDir)?.sandbox ?? null;
  if (sandbox === null)
    throw new UsageError(
      `No app with a sandbox runs in ${dataDir}. Start it with npm start, or name a service with --url and --key.`,
    );
  return { url: sandbox.url, key: key ?? sandbox.key };
}

/** @throws as serviceOf does */
export function connectTo(flags: ServiceFlags): ServiceClient {
  const { url, key } = serviceOf(flags);
  return connect({ baseUrl: url, ...(key === null ? {} : { key }), deadline: DEADLINE });
}

/**
 * The answer. A request that was refused only for now (503 with Retry-After) was not carried out, and is made again.
 * @throws Error whose message is for the user
 */
export async function answerOf<Value>(
  ask: () => Promise<Result<{ readonly value: Value }, ServiceProblem>>,
  pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms)),
): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask();
    if (answer.ok) return answer.value.value;
    const { status, retryAfter } = answer.error;
    if (status !== 503 || retryAfter === null || retryAfter > LONGEST_PAUSE || attempt === TRIES)
      throw refusal(answer.error);
    await pause(retryAfter);
  }
}

export const refusal = ({ message, code }: ServiceProblem): Error =>
  new Error(code === '' ? message : `The service refused: ${message} (${code})`);

/** @param name of the flag or argument, for the message */
export function addressOf(name: string, url: string): string {
  if (!UrlSchema.safeParse(url).success) throw new UsageError(`${name} ${url}: must be an http or https address.`);
  return url;
}
