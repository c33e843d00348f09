// Searches the records of all zones that the caller may read.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { ZoneRecord } from '#contract/shapes/dns.ts';
import type { dnsV2 } from '#contract/v2/dns.ts';
import { requireFound } from '#lib/api-error.ts';
import { pauseWork } from '#lib/slices.ts';
import { recordFound, recordsStarting, type FoundRecord } from '#store/dns/record-search.ts';
import type { Context } from '../app.ts';
import { recordShape } from './content.ts';
import { visibleSets, visibleZoneNames } from './limits.ts';

const defaultLimit = 50;

export async function recordSearch(
  { queries, caller }: Context,
  { text, field = 'name', after, limit = defaultLimit }: InputOf<(typeof dnsV2)['recordSearch']>,
): Promise<Static<typeof ZoneRecord>[]> {
  // Names have no dot at the end, and texts are indexed without their first quotation mark.
  const prefix = text.toLowerCase().replace(field === 'name' ? /\.$/ : /^"+/, '');
  const isVisible = (record: FoundRecord): boolean => visibleSets(caller.dnsLimits, record.zone)(record);
  const zones = visibleZoneNames(caller.dnsLimits);
  let last: FoundRecord | undefined;
  if (after !== undefined) {
    const found = await recordFound(queries, caller.account, field, after);
    last = requireFound(found !== undefined && isVisible(found) ? found : undefined);
  }
  const records: FoundRecord[] = [];
  for (;;) {
    const page = await recordsStarting(queries, caller.account, { field, prefix, zones, after: last, limit });
    records.push(...page.filter(isVisible));
    if (page.length < limit || records.length >= limit) return records.slice(0, limit).map(recordShape);
    last = page.at(-1)!;
    await pauseWork('outside a transaction');
  }
}
