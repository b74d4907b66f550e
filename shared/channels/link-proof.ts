// Pure: mutual proof of window and core that they know the session, without sending it.
// Another program on the port of an ended core gets only an id and a nonce, and cannot prove anything.

/** The core stores the SHA-256 of a session; proofs are HMACs under it. */
export const SESSION_ID_TEXT = 'barograph session id 1';

export interface Handshake {
  /** Host and port of the core's address, as the window sees it. */
  readonly host: string;
  /** Nonce of the window. */
  readonly nonce: string;
  /** Nonce of the core. */
  readonly challenge: string;
}

/** The text that the core signs. */
export const coreProofText = ({ host, nonce, challenge }: Handshake): string =>
  ['barograph core proof 1', host, nonce, challenge].join('\n');
/** The text that the window signs afterwards. */
export const windowProofText = ({ host, nonce, challenge }: Handshake): string =>
  ['barograph window proof 1', host, nonce, challenge].join('\n');
