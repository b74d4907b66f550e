// Renderer, pure: many texts begin with their own summary: then it is shown once, as the text's first paragraph.
import type { Tree, TreeNode } from './tree.ts';

/** @returns the tree with its first paragraph marked as the lead; null where it begins otherwise */
export function asLead(tree: Tree, summary: string): Tree | null {
  const index = tree.children.findIndex((child) => child.type === 'element');
  const first = tree.children[index];
  if (first?.type !== 'element' || first.tagName !== 'p' || flat(textOf(first)) !== flat(summary)) return null;
  const lead = { ...first, properties: { ...first.properties, className: ['lead'] } };
  return { ...tree, children: tree.children.with(index, lead) };
}

const textOf = (node: TreeNode): string => (node.type === 'text' ? node.value : node.children.map(textOf).join(''));
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
