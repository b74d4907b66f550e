// Main, Electron shell: requests to open something: arguments, links, a second start.
import { z } from 'zod';
import { isLink, type LinkTarget, parseLink } from '../../shared/settings/deep-links.ts';

export interface Arguments {
  /** For the parser of flags. */
  readonly flags: readonly string[];
  readonly link: string | null;
}

/** Drops every argument behind a link: the author of the link may have added it. */
export function splitArguments(argv: readonly string[]): Arguments {
  const at = argv.findIndex(isLink);
  return at === -1 ? { flags: argv, link: null } : { flags: argv.slice(0, at), link: argv[at] ?? null };
}

/** Data that a second start passes to the first. */
export const SecondInstanceDataSchema = z.strictObject({
  profile: z.string().max(64).nullable(),
  link: z.string().max(4096).nullable(),
});
export type SecondInstanceData = z.infer<typeof SecondInstanceDataSchema>;

export interface LinkQueue {
  take(link: string): void;
  /** Delivers the last earlier link, and from now on each at once. */
  open(through: (target: LinkTarget) => void): void;
}

/** @param onRefused receives how many were refused in this run */
export function createLinkQueue(onRefused: (why: string, count: number) => void): LinkQueue {
  let waiting: LinkTarget | null = null;
  let through: ((target: LinkTarget) => void) | null = null;
  let refused = 0;
  return {
    take(link) {
      const target = parseLink(link);
      if (!target.ok) onRefused(target.error, ++refused);
      else if (through === null) waiting = target.value;
      else through(target.value);
    },
    open(opened) {
      through = opened;
      if (waiting !== null) opened(waiting);
      waiting = null;
    },
  };
}
