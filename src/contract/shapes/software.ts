// Software licences in responses.
import { Type } from 'typebox';

const text = Type.String();

/** Pending: ordered, without a key yet. Cancelled: it works until the end of its period. */
const licenceStatuses = ['Pending', 'Active', 'Cancelled', 'Ended'] as const;
export type LicenceStatus = (typeof licenceStatuses)[number];

const licence = { license: text, type: text, status: Type.Enum(licenceStatuses), since: text };

export const Licences = Type.Object({
  installed: Type.Array(Type.Object({ ...licence, key: Type.String({ 'x-addition': true }) }), {
    description: 'Delivered licences. One that was ordered is in neither list until then.',
  }),
  available: Type.Array(text),
});
export const LicenceOrder = Type.Object({ orderid: text, invoiceid: text, license: text, status: text });
const label = Type.String({ description: 'The name of the product; empty if the provider gave none' });
export const LicenceOffer = Type.Object({
  license: text,
  label,
  price: Type.String({ description: 'Per month, before tax' }),
  first: Type.String({
    description: 'Until the end of this month, before tax: the amount that an order today invoices immediately',
  }),
});
export const LicenceDetail = Type.Object({
  orderid: text,
  label,
  ...licence,
  until: Type.String({ description: 'The last day if it is cancelled; otherwise empty' }),
  price: Type.String({ description: 'Per month' }),
  key: Type.String({ description: 'Empty until the provider has one' }),
});
