// Service: what a service asks of the cluster whose node it may be.
// Everything else in it is the same as on one machine.

/** What a node answers for another one: a handler's reply as JSON, or why it refused. */
export interface ClusterPort {
  /** Whether this process evaluates, announces and publishes. The other nodes follow what it wrote. */
  leads(): boolean;
  /**
   * Reads what other nodes wrote. Call it before answering that something does not exist.
   * @throws an error that is answered 503 while that is not possible
   */
  catchUp(): void;
  /** Whether this process sends the deliveries of a subscription. True only for one node, also within a transaction. */
  delivers(subscriptionId: string): boolean;
  /** Lets the leader do it. @returns its reply. @throws Refusal, also when no leader answers in time */
  ask(body: unknown): Promise<unknown>;
  /** Identity of the log for clients: another one when history was restored from a backup. null: on one machine. */
  logId(): string | null;
  /**
   * World ms that passed beyond the world's `now` while nobody said how far the leader has evaluated. 0 while somebody
   * does: a moment without is usual.
   */
  unevaluatedMs(): number;
  /** Why a balancer should send nothing here; null: it is as far as the others. */
  whyNotReady(): string | null;
}

/** One machine. */
export const SINGLE_NODE: ClusterPort = {
  leads: () => true,
  catchUp: () => undefined,
  delivers: () => true,
  ask: () => Promise.reject(new Error('there is no other node')),
  logId: () => null,
  unevaluatedMs: () => 0,
  whyNotReady: () => null,
};
