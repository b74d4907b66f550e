// Test: which addresses open in the user's browser: hosts that the interface or a service named, nothing that a page makes up.
import { describe, expect, test } from 'vitest';
import { createOutside } from './outside.ts';

describe('an address outside', () => {
  test('of the interface itself is allowed', () => {
    expect(createOutside().isAllowed('https://www.tradingview.com/x')).toBe(true);
  });

  test('of a host that a service named is allowed once a window was told of it, and only that host', () => {
    const outside = createOutside();
    expect(outside.isAllowed('https://news.example/a')).toBe(false);
    outside.learn('news.read', { rows: [{ item: { url: 'https://news.example/a' } }], next: null });
    outside.learn('connection.read', { problem: { doc_url: 'https://docs.example/errors#quota' } });
    expect(outside.isAllowed('https://news.example/b')).toBe(true);
    expect(outside.isAllowed('https://docs.example/')).toBe(true);
    expect(outside.isAllowed('https://example/')).toBe(false);
    expect(outside.isAllowed('https://news.example.attacker.example/')).toBe(false);
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
    expect(createOutside().isAllowed(url)).toBe(false);
  });

  test('is not learnt from other channels, other fields, or what is no https', () => {
    const outside = createOutside();
    outside.learn('state.changed', { url: 'https://a.example/' });
    outside.learn('news.read', { headline: 'https://b.example/', url: 'http://c.example/' });
    outside.learn('news.read', { url: 'https://u:p@d.example/' });
    for (const host of ['a', 'b', 'c', 'd']) expect(outside.isAllowed(`https://${host}.example/`)).toBe(false);
  });

  test('an answer that goes on for ever, or names a million hosts, is read to a point', () => {
    const outside = createOutside();
    const deep: Record<string, unknown> = { url: 'https://deep.example/' };
    let top = deep;
    for (let level = 0; level < 50; level++) top = { inner: top };
    outside.learn('news.read', top);
    expect(outside.isAllowed('https://deep.example/')).toBe(false);
    outside.learn(
      'news.read',
      Array.from({ length: 5_000 }, (_, index) => ({ url: `https://h${index}.example/` })),
    );
    expect(outside.isAllowed('https://h10.example/')).toBe(true);
    expect(outside.isAllowed('https://h4000.example/')).toBe(false);
  });
});
