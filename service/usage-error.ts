// Service, command line: the error of an argument that proves unusable at the start; exit code 2.
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
