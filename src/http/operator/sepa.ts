// Operator API: files for the bank and bank statements.
import type { sepaOperator } from '#contract/operator/sepa.ts';
import * as sepa from '#app/payments/sepa/lists.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const sepaHandlers: HandlersOf<typeof sepaOperator> = {
  sepaFiles: sepa.sepaFiles,
  sepaFile: sepa.sepaFile,
  sepaFileDecide: respondWith('File Recorded', sepa.sepaFileDecide),
  sepaStatements: sepa.sepaStatements,
  sepaImport: sepa.sepaImport,
  sepaEntries: sepa.sepaEntries,
  sepaAssign: respondWith('Booking Assigned', sepa.sepaAssign),
  sepaIgnore: respondWith('Booking Ignored', sepa.sepaIgnore),
};
