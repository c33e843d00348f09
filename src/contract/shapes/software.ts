// Software licences in responses.
import { Type } from 'typebox';
import { described, text } from './text.ts';

/** Pending: ordered, without a key yet. Cancelled: it works until the end of its period. */
const licenceStatuses = ['Pending', 'Active', 'Cancelled', 'Ended'] as const;
export type LicenceStatus = (typeof licenceStatuses)[number];

const licence = { license: text, type: text, status: Type.Enum(licenceStatuses), since: text };

export const Licences = Type.Object({
  installed: Type.Array(Type.Object({ ...licence, key: Type.String({ 'x-addition': true }) }), {
    description: 'Delivered licences. An ordered licence is in neither list until it is delivered.',
  }),
  available: Type.Array(text),
});
export const LicenceOrder = Type.Object({ orderid: text, invoiceid: text, license: text, status: text });
const label = described('The name of the product; empty if unknown');
export const LicenceOffer = Type.Object({
  license: text,
  label,
  price: described('Per month, before tax'),
  first: described(
    'Price until the end of this month, before tax: an order today is invoiced immediately for this amount',
  ),
});
export const LicenceDetail = Type.Object({
  orderid: text,
  label,
  ...licence,
  until: described('The last day of a cancelled licence; otherwise empty'),
  price: described('Per month'),
  key: described('Empty until the provider has delivered it'),
});
