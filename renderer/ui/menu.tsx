// Renderer: a menu that opens from a button. Until it is first opened there is only its button: what a menu is made of (menu-made.tsx) is code that no
// window needs at its start, and a list has many of these buttons.
import { cloneElement, useEffect, useState, useSyncExternalStore } from 'react';
import { laterParts } from '../parts-later.ts';
import { useServices } from '../services.ts';
import { en } from '../text/en.ts';
import './menu.css';
import type { MenuCheckProps, MenuChoiceProps, MenuItemProps, MenuProps, SubMenuProps } from './menu-made.tsx';

const part = laterParts.add(() => import('./menu-made.tsx'));

type Opened = 'never' | 'by pointer' | 'by key';

export function Menu(props: MenuProps) {
  const { trigger, open = false, onOpenChange, byKey = false } = props;
  const { ingest } = useServices();
  const loading = useSyncExternalStore(part.subscribe, part.read);
  const [opened, setOpened] = useState<Opened>('never');
  if (open && opened === 'never') setOpened(byKey ? 'by key' : 'by pointer');
  const isWanted = opened !== 'never';
  useEffect(() => {
    if (isWanted) void part.load();
  }, [isWanted]);
  useEffect(() => {
    if (!isWanted || loading.status !== 'failed') return;
    ingest({ kind: 'problem', message: en.later.dialogFailed(en.later.menu) });
    setOpened('never');
    onOpenChange?.(false);
  }, [isWanted, loading.status, ingest, onOpenChange]);
  if (isWanted && loading.status === 'ready') return <loading.code.MadeMenu {...props} byKey={opened === 'by key'} />;
  const ask = (by: Opened): void => {
    setOpened(by);
    onOpenChange?.(true);
  };
  return <MenuButton trigger={trigger} onPointer={() => ask('by pointer')} onKey={() => ask('by key')} />;
}

interface MenuButtonProps {
  readonly trigger: MenuProps['trigger'];
  readonly onPointer: () => void;
  readonly onKey: () => void;
}

/** The button of a menu that is not made yet: it says the same and opens by the same keys as that of a menu that is made and closed. */
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

/** What stands in a menu is drawn only where one is open, so its code is there. */
function made() {
  const loading = part.read();
  if (loading.status !== 'ready') throw new Error('This is drawn only in a menu that is open.');
  return loading.code;
}

export function MenuItem(props: MenuItemProps) {
  const { MadeItem } = made();
  return <MadeItem {...props} />;
}

/** One of several that exclude each other. */
export function MenuChoice<Value extends string>({ label, value, options, onChange }: MenuChoiceProps<Value>) {
  const { MadeChoice } = made();
  return <MadeChoice label={label} value={value} options={options} onChange={(chosen) => onChange(chosen as Value)} />;
}

export function MenuCheck(props: MenuCheckProps) {
  const { MadeCheck } = made();
  return <MadeCheck {...props} />;
}

export function SubMenu(props: SubMenuProps) {
  const { MadeSubMenu } = made();
  return <MadeSubMenu {...props} />;
}

export function MenuLine() {
  const { MadeLine } = made();
  return <MadeLine />;
}
