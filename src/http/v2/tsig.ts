// v2: TSIG keys.
import type { tsigV2 } from '#contract/v2/tsig.ts';
import { tsigKeyCreate, tsigKeyDelete, tsigKeyList } from '#app/dns/tsig-keys.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const tsigHandlers: HandlersOf<typeof tsigV2> = {
  tsigKeyList,
  tsigKeyCreate,
  tsigKeyDelete: respondWith('Key Deleted', (context, { id }) => tsigKeyDelete(context, id)),
};
