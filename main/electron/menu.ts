// Main, Electron shell: the application menu: standard shortcuts, no inspection or loading of pages.
import type { MenuItemConstructorOptions } from 'electron';

export interface MenuActs {
  newWindow(): void;
}

export function appMenu(platform: NodeJS.Platform, acts: MenuActs): MenuItemConstructorOptions[] {
  return [
    ...(platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
    {
      label: 'File',
      submenu: [
        { label: 'New Window', accelerator: 'CmdOrCtrl+Shift+N', click: () => acts.newWindow() },
        { role: 'close' },
        ...(platform === 'darwin' ? [] : [{ type: 'separator' } as const, { role: 'quit' } as const]),
      ],
    },
    { role: 'editMenu' },
    {
      label: 'View',
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
