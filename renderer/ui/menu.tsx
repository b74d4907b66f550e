// Renderer: a menu that opens from a button; before its first opening only the button exists.
// The menu's code (radix-menu.tsx) loads later, and a list has many of these buttons.
import { cloneElement, useEffect, useState, useSyncExternalStore } from 'react';
import { texts } from '../../shared/text/texts.ts';
import { lazyModules } from '../lazy-modules.ts';
import { useServices } from '../services.ts';
import './menu.css';
import type { MenuCheckProps, MenuChoiceProps, MenuItemProps, MenuProps, SubMenuProps } from './radix-menu.tsx';

const module = lazyModules.add(() => import('./radix-menu.tsx'));

type OpenState = 'never' | 'by pointer' | 'by key';

export function Menu(props: MenuProps) {
  const { trigger, open = false, onOpenChange, byKey = false } = props;
  const { ingest } = useServices();
  const loading = useSyncExternalStore(module.subscribe, module.read);
  const [opened, setOpened] = useState<OpenState>('never');
  if (open && opened === 'never') setOpened(byKey ? 'by key' : 'by pointer');
  const isRequested = opened !== 'never';
  useEffect(() => {
    if (isRequested) void module.load();
  }, [isRequested]);
  useEffect(() => {
    if (!isRequested || loading.status !== 'failed') return;
    ingest({ kind: 'problem', message: texts.common.lazy.dialogFailed(texts.common.lazy.menu) });
    setOpened('never');
    onOpenChange?.(false);
  }, [isRequested, loading.status, ingest, onOpenChange]);
  if (isRequested && loading.status === 'ready')
    return <loading.code.RadixMenu {...props} byKey={opened === 'by key'} />;
  const ask = (by: OpenState): void => {
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

/**
 * The button of a menu that was not created yet. It looks and reacts to keys as the button of a closed menu.
 */
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

/** The items of a menu are drawn only in an open one, so their code is loaded. */
function loadedMenu() {
  const loading = module.read();
  if (loading.status !== 'ready') throw new Error('This is drawn only in a menu that is open.');
  return loading.code;
}

export function MenuItem(props: MenuItemProps) {
  const { RadixMenuItem } = loadedMenu();
  return <RadixMenuItem {...props} />;
}

/** A choice between values that exclude each other. */
export function MenuChoice<Value extends string>({ label, value, options, onChange }: MenuChoiceProps<Value>) {
  const { RadixMenuChoice } = loadedMenu();
  return (
    <RadixMenuChoice label={label} value={value} options={options} onChange={(chosen) => onChange(chosen as Value)} />
  );
}

export function MenuCheck(props: MenuCheckProps) {
  const { RadixMenuCheck } = loadedMenu();
  return <RadixMenuCheck {...props} />;
}

export function SubMenu(props: SubMenuProps) {
  const { RadixSubMenu } = loadedMenu();
  return <RadixSubMenu {...props} />;
}

export function MenuLine() {
  const { RadixMenuLine } = loadedMenu();
  return <RadixMenuLine />;
}
