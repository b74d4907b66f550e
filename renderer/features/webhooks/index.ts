// Renderer, webhooks: its front door.
export { WebhooksPage } from './webhooks-page.tsx';
