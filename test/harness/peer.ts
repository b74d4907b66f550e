// Test harness: the peer of a client whose service is a program of the same user.
import type { Peer } from '../../client/key-gate.ts';
import { newPeer } from '../../main/core/profiles/peer.ts';

export const OWN_PEER: Peer = newPeer(() => ({ owner: 'self', socket: '1' }));
