// Service, store: a store that cannot be used, said in one line for the person who gave the file.

export class StoreError extends Error {
  override readonly name = 'StoreError';
}
