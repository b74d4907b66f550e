// Renderer, pure: a text from outside as a tree of harmless elements: no markup of its own, no script, no picture, no address but https.
// Runs in a worker (worker.ts).
import rehypeParse from 'rehype-parse';
import rehypeSanitize, { type Options as Schema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { briefings } from '../text/briefings.ts';
import { httpsAddress, shortAddress } from '../ui/address.ts';
import { MAX_CHARACTERS, type PlainReason, type RenderResult, type TextForm } from './render-result.ts';
import { type ElementNode, elementNode, type Properties, type TreeNode, textNode } from './tree.ts';

const MAX_DEPTH = 60;
const MAX_NODES = 40_000;

const SCHEMA: Schema = {
  strip: ['script', 'style'],
  // The parser has put a prefix before every id already, and nothing else can bring one.
  clobberPrefix: '',
  tagNames: [
    ...'h1 h2 h3 h4 h5 h6 p ul ol li blockquote pre code em strong b i del a img'.split(' '),
    ...'table thead tbody tr th td hr br section sup input'.split(' '),
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

/** What the libraries give: more kinds of nodes than a text needs. */
interface ParsedNode {
  readonly type: string;
  readonly value?: string;
  readonly tagName?: string;
  readonly properties?: Properties;
  readonly children?: readonly ParsedNode[];
}

const PARSERS: Readonly<Record<TextForm, (text: string) => ParsedNode>> = {
  // HTML within Markdown is left out.
  markdown: (text) => markdown.runSync(markdown.parse(text)) as ParsedNode,
  html: (text) => html.runSync(html.parse(text)) as ParsedNode,
  plain: (text) => ({ type: 'root', children: text.split(/\n[ \t]*\n/).map(paragraph) }),
};

/** @param body from outside, of any length and form; never throws */
export function renderText(body: string, form: TextForm): RenderResult {
  const text = body.slice(0, MAX_CHARACTERS);
  const plain = (why: PlainReason): RenderResult => ({ kind: 'plain', text, why });
  try {
    const parsed = PARSERS[form](text);
    const problem = findExcess(parsed);
    return problem === null
      ? { kind: 'tree', tree: { type: 'root', children: (parsed.children ?? []).flatMap(sanitizeNode) } }
      : plain(problem);
  } catch (error) {
    // Nested so deep that the parser's own stack has an end.
    return plain(error instanceof RangeError ? 'deep' : 'broken');
  }
}

/** Without recursion: a tree that is too deep is what it looks for. */
function findExcess(tree: ParsedNode): 'deep' | 'large' | null {
  let level: readonly ParsedNode[] = [tree];
  let nodes = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    nodes += level.length;
    if (nodes > MAX_NODES) return 'large';
    if (depth > MAX_DEPTH) return 'deep';
    level = level.flatMap(({ children = [] }) => children);
  }
  return null;
}

function paragraph(text: string): ElementNode {
  const lines = text.split('\n').map(textNode);
  const children = lines.flatMap((line, index) => (index === 0 ? [line] : [elementNode('br', {}, []), line]));
  return elementNode('p', {}, children);
}

function sanitizeNode({ type, value = '', tagName, properties = {}, children: inside = [] }: ParsedNode): TreeNode[] {
  if (type === 'text') return [textNode(value)];
  if (tagName === undefined) return [];
  const children = inside.flatMap(sanitizeNode);
  if (tagName === 'a') return link(elementNode(tagName, properties, children));
  if (tagName === 'img') return [notLoaded(properties)];
  if (tagName === 'input') return [textNode(properties.checked === true ? '\u2611 ' : '\u2610 ')];
  // The title of the briefing is the page's only heading of the first rank.
  return [elementNode(tagName === 'h1' ? 'h2' : tagName, properties, children)];
}

/** Links lead to https or within the text; others are shown as text, not offered. */
function link(node: ElementNode): TreeNode[] {
  const { children } = node;
  const href = String(node.properties.href ?? '');
  if (href.startsWith('#')) return [node];
  const url = httpsAddress(href);
  if (url !== null) return [elementNode('a', { href: url.href }, children)];
  if (href === '') return children;
  return [elementNode('span', { className: ['no-link'] }, [...children, textNode(` (${shortAddress(href)})`)])];
}

function notLoaded({ alt, src }: Properties): ElementNode {
  const text = briefings.picture(String(alt ?? ''), shortAddress(String(src ?? '')));
  return elementNode('span', { className: ['no-picture'] }, [textNode(text)]);
}
