// Client: sends nothing over plain http before the service has proved that it knows the key.
// Another program may take the port of an ended service; with https the certificate prevents that.
import type { Clock } from '../shared/lib/clock.ts';
import { untilAborted } from '../shared/lib/until-aborted.ts';
import { type Hashes, newNonce } from '../shared/lib/web-hashes.ts';
import { isSameText, keyIdOf, ProofSchema, proofText } from '../shared/wire/proof.ts';
import { routes } from '../shared/wire/routes.ts';
import { readBody } from './body.ts';
import { problem, problemFromAnswer, type ServiceProblem } from './problem.ts';
import { type FetchLike, type Gate, networkMessage, parseJson } from './request.ts';

/** The program that listens at an address of this computer. */
export interface Listener {
  /** `self`: this user, or the administrator. */
  readonly owner: 'self' | 'other' | 'unknown';
  /** Changes when another program takes the port; null: unknown. */
  readonly socket: string | null;
}
/** Finds the program that listens at an address. */
export type ListenerReader = (base: URL) => Listener;
export const UNKNOWN_LISTENER: Listener = { owner: 'unknown', socket: null };

/** What the caller knows of the program at the other end. */
export interface Peer {
  readonly hashes: Hashes;
  readonly listener: ListenerReader;
  /**
   * `proof`: it proved itself before, so it must do so again. `user`: the user allowed it without a proof.
   */
  known(base: URL): 'proof' | 'user' | null;
  /** It proved itself. */
  proven(base: URL): void;
}

export interface KeyGateOptions {
  readonly base: URL;
  readonly key: string;
  readonly fetch: FetchLike;
  readonly clock: Clock;
  readonly peer: Peer;
}

/** Deadline of the proof, ms. */
const PROOF_LIMIT = 5_000;
const BODY_LIMIT = 2_048;
/** Maximum number of repeated proofs after a connection ended meanwhile. */
const ATTEMPTS = 3;

type Answer =
  | {
      /**
       * wrong: a proof of something else. none: a refusal without a proof. unread: no readable answer in time,
       * which says nothing about who answers.
       */
      readonly proof: 'right' | 'wrong' | 'none' | 'unread';
      readonly status: number | null;
      readonly refusal: ServiceProblem | null;
    }
  | { readonly unreachable: ServiceProblem };

export function createKeyGate(options: KeyGateOptions): Gate {
  const { base, key, peer } = options;
  let losses = 0;
  /** Open streams. */
  let streams = 0;
  /** The socket of the program that may have the key. */
  let admitted: { readonly socket: string | null } | null = null;
  /** The socket of the program that proved itself last; null: unknown. */
  let provenSocket: string | null = null;
  let pending: Promise<ServiceProblem | null> | null = null;

  const prove = async (): Promise<ServiceProblem | null> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const before = losses;
      const listener = peer.listener(base);
      const answer = await askProof(options, await peer.hashes.sha256(key));
      if ('unreachable' in answer) return answer.unreachable;
      if (before !== losses || peer.listener(base).socket !== listener.socket) continue;
      const isOther = provenSocket !== null && listener.socket !== null && listener.socket !== provenSocket;
      const refused = keyProblem(base, answer, { ...listener, isOther }, peer.known(base));
      if (refused !== null) return refused;
      if (answer.proof === 'right') {
        provenSocket = listener.socket;
        peer.proven(base);
      }
      admitted = { socket: listener.socket };
      return null;
    }
    return problem('network', `What listens at ${base.host} changes again and again.`);
  };

  /** If the socket is unknown, only an open stream shows that the program still runs. */
  const isStillThere = (before: string | null, now: string | null): boolean =>
    before === now && (now !== null || streams > 0);
  const lost = (): void => {
    losses += 1;
    admitted = null;
  };

  return {
    async admit(signal) {
      if (admitted !== null && isStillThere(admitted.socket, peer.listener(base).socket)) return null;
      admitted = null;
      pending ??= prove().finally(() => {
        pending = null;
      });
      return untilAborted(pending, signal);
    },
    held(signal) {
      if (signal.aborted) return;
      streams += 1;
      signal.addEventListener(
        'abort',
        () => {
          streams -= 1;
          lost();
        },
        { once: true },
      );
    },
    lost,
  };
}

