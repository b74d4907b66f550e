// Service: the port of a service to its cluster, and its implementation on one machine.

export interface ClusterPort {
  /** Whether this process evaluates, announces and publishes. The other nodes apply its writes. */
  leads(): boolean;
  /**
   * Applies the writes of other nodes. Call it before answering that something does not exist.
   * @throws an error that is answered 503 while that is not possible
   */
  catchUp(): void;
  /**
   * Whether this process sends the deliveries of a subscription. True only for one node, also within a
   * transaction.
   */
  delivers(subscriptionId: string): boolean;
  /**
   * Passes a request to the leader. @returns its reply. @throws Refusal, also when no leader answers
   * in time
   */
  ask(body: unknown): Promise<unknown>;
  /** Identity of the log for clients; changes when a backup is restored. null on one machine. */
  logId(): string | null;
  /**
   * World ms after the world's `now` that no leader is known to have evaluated. 0 while a leader is known; short
   * pauses are normal and count as 0.
   */
  unevaluatedMs(): number;
  /** How long this process has been cut off from the other nodes, ms; 0: it is not. */
  cutOffMs(): number;
  /** Why a balancer should send this node no requests; null: it is ready. */
  whyNotReady(): string | null;
}

/** The port of a service without a cluster. */
export const SINGLE_NODE: ClusterPort = {
  leads: () => true,
  catchUp: () => undefined,
  delivers: () => true,
  ask: () => Promise.reject(new Error('there is no other node')),
  logId: () => null,
  unevaluatedMs: () => 0,
  cutOffMs: () => 0,
  whyNotReady: () => null,
};
