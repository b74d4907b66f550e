// Main, command line: finds the service and key of a verb in its flags, or in the running app.
import { z } from 'zod';
import { connect, type Result, type ServiceClient, type ServiceProblem } from '../../../client/index.ts';
import { GIVEN_KEY_PATTERN } from '../../../shared/wire/keys.ts';
import { UsageError } from '../../host/command-line.ts';
import { listenerAt } from '../../host/listener.ts';
import { readRunFile, sandboxOf } from '../../host/run-file.ts';
import { takeKeyFromEnvironment } from '../../host/secrets.ts';
import { openProcessNetwork } from '../../service/process-network.ts';
import { mustProve } from './must-prove.ts';

export interface ServiceFlags {
  readonly dataDir: string;
  readonly url?: string;
  readonly key?: string;
}

const UrlSchema = z.url({ protocol: /^https?$/ });

/** Deadline, ms: a user at a terminal waits rather than not know the outcome. */
const DEADLINE = 30_000;
/** Attempts while the service is overloaded or starting and allows a retry. */
const TRIES = 5;
const LONGEST_PAUSE = 10_000;

/** The service of a verb. */
export interface NamedService {
  readonly url: string;
  readonly key: string | null;
  /**
   * `user`: a service without a proof is allowed, because the user named its address for this command. null:
   * the owner of the listening program decides.
   */
  readonly trust: 'proof' | 'user' | null;
}

/** @throws UsageError for a key that a command line may not carry, an invalid address, or no running app */
export function serviceOf({ dataDir, url, key }: ServiceFlags): NamedService {
  const environmentKey = takeKeyFromEnvironment(process.env);
  if (key !== undefined && !GIVEN_KEY_PATTERN.test(key))
    throw new UsageError(
      '--key takes svc_test_ keys only, followed by 16 or more of A-Z, a-z, 0-9. Any other key goes into BAROGRAPH_KEY.',
    );
  if (url !== undefined) {
    const trust = mustProve(dataDir, addressOf('--url', url)) ? 'proof' : 'user';
    return { url, key: key ?? environmentKey, trust };
  }
  const sandbox = sandboxOf(readRunFile(dataDir));
  if (sandbox === null)
    throw new UsageError(
      `No app with a sandbox runs in ${dataDir}. Start it with npm start, or name a service with --url and --key.`,
    );
  return { url: sandbox.url, key: key ?? sandbox.key, trust: null };
}

/** @throws as serviceOf does */
export function connectTo(flags: ServiceFlags): ServiceClient {
  const { url, key, trust } = serviceOf(flags);
  return connect({
    baseUrl: url,
    ...(key === null ? {} : { key }),
    deadline: DEADLINE,
    fetch: openProcessNetwork(process.env).fetch,
    listener: listenerAt,
    trusted: trust === 'user',
    mustProve: trust === 'proof',
  });
}

/**
 * Returns the answer. Retries a request that was temporarily refused (503 with Retry-After), since it was not
 * carried out.
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
