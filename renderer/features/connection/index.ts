// Renderer, connection: its front door.
export { ConnectionPage } from './connection-page.tsx';
