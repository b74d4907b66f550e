// Renderer, webhooks, pure: the selection of the page, shown in detail beside the lists.
export type Selection =
  /** This computer's relay. */
  | { readonly kind: 'here' }
  | { readonly kind: 'subscription'; readonly id: string }
  | { readonly kind: 'delivery'; readonly id: string }
  | { readonly kind: 'arrival'; readonly eventId: string }
  | { readonly kind: 'refused'; readonly id: number }
  | { readonly kind: 'target'; readonly id: string };

/** Views of the middle: the service's log, or what this computer received and refused. */
export const VIEWS = ['deliveries', 'arrived', 'refused'] as const;
export type View = (typeof VIEWS)[number];

export type DeliveryFilter = 'all' | 'failed' | 'pending';
