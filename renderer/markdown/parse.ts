// Renderer, pure: converts an untrusted text to a tree of harmless elements.
// The tree has no script, no image, no styles or ids of the text's own, and no address but https.
// Runs in a worker (worker.ts).
import { type Schema, sanitize } from 'hast-util-sanitize';
import { Parser } from 'htmlparser2';
import { Marked } from 'marked';
import footnotes from 'marked-footnote';
import { texts } from '../../shared/text/texts.ts';
import { httpsAddress, shortAddress } from '../ui/address.ts';
import { MAX_CHARACTERS, type PlainReason, type RenderResult, type TextForm } from './render-result.ts';
import { type ElementNode, elementNode, type Properties, type Tree, type TreeNode, textNode } from './tree.ts';

const MAX_DEPTH = 60;
const MAX_NODES = 40_000;
/** Length of the HTML of a text. An address that a text defines once is in it as often as the text refers to it. */
const MAX_HTML = 10 * MAX_CHARACTERS;
const ROW_PARENTS = ['table', 'thead', 'tbody', 'tr'];

const SCHEMA: Schema = {
  strip: ['script', 'style'],
  // Ids have their prefix already, or are dropped.
  clobberPrefix: '',
  tagNames: [
    ...'h1 h2 h3 h4 h5 h6 p ul ol li blockquote pre code em strong b i del a img'.split(' '),
    ...'table thead tbody tr th td hr br section sup input'.split(' '),
  ],
  attributes: {
    '*': ['id'],
    a: ['href', 'aria-label', 'aria-describedby'],
    img: ['src', 'alt'],
    input: ['checked', 'type', 'disabled'],
    ol: ['start'],
    td: ['align'],
    th: ['align'],
  },
  protocols: { href: ['http', 'https'], src: ['http', 'https'] },
  ancestors: { tbody: ['table'], td: ['table'], th: ['table'], thead: ['table'], tr: ['table'] },
};

// HTML from outside could contain an id that the page itself uses.
const HTML_SCHEMA: Schema = { ...SCHEMA, attributes: { ...SCHEMA.attributes, '*': [], a: ['href'] } };

/** Nodes of the libraries, which have more kinds than a text needs. */
interface ParsedNode {
  readonly type: string;
  readonly value?: string;
  readonly tagName?: string;
  readonly properties?: Properties;
  readonly children?: readonly ParsedNode[];
}

/** Prefix of the ids of footnotes. */
const ID_PREFIX = 'user-content-fn-';

/** Drops HTML within Markdown. A parser of its own for each text: that of footnotes keeps those of a text that it could not read. */
const markdownHtml = (text: string): string =>
  new Marked(footnotes({ prefixId: ID_PREFIX }), { renderer: { html: () => '' } }).parse(text, { async: false });

/** undefined: the text is too large. */
const PARSERS: Readonly<Record<TextForm, (text: string) => ParsedNode | undefined>> = {
  markdown(text) {
    const html = markdownHtml(text);
    return html.length > MAX_HTML ? undefined : (sanitize(parseHtml(html), SCHEMA) as ParsedNode);
  },
  html: (text) => sanitize(parseHtml(text), HTML_SCHEMA) as ParsedNode,
  plain: (text) => ({ type: 'root', children: text.split(/\n[ \t]*\n/).map(paragraph) }),
};

/** Never throws. @param body untrusted, of any length and form */
export function renderText(body: string, form: TextForm): RenderResult {
  const text = body.slice(0, MAX_CHARACTERS);
  const plain = (why: PlainReason): RenderResult => ({ kind: 'plain', text, why });
  try {
    const parsed = PARSERS[form](text);
    if (parsed === undefined) return plain('large');
    const problem = findExcess(parsed);
    return problem === null
      ? { kind: 'tree', tree: { type: 'root', children: (parsed.children ?? []).flatMap(sanitizeNode) } }
      : plain(problem);
  } catch (error) {
    if (!(error instanceof RangeError)) return plain('broken');
    // HTML longer than a string can be, or nested so deeply that the parser's stack overflows.
    return plain(/string length/i.test(error.message) ? 'large' : 'deep');
  }
}

/** Iterative, because it looks for trees that are too deep for recursion. */
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

/** Misplaced tags stay where they are, unlike in a page: no tag that the schema allows changes how others are read. */
function parseHtml(text: string): Tree {
  const tree: Tree = { type: 'root', children: [] };
  const open: { readonly children: TreeNode[] }[] = [tree];
  const append = (node: TreeNode): void => void open.at(-1)?.children.push(node);
  const parser = new Parser({
    onopentag(tagName, attributes) {
      const element = elementNode(tagName, attributes, []);
      append(element);
      open.push(element);
    },
    onclosetag: () => void open.pop(),
    ontext: (value) => append(textNode(value)),
  });
  parser.end(text);
  return tree;
}

function paragraph(text: string): ElementNode {
  const lines = text.split('\n').map(textNode);
  const children = lines.flatMap((line, index) => (index === 0 ? [line] : [elementNode('br', {}, []), line]));
  return elementNode('p', {}, children);
}

function sanitizeNode({
  type,
  value = '',
  tagName,
  properties: written = {},
  children: inside = [],
}: ParsedNode): TreeNode[] {
  if (type === 'text') return [textNode(value)];
  if (tagName === undefined) return [];
  const properties = withoutForeignId(written);
  const children = inside
    .flatMap(sanitizeNode)
    // Space between rows and cells is no content.
    .filter((child) => child.type !== 'text' || !ROW_PARENTS.includes(tagName) || child.value.trim() !== '');
  if (tagName === 'a') return link(elementNode(tagName, properties, children));
  if (tagName === 'img') return [notLoaded(properties)];
  if (tagName === 'input') return [textNode(properties.checked === undefined ? '\u2610 ' : '\u2611 ')];
  // The title of the briefing is the page's only heading of level one.
  return [elementNode(tagName === 'h1' ? 'h2' : tagName, properties, children)];
}

/** marked-footnote writes names of footnotes into attributes as they are: they may hold an id that the page itself uses. */
const withoutForeignId = ({ id, ...properties }: Properties): Properties =>
  id?.startsWith(ID_PREFIX) === true ? { ...properties, id } : properties;

/** Keeps links to https or within the text; shows others as text. */
function link(node: ElementNode): TreeNode[] {
  const { children } = node;
  const { href = '' } = node.properties;
  if (href.startsWith('#')) return [node];
  const url = httpsAddress(href);
  if (url !== null) return [elementNode('a', { href: url.href }, children)];
  if (href === '') return children;
  return [elementNode('span', { class: 'no-link' }, [...children, textNode(` (${shortAddress(href)})`)])];
}

function notLoaded({ alt = '', src = '' }: Properties): ElementNode {
  const text = texts.briefings.picture(alt, shortAddress(src));
  return elementNode('span', { class: 'no-picture' }, [textNode(text)]);
}
