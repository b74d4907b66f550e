// Renderer: writes the tree of a text as HTML, by the browser's own writer.
import type { Tree, TreeNode } from './tree.ts';

export function writeHtml(tree: Tree): string {
  const root = document.createElement('div');
  root.append(...tree.children.map(elementOf));
  return root.innerHTML;
}

function elementOf(node: TreeNode): Node {
  if (node.type === 'text') return document.createTextNode(node.value);
  const element = document.createElement(node.tagName);
  for (const [name, value] of Object.entries(node.properties)) element.setAttribute(name, value ?? '');
  element.append(...node.children.map(elementOf));
  return element;
}
