// Renderer, webhooks, pure: what of the page is chosen, and shown in detail beside the lists.
export type Selection =
  /** This computer's relay. */
  | { readonly kind: 'here' }
  | { readonly kind: 'subscription'; readonly id: string }
  | { readonly kind: 'delivery'; readonly id: string }
  | { readonly kind: 'arrival'; readonly eventId: string }
  | { readonly kind: 'refused'; readonly id: number }
  | { readonly kind: 'target'; readonly id: string };

/** What stands in the middle: the service's log, or what this computer saw of it. */
export const VIEWS = ['deliveries', 'arrived', 'refused'] as const;
export type View = (typeof VIEWS)[number];

export type DeliveryFilter = 'all' | 'failed' | 'pending';
