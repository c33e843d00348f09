// Software licences as callers see them.
import { Type } from 'typebox';

const text = Type.String();

export const Licences = Type.Object({
  installed: Type.Array(Type.Object({ license: text, type: text, status: text, since: text })),
  available: Type.Array(text),
});
export const LicenceOrder = Type.Object({ orderid: text, invoiceid: text, license: text, status: text });
