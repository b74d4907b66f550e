// Renderer, pure: a text from outside as a tree of harmless elements: no markup of its own, no script, no picture, no address but https.
// Runs in a worker (worker.ts).
import type { Element, ElementContent, Nodes, Properties, Root } from 'hast';
import rehypeParse from 'rehype-parse';
import rehypeSanitize, { type Options as Schema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { briefings } from '../text/briefings.ts';
import { httpsAddress, shortAddress } from '../ui/address.ts';
import { type Laid, MOST_CHARACTERS, type PlainReason, type TextForm } from './laid.ts';

const MOST_DEPTH = 60;
const MOST_NODES = 40_000;

const SCHEMA: Schema = {
  strip: ['script', 'style'],
  // The parser has put a prefix before every id already, and nothing else can bring one.
  clobberPrefix: '',
  tagNames: [
    ...[
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'p',
      'ul',
      'ol',
      'li',
      'blockquote',
      'pre',
      'code',
      'em',
      'strong',
      'b',
      'i',
      'del',
      'a',
      'img',
    ],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'hr', 'br', 'section', 'sup', 'input'],
  ],
  attributes: {
    '*': ['id'],
    a: ['href', 'ariaLabel', 'ariaDescribedBy'],
    img: ['src', 'alt'],
    input: ['checked', 'type', 'disabled'],
    ol: ['start'],
    td: ['align'],
    th: ['align'],
  },
  protocols: { href: ['http', 'https'], src: ['http', 'https'] },
  ancestors: { tbody: ['table'], td: ['table'], th: ['table'], thead: ['table'], tr: ['table'] },
};

const markdown = unified().use(remarkParse).use(remarkGfm).use(remarkRehype).use(rehypeSanitize, SCHEMA);
// Whoever writes HTML could choose an id that something else of the page goes by.
const html = unified()
  .use(rehypeParse, { fragment: true })
  .use(rehypeSanitize, { ...SCHEMA, attributes: { ...SCHEMA.attributes, '*': [] } });

const TREES: Readonly<Record<TextForm, (text: string) => Root>> = {
  // HTML within Markdown is left out.
  markdown: (text) => markdown.runSync(markdown.parse(text)) as Root,
  html: (text) => html.runSync(html.parse(text)) as Root,
  plain: (text) => ({ type: 'root', children: text.split(/\n[ \t]*\n/).map(paragraph) }),
};

/** @param body from outside, of any length and form; never throws */
export function layOut(body: string, form: TextForm): Laid {
  const text = body.slice(0, MOST_CHARACTERS);
  const plain = (why: PlainReason): Laid => ({ kind: 'plain', text, why });
  try {
    const tree = TREES[form](text);
    const problem = tooMuch(tree);
    return problem === null ? { kind: 'tree', tree: { type: 'root', children: tree.children.flatMap(tame) } } : plain(problem);
  } catch (thrown) {
    // Nested so deep that the parser's own stack has an end.
    return plain(thrown instanceof RangeError ? 'deep' : 'broken');
  }
}

/** Without recursion: a tree that is too deep is what it looks for. */
function tooMuch(tree: Root): 'deep' | 'large' | null {
  let level: readonly Nodes[] = [tree];
  let nodes = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    nodes += level.length;
    if (nodes > MOST_NODES) return 'large';
    if (depth > MOST_DEPTH) return 'deep';
    level = level.flatMap((node) => ('children' in node ? (node.children as Nodes[]) : []));
  }
  return null;
}

function paragraph(text: string): Element {
  const lines = text.split('\n').map((value): ElementContent => ({ type: 'text', value }));
  const children = lines.flatMap((line, index) => (index === 0 ? [line] : [elementOf('br', {}, []), line]));
  return elementOf('p', {}, children);
}

function tame(node: Root['children'][number]): ElementContent[] {
  if (node.type === 'text') return [{ type: 'text', value: node.value }];
  if (node.type !== 'element') return [];
  const children = node.children.flatMap(tame);
  if (node.tagName === 'a') return link(node, children);
  if (node.tagName === 'img') return [notLoaded(node)];
  if (node.tagName === 'input') return [{ type: 'text', value: node.properties.checked === true ? '\u2611 ' : '\u2610 ' }];
  // The title of the briefing is the page's only heading of the first rank.
  const tagName = node.tagName === 'h1' ? 'h2' : node.tagName;
  return [elementOf(tagName, node.properties, children)];
}

/** Links lead to https or within the text; others are told, not offered. */
function link(node: Element, children: ElementContent[]): ElementContent[] {
  const href = String(node.properties.href ?? '');
  if (href.startsWith('#')) return [{ ...node, children }];
  const url = httpsAddress(href);
  if (url !== null) return [elementOf('a', { href: url.href }, children)];
  if (href === '') return children;
  return [elementOf('span', { className: ['no-link'] }, [...children, { type: 'text', value: ` (${shortAddress(href)})` }])];
}

function notLoaded(node: Element): Element {
  const words = briefings.picture(String(node.properties.alt ?? ''), shortAddress(String(node.properties.src ?? '')));
  return elementOf('span', { className: ['no-picture'] }, [{ type: 'text', value: words }]);
}

const elementOf = (tagName: string, properties: Properties, children: ElementContent[]): Element => ({
  type: 'element',
  tagName,
  properties,
  children,
});
