// Legacy: contacts. Same as in v2, but the country is spelled `county`, and responses contain the contact's id.
import type { clientLegacy } from '#contract/legacy/client.ts';
import { contactCreate, contactDelete, contactGet, contactUpdate } from '#app/account/contacts.ts';
import type { HandlersOf } from '../handler.ts';

export const clientHandlers: HandlersOf<typeof clientLegacy> = {
  contactGet: (context, { id }) => contactGet(context, id),
  contactCreate: (context, { county, ...fields }) => contactCreate(context, { ...fields, country: county }, 'county'),
  contactUpdate: (context, { id, county, ...fields }) =>
    contactUpdate(context, id, county === undefined ? fields : { ...fields, country: county }, 'county'),
  contactDelete: (context, { id }) => contactDelete(context, id),
};
