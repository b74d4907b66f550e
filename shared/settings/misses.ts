// Pure: the conditions of a rule that an event can fail.

/** Conditions of a rule that an event can fail, in order of evaluation: a later one is a nearer miss. */
export const MISSES = [
  'disabled',
  'expired',
  'other_profile',
  'other_event',
  'other_symbol',
  'excepted',
  'other_class',
  'below_state',
  'below_confidence',
  'other_regime',
  'not_due',
  'due',
  'outside_hours',
] as const;
export type Miss = (typeof MISSES)[number];
/** Reasons why a rule is not evaluated: disabled, expired or of another profile. */
const UNDECIDED: readonly Miss[] = ['disabled', 'expired', 'other_profile'];
/** Decisions of the user's rules. */
export const RULED_OUT: readonly string[] = MISSES.filter((miss) => !UNDECIDED.includes(miss));
