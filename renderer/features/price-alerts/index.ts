// Renderer, price alerts: exports to other folders.
export { PriceAlertsView } from './price-alerts-view.tsx';
