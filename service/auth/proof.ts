// Service, auth: proves to a client that this service knows its key, by the stored hash of the key.
import { createHmac } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Clock } from '../../shared/lib/clock.ts';
import { proofText } from '../../shared/wire/proof.ts';
import type { ApiKeyStore } from '../store/api-key-store.ts';

export interface ProofRequest {
  readonly key: string;
  readonly nonce: string;
  readonly origin: string;
}

type LocalEnd = Pick<Socket, 'localAddress' | 'localPort'>;

/** @returns a proof; it does not verify if the key or origin is not of this service */
export type Prover = (request: ProofRequest, socket: LocalEnd) => string;

export function createProver(
  keys: Pick<ApiKeyStore, 'digestOf'>,
  clock: Pick<Clock, 'now'>,
  randomBytes: (count: number) => Buffer,
): Prover {
  /** Signs instead of an unknown key: the answer has the same form and takes the same time. */
  const decoy = randomBytes(32).toString('hex');
  return ({ key, nonce, origin }, socket) => {
    const digest = keys.digestOf(key, clock.now()) ?? decoy;
    const signer = isOwnOrigin(origin, socket) ? digest : decoy;
    return createHmac('sha256', signer)
      .update(proofText(origin, key, nonce))
      .digest('hex');
  };
}

/** Whether the origin is the address of this connection, so that another port cannot relay the request. */
function isOwnOrigin(origin: string, { localAddress, localPort }: LocalEnd): boolean {
  const url = URL.parse(origin);
  if (url === null || url.origin !== origin || url.protocol !== 'http:') return false;
  const here = localAddress?.replace(/^::ffff:/, '');
  const asked = url.hostname.replace(/^\[|\]$/g, '');
  const isHere = asked === here || (asked === 'localhost' && (here === '127.0.0.1' || here === '::1'));
  return isHere && Number(url.port === '' ? 80 : url.port) === localPort;
}
