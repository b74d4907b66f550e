// Renderer, pure: many texts hold their own summary as a paragraph: then it is shown once, as the first one.
import type { Tree, TreeNode } from './tree.ts';

/** @returns the tree that begins with the paragraphs that together say what the summary says, as its lead; null where none do */
export function asLead(tree: Tree, summary: string): Tree | null {
  const wanted = flat(summary);
  for (const begin of tree.children.keys()) {
    const places = runFrom(tree.children, begin, wanted);
    if (places === null) continue;
    const isLead = new Set(places);
    const leads = tree.children.filter((_, index) => isLead.has(index)).map(asLeadPart);
    return { ...tree, children: [...leads, ...tree.children.filter((_, index) => !isLead.has(index))] };
  }
  return null;
}

/** Places of the paragraphs from here on that make up what is wanted, and nothing else. */
function runFrom(nodes: readonly TreeNode[], begin: number, wanted: string): readonly number[] | null {
  const places: number[] = [];
  let said = '';
  for (let index = begin; index < nodes.length; index += 1) {
    const node = nodes[index];
    if (node?.type === 'text' && places.length > 0) continue;
    if (node?.type !== 'element' || node.tagName !== 'p') return null;
    said = flat(`${said} ${textOf(node)}`);
    places.push(index);
    if (said === wanted) return places;
    if (said === '' || !wanted.startsWith(said)) return null;
  }
  return null;
}

const asLeadPart = (node: TreeNode): TreeNode =>
  node.type === 'element' ? { ...node, properties: { ...node.properties, className: ['lead'] } } : node;
const textOf = (node: TreeNode): string => (node.type === 'text' ? node.value : node.children.map(textOf).join(''));
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
