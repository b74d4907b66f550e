// Renderer, pure: finds the summary among a text's paragraphs, to show it once, as the lead.
import type { Tree, TreeNode } from './tree.ts';

/**
 * @returns the tree with the paragraphs that equal the summary moved to its front, as the lead; null if none
 * do
 */
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

/** Indexes of consecutive paragraphs from `begin` that together equal the wanted text. */
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
  node.type === 'element' ? { ...node, properties: { ...node.properties, class: 'lead' } } : node;
const textOf = (node: TreeNode): string => (node.type === 'text' ? node.value : node.children.map(textOf).join(''));
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
