// Pure: what a confidence is about.

/** event: that the warned event follows. further_fall: while one lasts, that half a threshold more does. */
export const CLAIMS = ['event', 'further_fall'] as const;
export type Claim = (typeof CLAIMS)[number];

/** Whether two confidences, or a confidence and a base rate, are about the same. Who does not say means the event. */
export const isSameClaim = (
  one: { readonly confidence_of?: Claim | undefined },
  other: { readonly confidence_of?: Claim | undefined },
): boolean => (one.confidence_of ?? 'event') === (other.confidence_of ?? 'event');
