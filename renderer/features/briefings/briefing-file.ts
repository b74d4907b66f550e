// Renderer: exports a briefing as Markdown, web page or quotation, each with its source.

import type { BriefingDetail } from '../../../shared/channels/archive.ts';
import { escapeHtml } from '../../../shared/lib/html-text.ts';
import { fullTimestamp, type Zone, zoneOffset } from '../../../shared/text/format.ts';
import { texts } from '../../../shared/text/texts.ts';
import { asLead } from '../../markdown/lead.ts';
import type { RenderResult } from '../../markdown/render-result.ts';
import { writeHtml } from '../../markdown/write-html.ts';

export interface Source {
  readonly briefing: BriefingDetail;
  readonly zone: Zone;
  readonly sandbox: boolean;
}

/** "Equity desk, “Title”, Thu 19 Nov 2026, 12:30 New York (UTC−5). From Barograph." */
export function sourceOf({ briefing: { author, title, date }, zone, sandbox }: Source): string {
  const at = Date.parse(date);
  return texts.briefings.sourceLine(author, title, `${fullTimestamp(at, zone)} (${zoneOffset(at, zone)})`, sandbox);
}

/** @param chosen the selected text; '': the summary */
export const quotation = (source: Source, chosen: string): string =>
  `\u201c${(chosen.trim() === '' ? source.briefing.summary : chosen.trim()).replaceAll(/\s+/g, ' ')}\u201d\n\u2014 ${sourceOf(source)}\n`;

/** The service's text, under its title. */
export function markdownFile(source: Source): string {
  const { title, summary, body } = source.briefing;
  const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
  const lead = summary === '' || flat(body).includes(flat(summary)) ? '' : `*${summary}*\n\n`;
  return `# ${title}\n\n${sourceOf(source)}\n\n${lead}${body.trimEnd()}\n`;
}

const STYLE = [
  'body{max-width:42rem;margin:2rem auto;padding:0 1rem;font:1.05rem/1.6 Georgia,serif;color:#1a2327;background:#fff}',
  'h1,h2,h3{line-height:1.25}.source{color:#566369;font:.85rem/1.4 system-ui,sans-serif}.lead{font-style:italic}',
  'table{border-collapse:collapse;font:.85rem/1.4 system-ui,sans-serif}th,td{padding:.2rem .6rem .2rem 0;border-bottom:1px solid #d8dfe1;text-align:left}',
  'pre{white-space:pre-wrap;overflow-wrap:anywhere}',
].join('');

/** A file that loads nothing and runs nothing, in any program. */
export function htmlFile(source: Source, rendered: RenderResult): string {
  const { title, summary } = source.briefing;
  const led = rendered.kind === 'tree' ? asLead(rendered.tree, summary) : null;
  const text = rendered.kind === 'tree' ? writeHtml(led ?? rendered.tree) : `<pre>${escapeHtml(rendered.text)}</pre>`;
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    `<h1>${escapeHtml(title)}</h1>`,
    `<p class="source">${escapeHtml(sourceOf(source))}</p>`,
    ...(led === null && summary !== '' ? [`<p class="lead">${escapeHtml(summary)}</p>`] : []),
    text,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}
