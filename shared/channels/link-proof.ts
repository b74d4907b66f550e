// Pure: window and core prove to each other that they know the session, without sending it.
// Another program may have taken the port of a core that ended: it gets an id and a nonce, and no proof fits it.

/** The core stores the SHA-256 of a session; proofs are HMACs under it. */
export const SESSION_ID_TEXT = 'barograph session id 1';

export interface Handshake {
  /** Host and port of the core's address, as the window sees it. */
  readonly host: string;
  /** Of the window. */
  readonly nonce: string;
  /** Of the core. */
  readonly challenge: string;
}

/** What the core signs. */
export const coreProofText = ({ host, nonce, challenge }: Handshake): string =>
  ['barograph core proof 1', host, nonce, challenge].join('\n');
/** What the window signs after that. */
export const windowProofText = ({ host, nonce, challenge }: Handshake): string =>
  ['barograph window proof 1', host, nonce, challenge].join('\n');
