// Renderer: the page in the theme and the density that the user likes.
import { preferences } from './store/preferences.ts';

/** Sets both now, and whenever they, or the computer's own theme, change. */
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