async function askProof({ base, fetch, clock, peer }: KeyGateOptions, digest: string): Promise<Answer> {
  const keyId = keyIdOf(digest);
  const nonce = newNonce(crypto);
  const url = new URL(base);
  url.pathname += routes.proof.path.slice(1);
  url.search = new URLSearchParams({ key: keyId, nonce, origin: base.origin }).toString();
  const own = new AbortController();
  const cancel = clock.after(PROOF_LIMIT, () => own.abort());
  const { signal } = own;
  try {
    const headers = { accept: 'application/json' };
    const init: RequestInit = { headers, redirect: 'manual', cache: 'no-store', signal };
    const response = await untilAborted(fetch(url.href, init), signal);
    const { status } = response;
    const body = await readBody(response, BODY_LIMIT, signal, true);
    const text = body.ok ? body.value : '';
    const isBusy = status === 429 || status >= 500;
    const refusal = isBusy ? problemFromAnswer(status, response.headers, '', clock.now()) : null;
    if (status !== 200) return { proof: 'none', status, refusal };
    const answer = body.ok ? parseJson(text) : undefined;
    // This computer cut it off, or it is a page of something in between.
    if (typeof answer !== 'object' || answer === null) return { proof: 'unread', status, refusal: null };
    const given = ProofSchema.safeParse(answer).data?.proof;
    if (given === undefined) return { proof: 'none', status, refusal: null };
    const expected = await peer.hashes.hmac(digest, proofText(base.origin, keyId, nonce));
    return { proof: isSameText(given, expected) ? 'right' : 'wrong', status, refusal: null };
  } catch (error) {
    if (signal.aborted) return { proof: 'unread', status: null, refusal: null };
    return { unreachable: problem('network', networkMessage(error, base)) };
  } finally {
    cancel();
  }
}

/** @returns why the key must not be sent, or null */
function keyProblem(
  { host, hostname }: URL,
  { proof, status, refusal }: Exclude<Answer, { unreachable: unknown }>,
  { owner, isOther }: Listener & { readonly isOther: boolean },
  known: ReturnType<Peer['known']>,
): ServiceProblem | null {
  // A name may have two addresses: the proof and the key could go to different programs.
  const isAmbiguous = hostname === 'localhost' && owner === 'other';
  if (proof === 'right' && !isAmbiguous) return null;
  if (known !== 'proof' && (owner === 'self' || (owner === 'unknown' && known === 'user'))) return null;
  if (refusal !== null) return refusal;
  if (proof === 'unread')
    return problem(
      'timeout',
      `The service at ${host} did not prove itself within 5 s. It, this computer, or a proxy or balancer in between may be too busy.`,
    );
  if (known === 'proof' && (proof === 'wrong' || isOther))
    return unproven(
      'no_proof',
      `The program at ${host} cannot prove that it knows the key: another one took the address, the key has ended there, or a proxy or balancer in between leads elsewhere.`,
    );
  if (owner === 'other')
    return unproven(
      'other_user',
      `The program at ${host} belongs to another user of this computer, and cannot prove that it knows the key. A proxy or balancer must pass ${routes.proof.path} on to the service.`,
    );
  return known === 'proof'
    ? unproven(
        'absent_proof',
        `What answers at ${host} (${status}) gives no proof that it knows the key, as the service there did before. A proxy or balancer in between may answer in its place, or another version of the service, or another program.`,
      )
    : unproven(
        'unknown_owner',
        `The program at ${host} cannot prove that it knows the key, and this computer does not tell whose program it is.`,
      );
}

type ProofProblem = 'other_user' | 'no_proof' | 'absent_proof' | 'unknown_owner';
const unproven = (code: ProofProblem, message: string): ServiceProblem => ({
  ...problem('unproven', message),
  code,
});
