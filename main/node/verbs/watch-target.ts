// Main, command line: which service `barograph listen` watches, with which key.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { FetchLike } from '../../../client/request.ts';
import { messageOf } from '../../../shared/lib/result.ts';
import { keyEnvironment } from '../../../shared/wire/keys.ts';
import type { Profile } from '../../core/profiles/settings.ts';
import { UsageError } from '../../host/command-line.ts';
import { readRunFile, sandboxOf } from '../../host/run-file.ts';
import { takeKeyFromEnvironment } from '../../host/secrets.ts';
import { mustProve } from './must-prove.ts';

interface WatchFlags {
  readonly dataDir: string;
  readonly profile?: string;
  readonly url?: string;
}

interface WatchTarget {
  /** null: the profile requested by name. */
  readonly profile: Profile | null;
  readonly key: string | null;
}

const PROBE_TIMEOUT_MS = 5_000;
const IdentitySchema = z.object({ environment: z.enum(['sandbox', 'production']) });

/**
 * Finds the service: by name from the settings, by address, or the embedded one of the running app.
 * @throws UsageError where the flags name none, or two
 */
export async function watchedBy(
  { dataDir, profile, url }: WatchFlags,
  environment: NodeJS.ProcessEnv,
  fetch: FetchLike,
): Promise<WatchTarget> {
  if (profile !== undefined && url !== undefined) throw new UsageError('Give --profile or --url, not both.');
  if (profile !== undefined) return { profile: null, key: null };
  if (url === undefined) {
    const sandbox = sandboxOf(readRunFile(dataDir));
    if (sandbox === null)
      throw new UsageError(
        `No app with a sandbox runs in ${dataDir}. Start it with npm start, or name a service with --profile or --url.`,
      );
    return { profile: profileOf('listen-app', 'sandbox', sandbox.url), key: sandbox.key };
  }
  const address = z.url({ protocol: /^https?$/ }).safeParse(url);
  if (!address.success) throw new UsageError(`--url ${url}: must be an http or https address.`);
  const given = takeKeyFromEnvironment(environment);
  const key = given ?? keyOfRunningApp(dataDir, url);
  const keyed = (key === null ? null : keyEnvironment(key)) ?? (await environmentOf(url, fetch));
  const named = profileOf(`url-${createHash('sha256').update(url).digest('hex').slice(0, 12)}`, keyed, url);
  // The service inside the app proves itself; only a key that the user gave for this address needs no proof.
  const trust = mustProve(dataDir, url) ? 'proof' : given === null ? null : 'user';
  if (trust === null) return { profile: named, key };
  return { profile: { ...named, peer: { address: new URL(url).origin, trust } }, key };
}

const profileOf = (name: string, environment: Profile['environment'], baseUrl: string): Profile => ({
  name,
  environment,
  baseUrl,
  mode: 'auto',
  enabled: true,
});

function keyOfRunningApp(dataDir: string, url: string): string | null {
  const sandbox = sandboxOf(readRunFile(dataDir));
  return sandbox !== null && URL.parse(sandbox.url)?.origin === URL.parse(url)?.origin ? sandbox.key : null;
}

async function environmentOf(url: string, fetch: FetchLike): Promise<Profile['environment']> {
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).catch(
    (error) => {
      throw new Error(`The service at ${url} does not answer: ${messageOf(error)}.`);
    },
  );
  const identity = IdentitySchema.safeParse(await answer.json().catch(() => null));
  if (identity.success) return identity.data.environment;
  throw new UsageError(
    `The service at ${url} does not say which environment it is. Put its key into BAROGRAPH_KEY, or add a profile.`,
  );
}
