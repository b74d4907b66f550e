// Test: exporting a briefing as quotation, Markdown and web page.
import { describe, expect, it } from 'vitest';
import type { BriefingDetail } from '../../../shared/channels/archive.ts';
import { renderText } from '../../markdown/parse.ts';
import { htmlFile, markdownFile, quotation, type Source } from './briefing-file.ts';

const source = (more: Partial<BriefingDetail>, sandbox = false): Source => ({
  briefing: {
    id: 'brf_1',
    type: 'midday',
    title: 'Stress returns',
    author: 'Equity desk',
    date: '2026-11-19T17:30:00.000Z',
    summary: 'The fall is ordinary.',
    symbols: ['SPY'],
    reading_minutes: 4,
    body: 'The fall is ordinary.\n\n## Who leads\n\nXLK.',
    content_type: 'text/markdown; charset=utf-8',
    unread: true,
    starred: false,
    later: false,
    states_then: [],
    linked: { transitions: [], briefings: [] },
    ...more,
  },
  zone: 'market',
  sandbox,
});
const FROM = 'Equity desk, \u201cStress returns\u201d, Thu 19 Nov 2026, 12:30 New York (UTC\u22125). From Barograph.';
const page = (given: Source): string => htmlFile(given, renderText(given.briefing.body, 'markdown'));

describe('a quotation', () => {
  it('is the selected text, else the summary, with its source and date', () => {
    expect(quotation(source({}), ' XLK \n leads ')).toBe(`\u201cXLK leads\u201d\n\u2014 ${FROM}\n`);
    expect(quotation(source({}), '')).toContain('\u201cThe fall is ordinary.\u201d');
  });
  it('marks a simulated market', () =>
    expect(quotation(source({}, true), 'x')).toContain('SANDBOX: a simulated market.'));
});

describe('as Markdown', () => {
  it('is the text under its title and source, the summary once', () => {
    expect(markdownFile(source({}))).toBe(
      `# Stress returns\n\n${FROM}\n\nThe fall is ordinary.\n\n## Who leads\n\nXLK.\n`,
    );
    expect(markdownFile(source({ body: 'Else.' }))).toContain('*The fall is ordinary.*\n\nElse.\n');
  });
});

describe('as a web page', () => {
  it('holds title, source and text, the summary once', () => {
    const html = page(source({}));
    expect(html).toContain('<h1>Stress returns</h1>');
    expect(html).toContain('<p class="lead">The fall is ordinary.</p>');
    expect(html.match(/The fall is ordinary/g)).toHaveLength(1);
    expect(html).toContain('<h2>Who leads</h2>');
    expect(html).toContain('12:30 New York');
  });
  it('loads nothing and runs nothing, whatever the service wrote', () => {
    const evil = '<script src=//evil.example></script>"><img src=x onerror=alert(1)>';
    const html = page(
      source({
        title: evil,
        author: evil,
        summary: evil,
        body: `${evil}\n\n![a](https://evil.example/t.png) [b](javascript:x)`,
      }),
    );
    expect(
      html
        .match(/<(?!!doctype)[a-z0-9]+/gi)
        ?.filter((tag) => !/^<(html|head|meta|title|style|body|h1|p|span)$/.test(tag)),
    ).toEqual([]);
    expect(html).toContain(`default-src 'none'`);
    expect(html).not.toMatch(/<[^>]*(src|onerror|href)=/);
  });
});
