// Renderer, briefings: the front door.
export { BriefingsPage } from './briefings-page.tsx';
export { useBriefingsBadge } from './use-archive.ts';
