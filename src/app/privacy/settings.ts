// How long erasure waits, and how long tax law requires invoices, as the site file says.
import { Type, type Static } from 'typebox';
import type { Site } from '#contract/site/site.ts';
import { metaEntry } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';

const PrivacySettings = Type.Object({ waitingDays: Type.Integer(), keptYears: Type.Integer() });
export type PrivacySettings = Static<typeof PrivacySettings>;

const entry = metaEntry('privacy', PrivacySettings);
const defaults: PrivacySettings = { waitingDays: 14, keptYears: 10 };

export async function storePrivacySettings(queries: Queries, { privacy }: Pick<Site, 'privacy'>): Promise<void> {
  await entry.put(queries, {
    waitingDays: privacy?.erasureWaitDays ?? defaults.waitingDays,
    keptYears: privacy?.keepInvoicesYears ?? defaults.keptYears,
  });
}

export async function getPrivacySettings(queries: Queries): Promise<PrivacySettings> {
  return (await entry.find(queries)) ?? defaults;
}
