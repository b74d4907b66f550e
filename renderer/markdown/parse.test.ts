// Test: rendering briefings, including malicious ones, to harmless elements.
import { describe, expect, it } from 'vitest';
import { renderText } from './parse.ts';
import { MAX_CHARACTERS, type TextForm } from './render-result.ts';
import type { ElementNode, Tree, TreeNode } from './tree.ts';
import { writeHtml } from './write-html.ts';

const html = (body: string, form: TextForm = 'markdown'): string => {
  const rendered = renderText(body, form);
  return rendered.kind === 'tree' ? writeHtml(rendered.tree).replaceAll('\n', '') : `plain: ${rendered.why}`;
};

/** Every element of the tree. */
function elements(node: Tree | TreeNode): ElementNode[] {
  const own = node.type === 'element' ? [node] : [];
  return 'children' in node ? [...own, ...node.children.flatMap(elements)] : own;
}

describe('a well-formed briefing', () => {
  it('keeps headings, tables, lists and emphasis; the title stays the only heading of level one', () => {
    expect(html('# Who leads\n\nTechnology *leads*.\n\n| A | B |\n| --- | ---: |\n| 1 | 2 |')).toBe(
      '<h2>Who leads</h2><p>Technology <em>leads</em>.</p><table><thead><tr><th>A</th><th align="right">B</th></tr></thead><tbody><tr><td>1</td><td align="right">2</td></tr></tbody></table>',
    );
  });
  it('keeps footnotes and the links back from them', () => {
    const out = html('Said.[^1]\n\n[^1]: By whom.');
    expect(out).toContain('href="#user-content-fn-1"');
    expect(out).toContain('id="user-content-fn-1"');
  });
  it('shows task items as characters, not as controls', () => {
    expect(html('- [x] one\n- [ ] two')).toContain('\u2611 ');
    expect(html('- [x] one')).not.toContain('input');
  });
  it('keeps an https link, and shows the target of every other', () => {
    expect(html('[a](https://example.com/x)')).toBe('<p><a href="https://example.com/x">a</a></p>');
    expect(html('[a](http://example.com/x)')).toBe('<p><span class="no-link">a (http://example.com/x)</span></p>');
    expect(html('[a](/settings)')).toBe('<p><span class="no-link">a (/settings)</span></p>');
    expect(html('[a](https://me:secret@example.com/)')).toContain('no-link');
  });
  it('shows the alternative text of an image and loads none', () => {
    expect(html('![A chart](https://pics.example/a.png)')).toBe(
      '<p><span class="no-picture">Picture, not loaded: A chart (https://pics.example/a.png)</span></p>',
    );
  });
});

const HOSTILE = {
  script: 'a <script>alert(1)</script> b\n\n<script src="https://evil.example/x.js"></script>',
  handler: '<img src=x onerror=alert(1)>\n\n<svg onload=alert(1)>\n\n<body onload="alert(1)">',
  frame:
    '<iframe src="https://evil.example"></iframe><object data="x"></object><embed src="x"><link rel="stylesheet" href="https://e.example/a.css">',
  style: '<style>@import "https://evil.example/x.css"; body{background:url(https://evil.example/x)}</style>',
  base: '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example">',
  form: '<form action="https://evil.example"><input name="key"><button>Send</button></form>',
  javascript:
    '[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](java&#115;cript:alert(1)) [d](<javascript:alert(1)>) <javascript:alert(1)>',
  data: '[a](data:text/html;base64,PHNjcmlwdD4=) ![b](data:image/svg+xml;base64,PHN2Zz4=) [c](vbscript:x) [d](file:///etc/passwd) [e](blob:x)',
  picture: '![a](https://evil.example/t.png "x")\n\n![b][ref]\n\n[ref]: https://evil.example/u.png',
  clobber: '<a id="root" name="root">x</a>\n\n[^__proto__] [^root]\n\n[^__proto__]: x\n[^root]: y',
  label: '[^x" id="root] and [^y"><h2 id="root">z</h2>]\n\n[^x" id="root]: a\n\n[^y"><h2 id="root">z</h2>]: b',
  foreign:
    '<svg><style><img src=x onerror=alert(1)></style></svg><math><mtext><mglyph><style><img src=x onerror=alert(1)>',
  hidden:
    '<template><img src=x onerror=alert(1)></template><noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  attributes:
    '[a](https://ok.example "onmouseover=alert(1)"){onclick=alert(1)} <span data-symbol="SPY" style="position:fixed">x</span>',
  comment: '<!-- --> <![CDATA[ x ]]> <?php echo 1 ?> <!DOCTYPE html>',
};

