// Renderer, pure: the tree of a text: elements and text nodes.

/** Attributes by their names in HTML. */
export type Properties = Readonly<Record<string, string | undefined>>;
export interface TextNode {
  type: 'text';
  value: string;
}
export interface ElementNode {
  type: 'element';
  tagName: string;
  properties: Properties;
  children: TreeNode[];
}
export type TreeNode = TextNode | ElementNode;
export interface Tree {
  type: 'root';
  children: TreeNode[];
}

export const textNode = (value: string): TextNode => ({ type: 'text', value });
export const elementNode = (tagName: string, properties: Properties, children: TreeNode[]): ElementNode => ({
  type: 'element',
  tagName,
  properties,
  children,
});
