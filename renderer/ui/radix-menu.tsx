// Renderer: the menu behind menu.tsx: keyboard, focus and roles are Radix's, the look is ours.
import * as Radix from '@radix-ui/react-dropdown-menu';
import { type ButtonHTMLAttributes, type ReactElement, type ReactNode, useLayoutEffect, useRef } from 'react';
import { Icon } from './icon.tsx';

export interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
  readonly align?: 'start' | 'end';
  /** Set if a key opens the menu, too; absent if only the button does. */
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  /** Handles a key of this menu; returns whether it did. */
  readonly onKey?: (key: string) => boolean;
  /** A key press created the menu: its first choice gets the focus. */
  readonly byKey?: boolean;
  readonly children: ReactNode;
}

/** A menu is created at its first opening, so it begins open unless the page controls `open`. */
export function RadixMenu({ trigger, align = 'start', open, onOpenChange, onKey, byKey = false, children }: MenuProps) {
  const content = useRef<HTMLDivElement>(null);
  // The menu did not exist when the key was pressed, so it does not focus its first choice itself.
  const isFirstChosen = useRef(byKey);
  useLayoutEffect(() => {
    if (isFirstChosen.current) content.current?.querySelector<HTMLElement>(FIRST_ITEM)?.focus({ preventScroll: true });
    isFirstChosen.current = false;
  }, []);
  // Not modal: the page stays active behind it, and Radix needs no style element, which the page's policy
  // forbids. Its content stays in its part of the page, for screen readers, too.
  return (
    <Radix.Root
      modal={false}
      {...(open === undefined ? { defaultOpen: true } : { open })}
      {...(onOpenChange === undefined ? {} : { onOpenChange })}
    >
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Content
        ref={content}
        className="menu"
        align={align}
        sideOffset={2}
        collisionPadding={8}
        onKeyDown={(event) => {
          if (!event.ctrlKey && !event.metaKey && !event.altKey && onKey?.(event.key.toLowerCase()) === true)
            event.preventDefault();
        }}
      >
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}

const FIRST_ITEM = '[role^="menuitem"]:not([data-disabled])';

export interface MenuItemProps {
  readonly onSelect: () => void;
  readonly disabled?: boolean;
  /** Shortcut of the item. */
  readonly hint?: string;
  readonly children: ReactNode;
}

export function RadixMenuItem({ onSelect, disabled = false, hint, children }: MenuItemProps) {
  return (
    <Radix.Item className="menu-item" onSelect={onSelect} disabled={disabled}>
      <span className="menu-check" />
      <span className="grow">{children}</span>
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: it takes no focus; the item does. */}
      {hint !== undefined && <kbd aria-hidden="true">{hint}</kbd>}
    </Radix.Item>
  );
}

export interface MenuChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

export function RadixMenuChoice({ label, value, options, onChange }: MenuChoiceProps<string>) {
  return (
    <Radix.RadioGroup value={value} onValueChange={onChange} aria-label={label}>
      <Radix.Label className="menu-label">{label}</Radix.Label>
      {options.map((option) => (
        <Radix.RadioItem key={option.value} value={option.value} className="menu-item">
          <CheckIcon />
          <span className="grow ell">{option.label}</span>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

export interface MenuCheckProps {
  readonly checked: boolean;
  readonly onChange: () => void;
  readonly children: ReactNode;
}

export function RadixMenuCheck({ checked, onChange, children }: MenuCheckProps) {
  return (
    <Radix.CheckboxItem
      className="menu-item"
      checked={checked}
      onCheckedChange={onChange}
      // Users often change several, one after the other.
      onSelect={(event) => event.preventDefault()}
    >
      <CheckIcon />
      <span className="grow">{children}</span>
    </Radix.CheckboxItem>
  );
}

export interface SubMenuProps {
  readonly label: string;
  readonly children: ReactNode;
}

export function RadixSubMenu({ label, children }: SubMenuProps) {
  return (
    <Radix.Sub>
      <Radix.SubTrigger className="menu-item">
        <span className="menu-check" />
        <span className="grow">{label}</span>
        <Icon name="next" size={11} />
      </Radix.SubTrigger>
      <Radix.SubContent className="menu" sideOffset={2} collisionPadding={8}>
        {children}
      </Radix.SubContent>
    </Radix.Sub>
  );
}

export const RadixMenuLine = () => <Radix.Separator className="menu-line" />;

const CheckIcon = () => (
  <span className="menu-check">
    <Radix.ItemIndicator>
      <Icon name="check" size={11} />
    </Radix.ItemIndicator>
  </span>
);
