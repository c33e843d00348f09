// The account's tax data, as the API returns it.
import type { Methods } from '#sdk/v2.ts';

export type TaxData = Awaited<ReturnType<Methods['taxGet']>>;
