// Renderer: a menu that opens from a button. Keyboard, focus and roles are Radix's; the look is ours.
import * as Radix from '@radix-ui/react-dropdown-menu';
import { type ButtonHTMLAttributes, cloneElement, type ReactElement, type ReactNode } from 'react';
import { Icon } from './icon.tsx';
import './menu.css';

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactNode;
  readonly align?: 'start' | 'end';
  /** Where a key opens it too; left out: the button alone does. */
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  /** A key that means something in this menu; true where it does. */
  readonly onKey?: (key: string) => boolean;
  readonly children: ReactNode;
}

export function Menu({ trigger, align = 'start', open, onOpenChange, onKey, children }: MenuProps) {
  // Not modal: the page goes on living behind it, and Radix needs no style element, which the page's policy forbids.
  // Where it stands in the page, it belongs to that part of it for readers too.
  return (
    <Radix.Root modal={false} {...(open === undefined ? {} : { open })} {...(onOpenChange === undefined ? {} : { onOpenChange })}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Content
        className="menu"
        align={align}
        sideOffset={2}
        collisionPadding={8}
        onKeyDown={(event) => {
          if (!event.ctrlKey && !event.metaKey && !event.altKey && onKey?.(event.key.toLowerCase()) === true) event.preventDefault();
        }}
      >
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}

interface MenuButtonProps {
  readonly trigger: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
  readonly onPointer: () => void;
  readonly onKey: () => void;
}

/** The button of a menu that is not made yet: it says the same and opens by the same keys as that of a `Menu` that is closed. */
export const MenuButton = ({ trigger, onPointer, onKey }: MenuButtonProps) =>
  cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerDown: (event) => {
      if (event.button !== 0 || event.ctrlKey) return;
      // The focus goes into the menu.
      event.preventDefault();
      onPointer();
    },
    onKeyDown: (event) => {
      if (event.key !== 'Enter' && event.key !== ' ' && event.key !== 'ArrowDown') return;
      event.preventDefault();
      onKey();
    },
  });

interface MenuItemProps {
  readonly onSelect: () => void;
  readonly disabled?: boolean;
  /** Key that does the same. */
  readonly hint?: string;
  readonly children: ReactNode;
}

export function MenuItem({ onSelect, disabled = false, hint, children }: MenuItemProps) {
  return (
    <Radix.Item className="menu-item" onSelect={onSelect} disabled={disabled}>
      <span className="menu-mark" />
      <span className="grow">{children}</span>
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: it takes no focus; the item does. */}
      {hint !== undefined && <kbd aria-hidden="true">{hint}</kbd>}
    </Radix.Item>
  );
}

/** One of several that exclude each other. */
export function MenuChoice<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: Value;
  options: readonly { readonly value: Value; readonly label: string }[];
  onChange: (value: Value) => void;
}) {
  return (
    <Radix.RadioGroup value={value} onValueChange={(chosen) => onChange(chosen as Value)} aria-label={label}>
      <Radix.Label className="menu-label">{label}</Radix.Label>
      {options.map((option) => (
        <Radix.RadioItem key={option.value} value={option.value} className="menu-item">
          <Mark />
          <span className="grow ell">{option.label}</span>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

export function MenuCheck({ checked, onChange, children }: { checked: boolean; onChange: () => void; children: ReactNode }) {
  return (
    <Radix.CheckboxItem
      className="menu-item"
      checked={checked}
      onCheckedChange={onChange}
      // Several are often changed one after the other.
      onSelect={(event) => event.preventDefault()}
    >
      <Mark />
      <span className="grow">{children}</span>
    </Radix.CheckboxItem>
  );
}

export function SubMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Radix.Sub>
      <Radix.SubTrigger className="menu-item">
        <span className="menu-mark" />
        <span className="grow">{label}</span>
        <Icon name="next" size={11} />
      </Radix.SubTrigger>
      <Radix.SubContent className="menu" sideOffset={2} collisionPadding={8}>
        {children}
      </Radix.SubContent>
    </Radix.Sub>
  );
}

export const MenuLine = () => <Radix.Separator className="menu-line" />;

const Mark = () => (
  <span className="menu-mark">
    <Radix.ItemIndicator>
      <Icon name="check" size={11} />
    </Radix.ItemIndicator>
  </span>
);
