// Pure: which proxy a request goes through, as the main process tells the thread of the service.
import { z } from 'zod';

/** What Chromium says of an address, in its own words; absent for the environment's proxies. */
const said = z.string().optional();
export const ProxyChoiceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('direct'), why: z.enum(['none', 'loopback', 'excepted']), said }),
  /** `url` may hold a password. `host` is for people. */
  z.object({ kind: z.literal('proxy'), url: z.url(), host: z.string(), said }),
  /** SOCKS is not supported here; nothing is sent directly instead, which may be what the user avoids. */
  z.object({ kind: z.literal('socks'), host: z.string(), said }),
  z.object({ kind: z.literal('unknown'), why: z.string(), said }),
]);
export type ProxyChoice = z.infer<typeof ProxyChoiceSchema>;

/** Never rejects. */
export type FindProxy = (url: string) => Promise<ProxyChoice>;

/** Where no proxy is in use. */
export const directly: FindProxy = async () => ({ kind: 'direct', why: 'none' });
