// Renderer: converts an untrusted text to a tree of harmless elements.
// The tree has no script, no image, no styles or ids of the text's own, and no address but https.
import { escapeHtml } from '../../shared/lib/html-text.ts';
import { texts } from '../../shared/text/texts.ts';
import { httpsAddress, shortAddress } from '../ui/address.ts';
import type { RenderResult } from './render-result.ts';
import { type ElementNode, elementNode, type Properties, type TreeNode, textNode } from './tree.ts';

const MAX_DEPTH = 60;
const MAX_NODES = 40_000;
const ROW_PARENTS = ['table', 'thead', 'tbody', 'tr'];

/** Elements that are kept with these attributes; of any other its text is. `a`, `img` and `input` are replaced. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    'h1 h2 h3 h4 h5 h6 p ul li blockquote pre code em strong b i del table thead tbody tr hr br section sup'
      .split(' ')
      .map((tagName) => [tagName, []]),
  ),
  a: ['href'],
  img: ['src', 'alt'],
  input: ['checked'],
  ol: ['start'],
  td: ['align'],
  th: ['align'],
};

/** Their text is none of the text. */
const DROPPED = ['script', 'style'];

/** Of footnotes. HTML from outside could contain an id that the page itself uses, so this is for HTML of our own. */
const OWN_ATTRIBUTES = ['id', 'aria-label', 'aria-describedby'];

/**
 * @param html of the text: from its Markdown, or the text itself
 * @param text shown as it was written where the elements are too many or too deep
 */
export function renderHtml(html: string, text: string, form: 'markdown' | 'html'): RenderResult {
  // A document of its own: it runs nothing and loads nothing.
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const why = findExcess(body);
  if (why !== null) return { kind: 'plain', text, why };
  const children = sanitizedChildren(body, form === 'markdown' ? OWN_ATTRIBUTES : []);
  return { kind: 'tree', tree: { type: 'root', children } };
}

/** Keeps the lines of a text without form. */
export function renderPlain(text: string): RenderResult {
  const paragraphs = text.split(/\n[ \t]*\n/).map((lines) => `<p>${escapeHtml(lines).replaceAll('\n', '<br>')}</p>`);
  return renderHtml(paragraphs.join(''), text, 'html');
}

/** Iterative, because it looks for trees that are too deep for recursion. */
function findExcess(root: Node): 'deep' | 'large' | null {
  let level: readonly Node[] = [root];
  let nodes = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    nodes += level.length;
    if (nodes > MAX_NODES) return 'large';
    if (depth > MAX_DEPTH) return 'deep';
    level = level.flatMap(({ childNodes }) => [...childNodes]);
  }
  return null;
}

const sanitizedChildren = (node: Node, own: readonly string[]): TreeNode[] =>
  [...node.childNodes].flatMap((child) => sanitize(child, own));

function sanitize(node: Node, own: readonly string[]): TreeNode[] {
  if (node instanceof Text) return [textNode(node.data)];
  if (!(node instanceof Element) || DROPPED.includes(node.localName)) return [];
  const tagName = node.localName;
  const allowed = Object.hasOwn(KEPT, tagName) ? KEPT[tagName] : undefined;
  const children = sanitizedChildren(node, own)
    // Space between rows and cells is no content.
    .filter((child) => child.type !== 'text' || !ROW_PARENTS.includes(tagName) || child.value.trim() !== '');
  if (allowed === undefined) return children;
  const properties = propertiesOf(node, [...allowed, ...own]);
  if (tagName === 'a') return link(elementNode(tagName, properties, children));
  if (tagName === 'img') return [notLoaded(properties)];
  if (tagName === 'input') return [textNode(properties.checked === undefined ? '\u2610 ' : '\u2611 ')];
  // The title of the briefing is the page's only heading of level one.
  return [elementNode(tagName === 'h1' ? 'h2' : tagName, properties, children)];
}

const propertiesOf = (element: Element, names: readonly string[]): Properties =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = element.getAttribute(name);
      return value === null ? [] : [[name, value]];
    }),
  );

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
