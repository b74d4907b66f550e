// Main, command line: which service a verb speaks to, and with which key: as flags name it, else the one inside the running app.
import { z } from 'zod';
import { GIVEN_KEY_PATTERN } from '../../../shared/wire/keys.ts';
import { UsageError } from '../../core/host/command-line.ts';
import { readRunFile } from '../../core/host/run-file.ts';

export interface ServiceFlags {
  readonly dataDir: string;
  readonly url?: string;
  readonly key?: string;
}

const UrlSchema = z.url({ protocol: /^https?$/ });

/** @throws UsageError for a key that a command line may not carry, an address that is none, or no app to ask */
export function serviceOf({ dataDir, url, key }: ServiceFlags, environmentKey: string | null): { url: string; key: string | null } {
  if (key !== undefined && !GIVEN_KEY_PATTERN.test(key))
    throw new UsageError(
      '--key takes svc_test_ keys only, followed by 16 or more of A-Z, a-z, 0-9. Any other key goes into BAROGRAPH_KEY.',
    );
  if (url !== undefined) return { url: addressOf('--url', url), key: key ?? environmentKey };
  const sandbox = readRunFile(dataDir)?.sandbox ?? null;
  if (sandbox === null)
    throw new UsageError(`No app with a sandbox runs in ${dataDir}. Start it with npm start, or name a service with --url and --key.`);
  return { url: sandbox.url, key: key ?? sandbox.key };
}

/** @param name of the flag or argument, for words */
export function addressOf(name: string, url: string): string {
  if (!UrlSchema.safeParse(url).success) throw new UsageError(`${name} ${url}: must be an http or https address.`);
  return url;
}
