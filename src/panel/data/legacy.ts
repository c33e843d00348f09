// Queries and mutations over the legacy API, for what only it offers: single switch ports, null routes, address
// requests and licence orders. A separate module, so that the legacy client is loaded only by the pages that need it.
import { createClient, type Methods } from '#sdk/legacy.ts';
import { createApiHooks } from './operations.ts';
import { sessionClient } from './session.ts';

const client = sessionClient('customer', createClient);

/** Responses are cached with the customer's others, under `legacy` and the operation's name. */
export const {
  useRead: useLegacyRead,
  useReads: useLegacyReads,
  useChange: useLegacyChange,
} = createApiHooks<Methods>(() => ({ portal: 'customer', client }), 'legacy ');