describe('a briefing in another format', () => {
  it('keeps the text of HTML and drops its behaviour', () => {
    expect(
      html(
        '<div class="x"><h1 id="root">A</h1><p style="color:red" onclick="x()">b <b>c</b><script>d</script></p></div>',
        'html',
      ),
    ).toBe('<h2>A</h2><p>b <b>c</b></p>');
  });
  it('keeps the lines of plain text and shows its characters', () => {
    expect(html('a *b*\n<i>c</i>\n\nd', 'plain')).toBe('<p>a *b*<br>&lt;i&gt;c&lt;/i&gt;</p><p>d</p>');
  });
});

describe('a malicious briefing', () => {
  const forms = (['markdown', 'html', 'plain'] as const).flatMap((form) =>
    Object.entries(HOSTILE).map(([name, body]) => [name, form, body] as const),
  );
  it.each(forms)('%s as %s: becomes text', (_name, form, body) => {
    const rendered = renderText(body, form);
    if (rendered.kind !== 'tree') throw new Error('laid out plain');
    for (const { tagName, properties } of elements(rendered.tree)) {
      expect(['p', 'br', 'a', 'span', 'section', 'h2', 'ol', 'li', 'sup']).toContain(tagName);
      for (const [name, value] of Object.entries(properties)) {
        expect(['href', 'id', 'class', 'aria-label', 'aria-describedby']).toContain(name);
        if (name === 'href') expect(String(value)).toMatch(/^(https:\/\/(ok|evil)\.example|#user-content-)/);
        if (name === 'id') expect(String(value)).toMatch(/^user-content-fn-/);
      }
    }
  });
  it('a text of ten million characters is cut', () => {
    const rendered = renderText('word '.repeat(2_000_000), 'markdown');
    if (rendered.kind !== 'tree') throw new Error('laid out plain');
    expect(writeHtml(rendered.tree).length).toBeLessThan(MAX_CHARACTERS + 100);
  });
  it('a text of endless nesting is shown as plain text', () => {
    expect(html(`${'>'.repeat(400)} x`)).toBe('plain: deep');
    expect(renderText('>'.repeat(3000), 'markdown')).toEqual({ kind: 'plain', why: 'deep', text: '>'.repeat(3000) });
  });
  it('a text after one that could not be read is read as if it were the first', () => {
    const text = 'Said.[^1]\n\n[^1]: By whom.';
    const first = html(text);
    expect(html(`Else.[^1]\n\n[^1]: By others.\n\n${'>'.repeat(3000)}`)).toBe('plain: deep');
    expect(html(text)).toBe(first);
    expect(html('Not said.[^1]')).toBe('<p>Not said.[^1]</p>');
  });
  it('marks left open in a paragraph of HTML are there once: a browser repeats them in every paragraph', () => {
    const marks = Array.from({ length: 50 }, (_, index) => `<b a=${index}>`).join('');
    const rendered = renderText(`<p>${marks}</p>${'<p>x'.repeat(500)}`, 'html');
    if (rendered.kind !== 'tree') throw new Error('laid out plain');
    expect(elements(rendered.tree)).toHaveLength(1 + 50 + 500);
  });
  it('a text that refers thousands of times to one long address is shown as plain text', () => {
    expect(html(`${'[a] '.repeat(20_000)}\n\n[a]: https://x.example/${'y'.repeat(50_000)}`)).toBe('plain: large');
  });
  it('a text with more elements than a page can hold is shown as plain text', () => {
    expect(html('***\n\n'.repeat(25_000))).toBe('plain: large');
  });
});
