// Pure: the event that a confidence applies to.

/**
 * event: the warned event follows. further_fall: during a fall, a further fall by half the threshold follows.
 */
export const CLAIMS = ['event', 'further_fall'] as const;
export type Claim = (typeof CLAIMS)[number];

/** Whether two confidences, or a confidence and a base rate, have the same claim. Default: event. */
export const isSameClaim = (
  one: { readonly confidence_of?: Claim | undefined },
  other: { readonly confidence_of?: Claim | undefined },
): boolean => (one.confidence_of ?? 'event') === (other.confidence_of ?? 'event');
