// Renderer, pure: highlights search terms and symbols in the tree of a text.

import { segmentsOf } from './search-terms.ts';
import { elementNode, type Tree, type TreeNode, textNode } from './tree.ts';

export interface Highlights {
  /** Result of `parseSearchTerms`. */
  readonly terms: readonly string[];
  readonly symbols: readonly string[];
}

/** Elements that are never highlighted. */
const UNHIGHLIGHTED = ['code', 'pre'];

/** Matches become `<mark>`, symbols `<span data-symbol="SPY">`. Does not modify the given tree. */
export function highlightTree(tree: Tree, { terms, symbols }: Highlights): Tree {
  const symbol = symbolPattern(symbols);
  const hits = (text: string): TreeNode[] =>
    segmentsOf(text, terms).map((segment) =>
      segment.hit ? elementNode('mark', {}, [textNode(segment.text)]) : textNode(segment.text),
    );
  const inText = (text: string, linked: boolean): TreeNode[] => {
    if (linked || symbol === null) return hits(text);
    return text
      .split(symbol)
      .flatMap((part, index) =>
        index % 2 === 0 ? (part === '' ? [] : hits(part)) : [elementNode('span', { 'data-symbol': part }, hits(part))],
      );
  };
  const walk = (node: TreeNode, linked: boolean): TreeNode[] => {
    if (node.type === 'text') return inText(node.value, linked);
    if (UNHIGHLIGHTED.includes(node.tagName)) return [node];
    const inside = linked || node.tagName === 'a';
    return [{ ...node, children: node.children.flatMap((child) => walk(child, inside)) }];
  };
  return { ...tree, children: tree.children.flatMap((child) => walk(child, false)) };
}

/** Matches symbols as whole words in capitals; has one group, for `split`. */
function symbolPattern(symbols: readonly string[]): RegExp | null {
  if (symbols.length === 0) return null;
  const longestFirst = [...symbols]
    .sort((a, b) => b.length - a.length)
    .map((symbol) => symbol.replaceAll(/[.^$*+?()[\]{}|\\]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}.^=-])(${longestFirst.join('|')})(?![\\p{L}\\p{N}^=]|[.-][\\p{L}\\p{N}])`, 'u');
}
