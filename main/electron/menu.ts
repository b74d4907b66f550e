// Main, Electron shell: the application menu, with standard shortcuts, without inspector or reload.
import type { MenuItemConstructorOptions } from 'electron';
import { texts } from '../../shared/text/texts.ts';

export interface MenuActs {
  newWindow(): void;
}

export function appMenu(platform: NodeJS.Platform, acts: MenuActs): MenuItemConstructorOptions[] {
  return [
    ...(platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
    {
      label: texts.tray.menu.file,
      submenu: [
        { label: texts.tray.menu.newWindow, accelerator: 'CmdOrCtrl+Shift+N', click: () => acts.newWindow() },
        { role: 'close' },
        ...(platform === 'darwin' ? [] : [{ type: 'separator' } as const, { role: 'quit' } as const]),
      ],
    },
    { role: 'editMenu' },
    {
      label: texts.tray.menu.view,
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
      ],
    },
    { role: 'windowMenu' },
  ];
}
