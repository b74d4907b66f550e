// Renderer, validation: the front door.
export { ValidationPage } from './validation-page.tsx';
