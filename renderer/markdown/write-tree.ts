// Renderer, pure: the tree of a text as HTML, and the attributes of its elements.
import { escapeHtml } from '../../shared/lib/html-text.ts';
import type { ElementNode, Tree, TreeNode } from './tree.ts';

/** Elements without content and closing tag. */
export const VOID_ELEMENTS = ['br', 'hr', 'img', 'input'];

/** Attributes by their names in HTML: `dataSymbol` is `data-symbol`, `ariaLabel` is `aria-label`. */
export const attributesOf = ({ properties }: ElementNode): [name: string, value: string | number | true][] =>
  Object.entries(properties).flatMap(([name, value]): [string, string | number | true][] => {
    if (value === null || value === undefined || value === false) return [];
    const spelled =
      name === 'className'
        ? 'class'
        : name.replace(/^(data|aria)([A-Z].*)$/, (_, kind, rest) => `${kind}-${rest.toLowerCase()}`);
    return [[spelled, Array.isArray(value) ? value.join(' ') : value]];
  });

export const toHtml = ({ children }: Pick<Tree, 'children'>): string => children.map(htmlOf).join('');

function htmlOf(node: TreeNode): string {
  if (node.type === 'text') return escapeHtml(node.value);
  const { tagName } = node;
  const attributes = attributesOf(node).map(([name, value]) =>
    value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`,
  );
  const opening = `<${tagName}${attributes.join('')}>`;
  return VOID_ELEMENTS.includes(tagName) ? opening : `${opening}${toHtml(node)}</${tagName}>`;
}
