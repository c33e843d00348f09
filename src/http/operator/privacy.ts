// Operator API: archives of accounts, and erasure.
import type { privacyOperator } from '#contract/operator/privacy.ts';
import { erasureList, erasureReplay, operatorErasureCancel, operatorErasureRequest } from '#app/privacy/erasure.ts';
import { operatorExportCreate, operatorExportFile, operatorExportList } from '#app/privacy/exports.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const privacyHandlers: HandlersOf<typeof privacyOperator> = {
  accountExportCreate: operatorExportCreate,
  accountExportList: (context, { id }) => operatorExportList(context, id),
  accountExportFile: (context, input) => operatorExportFile(context, input.export),
  erasureList,
  erasureRequest: respondWith('Erasure Requested', operatorErasureRequest),
  erasureCancel: respondWith('Erasure Cancelled', (context, { id }) => operatorErasureCancel(context, id)),
  erasureReplay,
};
