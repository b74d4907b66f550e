// Main, Electron shell: requests to open something: arguments, links, a second start.
import { z } from 'zod';
import { isLink, type LinkTarget, parseLink } from '../../shared/settings/deep-links.ts';

export interface Arguments {
  /** Arguments for the parser of flags. */
  readonly flags: readonly string[];
  readonly link: string | null;
}

/** Added by installers after an update, and by COM where the user clicks a notification of Windows. */
const ADDED_BY_SYSTEM = /^(--updated|[-/]embedding)$/i;

/** Drops every argument behind a link: the author of the link may have added it. */
export function splitArguments(argv: readonly string[]): Arguments {
  const at = argv.findIndex(isLink);
  const flags = (at === -1 ? argv : argv.slice(0, at)).filter((argument) => !ADDED_BY_SYSTEM.test(argument));
  return { flags, link: argv[at] ?? null };
}

/** Data that a second start passes to the first. */
const SecondInstanceDataSchema = z.strictObject({
  profile: z.string().max(64).nullable(),
  link: z.string().max(4096).nullable(),
});
export type SecondInstanceData = z.infer<typeof SecondInstanceDataSchema>;

/** Keeps the last request until `open` gives it a receiver. */
interface RequestQueue<Request> {
  take(request: Request): void;
  /** Delivers the last earlier request, and each later one at once. */
  open(through: (request: Request) => void): void;
}

function createRequestQueue<Request>(): RequestQueue<Request> {
  let waiting: { readonly request: Request } | null = null;
  let through: ((request: Request) => void) | null = null;
  return {
    take(request) {
      if (through === null) waiting = { request };
      else through(request);
    },
    open(opened) {
      through = opened;
      if (waiting !== null) opened(waiting.request);
      waiting = null;
    },
  };
}

export interface LinkQueue {
  take(link: string): void;
  readonly open: RequestQueue<LinkTarget>['open'];
}

/** @param onRefused receives the reason, and the number of links refused in this run */
export function createLinkQueue(onRefused: (why: string, count: number) => void): LinkQueue {
  const queue = createRequestQueue<LinkTarget>();
  let refused = 0;
  return {
    take(link) {
      const target = parseLink(link);
      if (target.ok) queue.take(target.value);
      else onRefused(target.error, ++refused);
    },
    open: queue.open,
  };
}

export interface SecondStarts {
  /** Takes the data of a second start; invalid data only asks for a window. */
  take(given: unknown): void;
  /** Receives the requested profile; null: none. */
  readonly open: RequestQueue<string | null>['open'];
}

/** @param links receives the link of a second start */
export function createSecondStarts(links: Pick<LinkQueue, 'take'>): SecondStarts {
  const queue = createRequestQueue<string | null>();
  return {
    take(given) {
      const read = SecondInstanceDataSchema.safeParse(given);
      const { profile, link } = read.success ? read.data : { profile: null, link: null };
      if (link !== null) links.take(link);
      queue.take(profile);
    },
    open: queue.open,
  };
}
