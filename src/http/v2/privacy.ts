// v2: archives of the account, and its erasure.
import type { privacyV2 } from '#contract/v2/privacy.ts';
import { erasureCancel, erasureGet, erasureRequest } from '#app/privacy/erasure.ts';
import { accountExportCreate, accountExportFile, accountExportList } from '#app/privacy/exports.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const privacyHandlers: HandlersOf<typeof privacyV2> = {
  accountExportCreate: (context) => accountExportCreate(context),
  accountExportList: (context) => accountExportList(context),
  accountExportFile: (context, { id }) => accountExportFile(context, id),
  erasureGet: (context) => erasureGet(context),
  erasureRequest: respondWith('Erasure Requested', (context) => erasureRequest(context)),
  erasureCancel: respondWith('Erasure Cancelled', (context) => erasureCancel(context)),
};
