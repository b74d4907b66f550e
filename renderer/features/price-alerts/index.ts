// Renderer, price alerts: exports to other folders.
export { PriceAlertLines } from './price-alert-lines.tsx';
export { PriceAlertsView } from './price-alerts-view.tsx';
export { useAcknowledgePrices, useWaitingPrices } from './waiting.ts';
