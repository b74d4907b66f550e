// Renderer, pure: marks in a tree what was searched for, and the symbols that a text is about.
import { elementNode, type Tree, type TreeNode, textNode } from './tree.ts';
import { piecesOf } from './words.ts';

export interface Marks {
  /** As `searchWords` gives them. */
  readonly words: readonly string[];
  readonly symbols: readonly string[];
}

/** Where nothing is marked: what is quoted as code, and what leads elsewhere already. */
const LEFT_ALONE = ['code', 'pre'];

/** Hits become `<mark>`, symbols `<span data-symbol="SPY">`. The tree given stays as it is. */
export function markTree(tree: Tree, { words, symbols }: Marks): Tree {
  const symbol = symbolPattern(symbols);
  const hits = (text: string): TreeNode[] =>
    piecesOf(text, words).map((piece) =>
      piece.hit ? elementNode('mark', {}, [textNode(piece.text)]) : textNode(piece.text),
    );
  const inText = (text: string, linked: boolean): TreeNode[] => {
    if (linked || symbol === null) return hits(text);
    return text
      .split(symbol)
      .flatMap((part, index) =>
        index % 2 === 0 ? (part === '' ? [] : hits(part)) : [elementNode('span', { dataSymbol: part }, hits(part))],
      );
  };
  const walk = (node: TreeNode, linked: boolean): TreeNode[] => {
    if (node.type === 'text') return inText(node.value, linked);
    if (LEFT_ALONE.includes(node.tagName)) return [node];
    const inside = linked || node.tagName === 'a';
    return [{ ...node, children: node.children.flatMap((child) => walk(child, inside)) }];
  };
  return { ...tree, children: tree.children.flatMap((child) => walk(child, false)) };
}

/** A symbol as a word of its own, in capitals as it is written; one group, for `split`. */
function symbolPattern(symbols: readonly string[]): RegExp | null {
  if (symbols.length === 0) return null;
  const longestFirst = [...symbols]
    .sort((a, b) => b.length - a.length)
    .map((symbol) => symbol.replaceAll(/[.^$*+?()[\]{}|\\]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}.^=-])(${longestFirst.join('|')})(?![\\p{L}\\p{N}^=]|[.-][\\p{L}\\p{N}])`, 'u');
}
