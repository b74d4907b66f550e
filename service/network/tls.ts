// Service, network: certificate and key of a TLS listener, read again when their files change.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { type Cancel, type Clock, every } from '../../shared/lib/clock.ts';
import { messageOf } from '../../shared/lib/result.ts';
import type { Logger } from '../logger.ts';
import { UsageError } from '../usage-error.ts';

/** Paths. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** PEM texts: a certificate with the chain that follows it, and its private key. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** Delay within which a renewed certificate is used, wall ms. */
const POLL_INTERVAL_MS = 2_000;
/** Certificate and key are written one after the other: the first failure may be between them. */
const REPORTED_AT = 2;

/**
 * @throws UsageError with one sentence: a file that cannot be read, no PEM, or a key of another certificate
 */
export function readTlsPair(files: TlsFiles): TlsPair {
  const pair = textsOf(files);
  check(pair, files);
  return pair;
}

/**
 * Calls `use` with the pair whenever the files change. An unusable pair changes nothing; it is logged once,
 * unless the other file follows within one interval.
 */
export function watchTlsPair(
  files: TlsFiles,
  used: TlsPair,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  use: (pair: TlsPair) => void,
): Cancel {
  let current = used;
  let failures = 0;
  return every(clock, POLL_INTERVAL_MS, () => {
    try {
      const pair = textsOf(files);
      if (pair.cert !== current.cert || pair.key !== current.key) {
        check(pair, files);
        use(pair);
        current = pair;
        logger.info({ until: new X509Certificate(pair.cert).validTo }, 'another certificate is in use');
      }
      failures = 0;
    } catch (failure) {
      failures += 1;
      if (failures === REPORTED_AT)
        logger.error(
          { problem: messageOf(failure) },
          'the certificate cannot be renewed; the one before stays in use, and it is tried again',
        );
    }
  });
}

const textsOf = ({ cert, key }: TlsFiles): TlsPair => ({
  cert: readText(cert, '--tls-cert'),
  key: readText(key, '--tls-key'),
});

function check({ cert, key }: TlsPair, files: TlsFiles): void {
  const certificate = attempt(
    () => new X509Certificate(cert),
    (why) => `--tls-cert: ${files.cert} holds no certificate in PEM form (${why})`,
  );
  const privateKey = attempt(
    () => createPrivateKey(key),
    (why) => `--tls-key: ${files.key} holds no private key in PEM form without a passphrase (${why})`,
  );
  if (!certificate.checkPrivateKey(privateKey))
    throw new UsageError(`--tls-key: the key in ${files.key} is not that of the certificate in ${files.cert}`);
  // Detects the errors that only the listener would find: a key that is too short, a damaged chain.
  attempt(
    () => createSecureContext({ cert, key }),
    (why) => `--tls-cert: ${files.cert} cannot be used (${why})`,
  );
}

const readText = (file: string, flag: string): string =>
  attempt(
    () => readFileSync(file, 'utf8'),
    (why) => `${flag}: ${file} cannot be read (${why})`,
  );

/** @throws UsageError with the sentence */
function attempt<Value>(work: () => Value, sentence: (why: string) => string): Value {
  try {
    return work();
  } catch (failure) {
    throw new UsageError(sentence(messageOf(failure).replaceAll(/\s*\n\s*/g, ' ')));
  }
}
