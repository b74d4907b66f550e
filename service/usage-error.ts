// Service, command line: an argument that turns out to be unusable at the start. Exit code 2.
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
