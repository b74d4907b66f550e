// Service, store: a store that cannot be used, said in one line for the person who gave the file.

export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** Nothing is wrong with the file itself: another has it, the disk is full, no more files can be opened. It may be fine in a moment. */
  readonly passing: boolean;

  constructor(message: string, passing = false) {
    super(message);
    this.passing = passing;
  }
}
