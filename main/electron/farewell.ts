// Main, Electron shell, pure: what becomes of the app when its last window closes. A monitor that ends unnoticed has missed something;
// one that goes on where nobody can reach it is no better.

export interface FarewellFacts {
  readonly platform: NodeJS.Platform;
  /** A tray that shows our icon is known to exist. */
  readonly tray: boolean;
  /** What the user chose; null: was never asked. */
  readonly closeToTray: boolean | null;
  /** A production profile is watched. */
  readonly production: boolean;
}

/**
 * goes-on: the window closes, watching goes on. ends: the app ends with it. ask-tray: whether to go on in the tray.
 * ask-end: there is nowhere to go on but in a window; only the user says that it may end.
 */
export type Farewell = 'goes-on' | 'ends' | 'ask-tray' | 'ask-end';

export function farewell({ platform, tray, closeToTray, production }: FarewellFacts): Farewell {
  // The dock is always there.
  if (platform === 'darwin') return 'goes-on';
  if (tray) return closeToTray === null ? 'ask-tray' : closeToTray ? 'goes-on' : 'ends';
  return production ? 'ask-end' : 'ends';
}
