// v2: direct debit mandates and bank transfers.
import type { sepaV2 } from '#contract/v2/sepa.ts';
import { mandateCreate, mandateList, sepaGet } from '#app/payments/sepa/lists.ts';
import type { HandlersOf } from '../handler.ts';

export const sepaHandlers: HandlersOf<typeof sepaV2> = {
  sepaGet,
  mandateList: (context) => mandateList(context),
  mandateCreate,
};
