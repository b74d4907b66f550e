// Renderer, pure: the tree of a text: elements and text nodes; the libraries call it hast.

export type Properties = Record<string, boolean | number | string | null | undefined | (string | number)[]>;
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

const ATTRIBUTES: Readonly<Record<string, string>> = {
  className: 'class',
  ariaLabel: 'aria-label',
  ariaDescribedBy: 'aria-describedby',
  dataSymbol: 'data-symbol',
};

/** The attributes of an element in HTML, by name. */
export const attributesOf = ({ properties }: ElementNode): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, value]) =>
      value == null || value === false
        ? []
        : [[ATTRIBUTES[name] ?? name, Array.isArray(value) ? value.join(' ') : value === true ? '' : `${value}`]],
    ),
  );
