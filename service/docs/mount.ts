// Service, docs: GET /openapi.json and GET /docs, open to all callers.
import type { FastifyInstance } from 'fastify';
import type { Environment } from '../../shared/wire/keys.ts';
import { DOCS_POLICY, docsPage } from './html.ts';
import { DOCUMENT_PATHS, openapiDocument } from './openapi.ts';

export interface DocsOptions {
  readonly environment: Environment;
  readonly version: string;
  /** Called for each answer, because a port may be chosen late. */
  readonly publicUrl: () => string;
}

export function mountDocs(app: FastifyInstance, { environment, version, publicUrl }: DocsOptions): void {
  /** Builds the document at the first request, and again when the address has changed. */
  const cached = (make: (url: string) => string): (() => string) => {
    let last: { url: string; text: string } | null = null;
    return () => {
      const url = publicUrl();
      if (last?.url !== url) last = { url, text: make(url) };
      return last.text;
    };
  };
  const document = cached((url) => JSON.stringify(openapiDocument({ environment, version, publicUrl: url })));
  const page = cached((url) => docsPage({ environment, version, publicUrl: url }));

  app.get(DOCUMENT_PATHS.openapi, (_request, reply) => reply.type('application/json; charset=utf-8').send(document()));
  app.get(DOCUMENT_PATHS.docs, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({
        'content-security-policy': DOCS_POLICY,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
      .send(page()),
  );
}
