// Renderer, settings: the front door.
export { SettingsPage } from './settings-page.tsx';
