// Renderer, pure: many texts hold their own summary as a paragraph: then it is shown once, as the first one.
import type { Tree, TreeNode } from './tree.ts';

/** @returns the tree that begins with the paragraphs that together say what the summary says, as its lead; null where none do */
export function asLead(tree: Tree, summary: string): Tree | null {
  const target = flat(summary);
  for (const begin of tree.children.keys()) {
    const indices = runFrom(tree.children, begin, target);
    if (indices === null) continue;
    const isLead = new Set(indices);
    const leads = tree.children.filter((_, index) => isLead.has(index)).map(asLeadPart);
    return { ...tree, children: [...leads, ...tree.children.filter((_, index) => !isLead.has(index))] };
  }
  return null;
}

/** Places of the paragraphs from here on that make up what is wanted, and nothing else. */
function runFrom(nodes: readonly TreeNode[], begin: number, target: string): readonly number[] | null {
  const indices: number[] = [];
  let joined = '';
  for (let index = begin; index < nodes.length; index += 1) {
    const node = nodes[index];
    if (node?.type === 'text' && indices.length > 0) continue;
    if (node?.type !== 'element' || node.tagName !== 'p') return null;
    joined = flat(`${joined} ${textOf(node)}`);
    indices.push(index);
    if (joined === target) return indices;
    if (joined === '' || !target.startsWith(joined)) return null;
  }
  return null;
}

const asLeadPart = (node: TreeNode): TreeNode =>
  node.type === 'element' ? { ...node, properties: { ...node.properties, className: ['lead'] } } : node;
const textOf = (node: TreeNode): string => (node.type === 'text' ? node.value : node.children.map(textOf).join(''));
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
