// Main, core: what a shell passes in so that the service can run inside the app. main/sandbox.ts is the one that does it.

export interface EmbeddedService {
  readonly url: string;
  readonly key: string;
  readonly seed: number;
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  /** File that keeps the service's events and its world's time from one run to the next. */
  readonly db: string;
  /** Told in one line when the service died and was started again, or could not be. */
  readonly say: (line: string) => void;
}

export type StartEmbedded = (options: EmbeddedOptions) => Promise<EmbeddedService>;
