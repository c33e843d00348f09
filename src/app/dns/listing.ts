// The records of a zone as callers list them. A panel or a script asks for the same zone again and again, and every change
// counts up the zone's revision; so the lists of small zones are remembered under it, on any engine and any number of nodes.
import type { Static } from 'typebox';
import type { ZoneRecord } from '#contract/shapes/dns.ts';
import { recordPage } from '#store/dns/records.ts';
import type { Store } from '#store/store.ts';
import type { Page, Zone } from '#store/dns/zones.ts';
import { foundZone } from './change.ts';
import { recordShown } from './content.ts';
import type { Context } from '../yard.ts';

type Shape = Static<typeof ZoneRecord>;

interface Remembered {
  readonly revision: number;
  /** Frozen, so that it is put into words once only. */
  readonly records: Shape[];
}

const zonesRemembered = 500;
const recordsRemembered = 50;
const rememberedOf = new WeakMap<Store, Map<number, Remembered>>();

export async function recordList(context: Context, domain: number, page: Page): Promise<Shape[]> {
  const zone = await foundZone(context, domain);
  if (page.after !== undefined || page.limit !== undefined) return listed(context, zone, page);
  const remembered = rememberedOf.get(context.yard.store) ?? new Map<number, Remembered>();
  const known = remembered.get(zone.id);
  if (known?.revision === zone.revision) return known.records;
  const records = await listed(context, zone, {});
  if (records.length <= recordsRemembered) {
    if (remembered.size >= zonesRemembered) remembered.delete(remembered.keys().next().value!);
    remembered.set(zone.id, { revision: zone.revision, records: Object.freeze(records) as Shape[] });
    rememberedOf.set(context.yard.store, remembered);
  }
  return records;
}

async function listed(context: Context, zone: Zone, page: Page): Promise<Shape[]> {
  return (await recordPage(context.queries, zone, page)).map(recordShown);
}
