// Legacy: contacts. The same work as in v2; the country is spelled `county` here and answers carry the contact's id.
import type { clientLegacy } from '#contract/legacy/client.ts';
import type { Handlers } from '#contract/endpoint.ts';
import { contactCreate, contactDelete, contactGet, contactUpdate } from '#app/account/contacts.ts';
import type { Context, Visitor } from '#app/yard.ts';

export const clientHandlers: Handlers<typeof clientLegacy, Context, Visitor> = {
  contactGet: (context, { id }) => contactGet(context, id),
  contactCreate: (context, { county, ...fields }) => contactCreate(context, { ...fields, country: county }),
  contactUpdate: (context, { id, county, ...fields }) =>
    contactUpdate(context, id, county === undefined ? fields : { ...fields, country: county }),
  contactDelete: (context, { id }) => contactDelete(context, id),
};
