// Renderer, settings: exports to other folders.
import { en } from '../../text/en.ts';
import { lazyPage } from '../../ui/lazy.tsx';

export { useSettingsBadge } from './use-badge.ts';
export const SettingsPage = lazyPage(en.pages.settings, async () => (await import('./settings-page.tsx')).SettingsPage);
