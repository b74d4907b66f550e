// Test harness: a wire service's briefings and news, newest first, page by page, with faults.
import { timestamp } from '../../shared/wire/primitives.ts';
import type { Fault, WireRequest } from './wire-service.ts';

export interface WireBriefing {
  readonly id: string;
  readonly date: string;
  readonly [name: string]: unknown;
}

export interface BriefingServer {
  /** Newest first. */
  briefings: WireBriefing[];
  news: Record<string, unknown>[];
  /** Path of the list; null: this service keeps no archive. */
  path: string | null;
  /** Called before the server answers. */
  fault: Fault | null;
  /** For the service's `fault`. */
  readonly answer: Fault;
  /** Adds one at the top. */
  publish(briefing: Partial<WireBriefing> & { readonly id: string; readonly date: string }): void;
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  json({ code, message: `refused: ${code}`, doc_url: 'http://x/docs' }, status, headers);

export function createBriefingServer(): BriefingServer {
  const page = (request: WireRequest, rows: readonly Record<string, unknown>[]): Response => {
    const limit = Number(request.url.searchParams.get('limit') ?? 50);
    const from = Number(request.url.searchParams.get('after') ?? 0);
    const more = from + limit < rows.length;
    return json({
      data: rows.slice(from, from + limit),
      has_more: more,
      next_cursor: more ? String(from + limit) : null,
    });
  };
  const server: BriefingServer = {
    briefings: [],
    news: [],
    path: '/api/briefings',
    fault: null,
    answer(request) {
      const given = server.fault?.(request) ?? null;
      if (given !== null) return given;
      if (request.path === '/market-news') return page(request, server.news);
      if (server.path === null || !request.path.startsWith(server.path)) return null;
      if (request.path === server.path)
        return page(
          request,
          server.briefings.map(({ body: _body, content_type: _type, ...head }) => head),
        );
      const found = server.briefings.find(({ id }) => request.path === `${server.path}/${id}`);
      return found === undefined ? refusal(404, 'not_found') : json(found);
    },
    publish: (briefing) => void server.briefings.unshift(briefingOf(briefing)),
  };
  return server;
}

export const briefingOf = (
  given: Partial<WireBriefing> & { readonly id: string; readonly date: string },
): WireBriefing => ({
  type: 'midday',
  title: `Title of ${given.id}`,
  author: 'Risk desk',
  summary: `Summary of ${given.id}`,
  symbols: ['SPY'],
  reading_minutes: 3,
  body: `# Heading\n\nThe **text** of ${given.id}.`,
  content_type: 'text/markdown; charset=utf-8',
  ...given,
});

/** Adds `count` briefings, an hour apart, the newest at `newest`, ms. Ids b1 (oldest) to bN. */
export const briefingsUpTo = (newest: number, many: number): WireBriefing[] =>
  Array.from({ length: many }, (_, index) =>
    briefingOf({ id: `b${many - index}`, date: timestamp(newest - index * 3_600_000) }),
  );

export const newsUpTo = (newest: number, many: number): Record<string, unknown>[] =>
  Array.from({ length: many }, (_, index) => ({
    id: `n${many - index}`,
    headline: `Headline ${many - index}`,
    summary: 'Stocks fall.',
    source: index % 2 === 0 ? 'Wire A' : 'Wire B',
    url: `https://news.example/${many - index}`,
    published_at: timestamp(newest - index * 60_000),
    symbols: ['QQQ'],
    sentiment: { score: -0.4, label: 'negative' },
  }));
