// Renderer: applies the theme and the density that the user prefers.
import { preferences } from './store/preferences.ts';

/** Sets both now and on every change of them or of the computer's theme. */
export function followTheme(root: HTMLElement): void {
  const light = matchMedia('(prefers-color-scheme: light)');
  const follow = (): void => {
    const { themeChoice } = preferences.read();
    preferences.chooseTheme(themeChoice, light.matches ? 'light' : 'dark');
  };
  const set = (): void => {
    const { theme, density } = preferences.read();
    root.dataset.theme = theme;
    root.dataset.density = density;
  };
  follow();
  set();
  light.addEventListener('change', follow);
  preferences.watch(set);
}
