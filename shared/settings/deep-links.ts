// Pure: deep links into the app (barograph://symbol/SPY, .../alert/12, .../briefing/ID).
// A link becomes a route or a refusal. It only navigates and cannot change anything.
import { z } from 'zod';
import { type WindowRoute, WindowRouteSchema } from '../domain/window-routes.ts';
import { err, ok, type Result } from '../lib/result.ts';
import { SymbolParamSchema } from '../wire/primitives.ts';
import { ProfileNameSchema } from './profiles.ts';

/** What the operating system hands to the app. */
export const LINK_SCHEME = 'barograph';

export interface LinkTarget {
  readonly route: WindowRoute;
  /** The profile whose window shows it; null: that of the last focused window. */
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

/** True for any text with the scheme, valid or not. */
export const isLink = (text: string): boolean => /^barograph:/i.test(text);

/** @returns the route, or a message why the link is invalid */
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

/** @returns the text unchanged where its percent encoding is invalid: the schema refuses it */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
