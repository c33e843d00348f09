// Shared by the licence list and the order form.
import type { Device } from '#sdk/v2.ts';

/** Queries to refetch after an order or a cancellation. */
export const licenceQueries = ['deviceLicenceList', 'deviceLicenceOfferList', 'invoiceGet', 'balanceGet'];

/** Returns the service type as the licence API names it. */
export function licenceServiceType({ type }: Pick<Device, 'type'>): 'Dedicated' | 'VPS' {
  return type === 'dedicated' ? 'Dedicated' : 'VPS';
}
