// Service, docs: renders /docs: guides, endpoints and errors as HTML without scripts. Pure.

import { createHash } from 'node:crypto';
import { escapeHtml } from '../../shared/lib/html-text.ts';
import { ERRORS, type ErrorKind } from '../../shared/wire/errors.ts';
import { minuteLimit, PLAN_LABELS, PLANS, termsOf } from '../../shared/wire/limits.ts';
import type { AnyRoute } from '../../shared/wire/route.ts';
import type { RouteName } from '../../shared/wire/routes.ts';
import { sectionOf } from '../refusal.ts';
import { DOCUMENT_PATHS, type DocumentOptions, errorsOf, replyExample, routesOf } from './openapi.ts';
import { GUIDES } from './pages.ts';
import { type Parameter, parametersOf } from './schemas.ts';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#1a1d21;background:#fff}' +
  'h2{margin-top:2.5rem;border-bottom:1px solid #c8ccd2}h3{margin-top:2rem}code,pre{font:14px/1.45 ui-monospace,monospace}' +
  'pre{background:#f2f4f6;padding:.75rem;overflow:auto}table{border-collapse:collapse}' +
  'th,td{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #e2e5e9}a{color:#0b57a4}';

/** The page loads and runs nothing; the policy admits its one style sheet by hash. */
export const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;
const link = (id: string, label: string): string => `<a href="#${id}">${escapeHtml(label)}</a>`;
const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</tbody></table>`;

/** Id of an endpoint's section: endpoint-alert-transitions. */
const endpointSection = (name: RouteName): string =>
  `endpoint-${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const ACCESS_DESCRIPTIONS: Readonly<Record<AnyRoute['access'], string>> = {
  open: 'No key is needed.',
  read: 'Any live key.',
  webhooks: 'A key of the scope webhooks or account.',
  account: 'A key of the scope account.',
};

function endpoint(name: RouteName, route: AnyRoute): string {
  const limits = PLANS.map((plan) => `${minuteLimit(route.path, termsOf(plan))} (${PLAN_LABELS[plan]})`).join(', ');
  const row = (location: string, { name: field, required, description }: Parameter): string[] => [
    code(field),
    location,
    required || location === 'path' ? 'needed' : 'optional',
    escapeHtml(description),
  ];
  const parameters = [
    ...parametersOf(route.params).map((one) => row('path', one)),
    ...parametersOf(route.query).map((one) => row('query', one)),
    ...(route.body === null ? [] : parametersOf(route.body).map((one) => row('body', one))),
  ];
  const errors = errorsOf(route).map((kind) => `${ERRORS[kind].status} ${link(sectionOf(kind), spelled(kind, route))}`);
  return `<section id="${endpointSection(name)}"><h3>${code(`${route.method} ${route.path}`)}</h3><p>${escapeHtml(route.summary)}.</p><p>${ACCESS_DESCRIPTIONS[route.access]} Calls a minute and key: ${limits}.</p>${
    parameters.length === 0 ? '' : table(['Name', 'Place', '', 'Meaning'], parameters)
  }<p>Success: ${(route.success ?? [200]).join(', ')}. Errors: ${errors.join(', ')}.</p><pre tabindex="0">${escapeHtml(JSON.stringify(replyExample(route.reply), null, 2))}</pre></section>`;
}

const spelled = (kind: ErrorKind, { spelling }: AnyRoute): string =>
  spelling === 'capital' ? ERRORS[kind].capital : ERRORS[kind].code;

function error(kind: ErrorKind): string {
  const { status, code: plain, capital } = ERRORS[kind];
  const codes = [...new Set([plain, capital])].map(code).join(' or ');
  return `<section id="${sectionOf(kind)}"><h3>${escapeHtml(kind.replaceAll('_', ' '))}</h3><p>${status}, ${codes}. ${escapeHtml(ERRORS[kind].description)}</p></section>`;
}

/** @returns the complete page */
export function docsPage({ environment, version, publicUrl }: DocumentOptions): string {
  const rows = routesOf(environment);
  const kinds = Object.keys(ERRORS) as ErrorKind[];
  const guides = GUIDES.map(
    ([id, title, paragraphs]) =>
      `<section id="${id}"><h2>${title}</h2>${paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('')}</section>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Market Risk Signal Service</title><style>${STYLE}</style></head>
<body><h1>Market Risk Signal Service</h1>
<p>Version ${escapeHtml(version)}, ${environment} environment, at ${code(publicUrl)}. The same for programs: <a href="${DOCUMENT_PATHS.openapi}">OpenAPI 3.0</a>.</p>
<nav aria-label="Contents"><ul>${GUIDES.map(([id, title]) => `<li>${link(id, title)}</li>`).join('')}<li>${link('endpoints', 'Endpoints')}<ul>${rows
    .map(([name, { method, path }]) => `<li>${link(endpointSection(name), `${method} ${path}`)}</li>`)
    .join('')}</ul></li><li>${link('errors', 'Errors')}</li></ul></nav>
<main>${guides.join('\n')}
<section id="endpoints"><h2>Endpoints</h2>${rows.map(([name, route]) => endpoint(name, route)).join('\n')}</section>
<section id="errors"><h2>Errors</h2><p>Every error is JSON with code, message and doc_url; doc_url leads to a section below. With Accept: ${PROBLEM} it is a problem document (RFC 9457) with the same members.</p>${kinds.map(error).join('\n')}</section></main></body></html>
`;
}

const PROBLEM = code('application/problem+json');
