// Renderer, pure: many texts hold their own summary as a paragraph: then it is shown once, as the first one.
import type { Tree, TreeNode } from './tree.ts';

/** @returns the tree that begins with the paragraph that says what the summary says, as its lead; null where none does */
export function asLead(tree: Tree, summary: string): Tree | null {
  const wanted = flat(summary);
  const index = tree.children.findIndex((child) => child.type === 'element' && child.tagName === 'p' && flat(textOf(child)) === wanted);
  const found = tree.children[index];
  if (found?.type !== 'element') return null;
  const lead = { ...found, properties: { ...found.properties, className: ['lead'] } };
  return { ...tree, children: [lead, ...tree.children.toSpliced(index, 1)] };
}

const textOf = (node: TreeNode): string => (node.type === 'text' ? node.value : node.children.map(textOf).join(''));
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
