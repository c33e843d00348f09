// Licences in words. Their names are those of the price list, such as DEDICATED_PANEL4_10_POWERPACK.
import type { Device } from '#sdk/v2.ts';

/** What an order or its end makes stale. */
export const changes = ['deviceLicenceList', 'deviceLicenceOfferList', 'invoiceGet', 'balanceGet'];

/** Without the kind of service, which the page has said already: `Panel4 10 Powerpack`. */
export function licenceName(license: string): string {
  const [, ...words] = license.split('_');
  return (words.length === 0 ? [license] : words).map((word) => word.charAt(0) + word.slice(1).toLowerCase()).join(' ');
}

/** As the orders of licences call it. */
export function typeOf({ type }: Pick<Device, 'type'>): 'Dedicated' | 'VPS' {
  return type === 'dedicated' ? 'Dedicated' : 'VPS';
}
