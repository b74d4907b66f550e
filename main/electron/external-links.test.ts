// Test: the user's browser opens only hosts that the interface or a service named.
import { describe, expect, test } from 'vitest';
import { createExternalLinks } from './external-links.ts';

describe('an address outside', () => {
  test('of the interface itself is allowed', () => {
    expect(createExternalLinks().isAllowed('https://www.tradingview.com/x')).toBe(true);
  });

  test('of a host that a service named is allowed once a window has received it, and no other host', () => {
    const externalLinks = createExternalLinks();
    expect(externalLinks.isAllowed('https://news.example/a')).toBe(false);
    externalLinks.learn('news.list', { rows: [{ item: { url: 'https://news.example/a' } }], next: null });
    externalLinks.learn('shell.changed', { update: { link: 'https://updates.example/1.2' } });
    expect(externalLinks.isAllowed('https://news.example/b')).toBe(true);
    expect(externalLinks.isAllowed('https://updates.example/')).toBe(true);
    expect(externalLinks.isAllowed('https://example/')).toBe(false);
    expect(externalLinks.isAllowed('https://news.example.attacker.example/')).toBe(false);
  });

  test('in the text of a briefing is allowed once a window has received the text', () => {
    const externalLinks = createExternalLinks();
    const body = [
      'Read [the minutes](https://bank.example/minutes_(1)), <https://plain.example>, or https://bare.example/x.',
      'See https://end.example. Or **https://bold.example**, https://list.example; https://port.example:8443/x.',
      '<a href="https://html.example/a?b=1&amp;c=2">here</a> http://open.example/ https://u:p@login.example/',
    ].join('\n');
    externalLinks.learn('briefings.list', { rows: [{ body }] });
    expect(externalLinks.isAllowed('https://bank.example/')).toBe(false);
    externalLinks.learn('briefings.read', { title: 'https://title.example/', body });
    for (const host of ['bank', 'plain', 'bare', 'html', 'end', 'bold', 'list'])
      expect(externalLinks.isAllowed(`https://${host}.example/`)).toBe(true);
    expect(externalLinks.isAllowed('https://port.example:8443/')).toBe(true);
    for (const host of ['open', 'login', 'title', 'port'])
      expect(externalLinks.isAllowed(`https://${host}.example/`)).toBe(false);
    externalLinks.learn('briefings.read', null);
  });

  test.each([
    'http://www.tradingview.com/',
    'https://user@www.tradingview.com/',
    'https://www.tradingview.com:8443/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'ms-msdt:/id',
    'smb://www.tradingview.com/x',
    '',
  ])('%s is not allowed', (url) => {
    expect(createExternalLinks().isAllowed(url)).toBe(false);
  });

  test('in other channels, in other fields, or without https is not allowed', () => {
    const externalLinks = createExternalLinks();
    externalLinks.learn('state.changed', { url: 'https://a.example/' });
    externalLinks.learn('connection.read', { stream: { url: 'https://e.example/' } });
    externalLinks.learn('news.list', { headline: 'https://b.example/', url: 'http://c.example/' });
    externalLinks.learn('news.list', { url: 'https://u:p@d.example/' });
    for (const host of ['a', 'b', 'c', 'd', 'e'])
      expect(externalLinks.isAllowed(`https://${host}.example/`)).toBe(false);
  });

  test('an answer without end, or with a million hosts, is read up to a limit', () => {
    const externalLinks = createExternalLinks();
    const deep: Record<string, unknown> = { url: 'https://deep.example/' };
    let top = deep;
    for (let level = 0; level < 50; level++) top = { inner: top };
    externalLinks.learn('news.list', top);
    expect(externalLinks.isAllowed('https://deep.example/')).toBe(false);
    externalLinks.learn(
      'news.list',
      Array.from({ length: 5_000 }, (_, index) => ({ url: `https://h${index}.example/` })),
    );
    expect(externalLinks.isAllowed('https://h10.example/')).toBe(true);
    expect(externalLinks.isAllowed('https://h4000.example/')).toBe(false);
  });
});
