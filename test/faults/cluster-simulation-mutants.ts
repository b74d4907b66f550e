// Faults: clusters without one of their safeguards. The simulation must find each.
export const CLUSTER_MUTANTS = {
  'no-compare-and-set': 'the position in the condition of an append',
  'no-epoch': 'the term in the condition of an append',
  'no-chain': 'the check that an entry continues the history that a replica has',
  'no-entry-id': 'the recognition of an entry whose answer was lost',
  'no-poll': 'the poll beside the notifications',
  'number-from-sequence': 'the numbering by the head row: numbers come from a sequence, and commit in any order',
  'told-before-durable': 'the wait for the answer of the journal',
  'deliveries-by-row': 'the lease of a whole subscription: each node takes single deliveries',
  'no-lane-check': 'the check, within a transaction, that the lane of a subscription is still held',
  'no-catch-up': 'the look into the journal before an event is called unknown',
  'no-snapshot-check': 'the condition that a snapshot is of the log in the database',
  'cut-off-is-silent': 'the end of the streams of a node that is cut off',
  'deposed-goes-on': 'the halt of the world of a leader that may have been replaced',
  'old-is-fresh': 'that a node which cannot know what is evaluated counts its world as old',
  'cut-off-is-ready': 'the refusal of a node that is cut off while another one leads',
  'same-log-after-restore': 'another identity of the log after a restored backup',
} as const;

export type ClusterMutant = keyof typeof CLUSTER_MUTANTS;
export const CLUSTER_MUTANT_NAMES = Object.keys(CLUSTER_MUTANTS) as ClusterMutant[];
export const isClusterMutant = (name: string): name is ClusterMutant => Object.hasOwn(CLUSTER_MUTANTS, name);
