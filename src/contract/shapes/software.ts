// Software licences as callers see them.
import { Type } from 'typebox';

const text = Type.String();

/** Pending: ordered, and the provider has no key yet. Cancelled: until the end of its period it works on. */
export const licenceStatuses = ['Pending', 'Active', 'Cancelled', 'Ended'] as const;
export type LicenceStatus = (typeof licenceStatuses)[number];

export const Licences = Type.Object({
  installed: Type.Array(Type.Object({ license: text, type: text, status: text, since: text })),
  available: Type.Array(text),
});
export const LicenceOrder = Type.Object({ orderid: text, invoiceid: text, license: text, status: text });
