// Pure: links from outside into the app (barograph://symbol/SPY, barograph://alert/12, barograph://briefing/ID): a place to show, or a refusal.
// A link navigates; there is nothing in it that could change anything.
import { z } from 'zod';
import { type WindowRoute, WindowRouteSchema } from '../domain/window-routes.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { SymbolParamSchema } from '../wire/primitives.ts';
import { ProfileNameSchema } from './profiles.ts';

/** What the operating system hands to the app. */
export const LINK_SCHEME = 'barograph';

export interface LinkTarget {
  readonly route: WindowRoute;
  /** Whose window shows it; null: the one that the user looked at last. */
  readonly profile: string | null;
}

const LONGEST = 300;
const FORM = /^barograph:\/\/([a-z]+)\/([^/?#]+)\/?(?:\?profile=([^&#]*))?$/i;
const LinkRouteSchema = z.discriminatedUnion('kind', [
  z
    .strictObject({ kind: z.literal('symbol'), id: SymbolParamSchema })
    .transform(({ id }) => WindowRouteSchema.parse({ page: 'watch', item: id })),
  z
    .strictObject({ kind: z.literal('alert'), id: z.string().regex(/^[1-9]\d{0,14}$/) })
    .transform(({ id }) => WindowRouteSchema.parse({ page: 'alerts', item: id })),
  z
    .strictObject({ kind: z.literal('briefing'), id: z.string().regex(/^[\w.:-]{1,120}$/) })
    .transform(({ id }) => WindowRouteSchema.parse({ page: 'briefings', item: id })),
]);

/** True for what claims to be a link of ours, good or bad. */
export const isLink = (text: string): boolean => /^barograph:/i.test(text);

/** @returns the place, or in words why the link leads nowhere */
export function parseLink(text: string): Result<LinkTarget, string> {
  const refuse = (): Result<LinkTarget, string> =>
    err(
      'A link is barograph://symbol/SPY, barograph://alert/12 or barograph://briefing/ID, with ?profile=NAME at most.',
    );
  const found = text.length > LONGEST ? null : FORM.exec(text);
  if (found === null) return refuse();
  const [, kind = '', id = '', profile] = found;
  const route = LinkRouteSchema.safeParse({ kind: kind.toLowerCase(), id: decoded(id) });
  const name = profile === undefined ? null : ProfileNameSchema.safeParse(profile);
  if (!route.success || name?.success === false) return refuse();
  return ok({ route: route.data, profile: name?.data ?? null });
}

/** @returns the text as it is where it is no good percent encoding: its schema will refuse it */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
