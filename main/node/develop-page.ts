// Main, Node shell: in development, passes the requests of the page on to the server of its sources.
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Answers a GET with what `page` answers. */
export const passOn =
  (page: URL) =>
  async ({ url }: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    // biome-ignore lint/style/noRestrictedGlobals: the page's server is on this computer, where no proxy leads.
    const answer = await fetch(new URL(url, page));
    return reply
      .code(answer.status)
      .type(answer.headers.get('content-type') ?? 'text/plain')
      .send(Buffer.from(await answer.arrayBuffer()));
  };

/** The policy of a page whose server inlines styles and scripts, and reloads it over a socket. */
export const developHeaders = (page: string | URL, host: string): Record<string, string> =>
  page instanceof URL
    ? {
        'content-security-policy': `default-src 'self' data: 'unsafe-inline'; connect-src 'self' ws://${host} ws://${page.host}`,
      }
    : {};
