// Renderer, settings: the front door.
export { SettingsPage } from './settings-page.tsx';
export { useSettingsBadge } from './use-badge.ts';
