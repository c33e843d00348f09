// Zones in the shape of PowerDNS's API, by name instead of id. Limited keys see the zones and sets that they may change.
import type { Static } from 'typebox';
import type { PowerDnsZone, ZoneSummary } from '#contract/shapes/powerdns.ts';
import { invalid, requireFound } from '#lib/api-error.ts';
import { JsonText, type WithJsonText } from '#lib/json-text.ts';
import { mapInSlices } from '#lib/slices.ts';
import { signedZoneFind } from '#store/dns/zone-keys.ts';
import { recordsAt, recordsByName, recordSets } from '#store/dns/records.ts';
import { zonesNamed, type Zone } from '#store/dns/zones.ts';
import { zoneSummaries } from '#store/dns/zone-summaries.ts';
import type { SourceRecord } from '#store/dns/zone-source.ts';
import { undefinedIfUnreadable } from '#protocols/dns/errors.ts';
import { parseName, toAbsolute } from '#protocols/dns/name.ts';
import { wireToContent } from '#protocols/dns/rdata.ts';
import { rrTypes, typeName, typeNumber } from '#protocols/dns/types.ts';
import type { Context } from '../app.ts';
import { serialOf, soaAmong } from './change.ts';
import { isZoneVisible, visibleSets, type SetName } from './limits.ts';
import { groupSets } from './record-sets.ts';
import { changeSets, type SetChange } from './rrset-changes.ts';
import { readUnlocked } from './unlocked-read.ts';
import { ZoneCache } from './zone-cache.ts';
import { zoneCreate } from './zones.ts';

type Document = WithJsonText<Static<typeof PowerDnsZone>>;
type Summary = Static<typeof ZoneSummary>;

/** Finds a zone of the account as PowerDNS identifies it: in any case, with or without the dot, `=2F` for a slash. */
export async function findZoneByName(context: Context, id: string): Promise<Zone> {
  const { queries, caller } = context;
  const name = undefinedIfUnreadable(() =>
    parseName(id.replaceAll(/=([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))),
  );
  const zones = name === undefined ? [] : await zonesNamed(queries, [name]);
  return requireFound(
    zones.find((zone) => zone.account_id === caller.account && isZoneVisible(caller.dnsLimits, zone.name)),
    'Zone not found. It may belong to another account.',
  );
}

export async function listZoneDocuments(context: Context, only: string | undefined): Promise<Summary[]> {
  const { queries, caller } = context;
  const name = only === undefined ? undefined : undefinedIfUnreadable(() => parseName(only));
  const zones = (await zoneSummaries(queries, caller.account)).filter(
    (zone) => isZoneVisible(caller.dnsLimits, zone.name) && (only === undefined || zone.name === name),
  );
  return mapInSlices(zones, (zone) => summaryOf(zone.name, serialOf(zone), signedFlag(context, zone.signed !== null)));
}

export interface ZoneView {
  readonly withSets: boolean;
  readonly name?: string | undefined;
  readonly type?: string | undefined;
}

const documents = new ZoneCache<Document>();

export async function getZoneDocument(context: Context, id: string, view: ZoneView): Promise<Document> {
  const found = await findZoneByName(context, id);
  const { dnsLimits } = context.caller;
  const isWhole = view.withSets && view.name === undefined && view.type === undefined && dnsLimits === undefined;
  const known = isWhole ? documents.find(context.app.store, found) : undefined;
  if (known !== undefined) return known;
  const isVisible = visibleSets(dnsLimits, found.name);
  const isRequested = setFilter(view);
  const read = await readUnlocked(context, found.id, async (zone) => {
    const serial = serialOf(soaAmong(await recordsAt(context.queries, zone, zone.name)));
    const isSigned = signedFlag(context, (await signedZoneFind(context.queries, zone)) !== undefined);
    const summary = summaryOf(zone.name, serial, isSigned);
    if (!view.withSets) return documentOf(summary);
    const texts: string[] = [];
    for await (const records of recordsByName(context.queries, zone)) {
      const shown = records.filter((record) => isVisible(record) && isRequested(record));
      const sorted = shown.toSorted((left, right) =>
        left.path === right.path ? left.type - right.type || left.id - right.id : left.path < right.path ? -1 : 1,
      );
      texts.push(...setTexts(sorted));
    }
    return documentOf(summary, texts);
  });
  const { zone: readZone, content } = requireFound(read);
  if (isWhole) documents.keep(context.app.store, readZone, content);
  return content;
}

/** Creates a zone with these name servers instead of the provider's, and these sets. */
export async function createZoneDocument(
  context: Context,
  name: string,
  { nameservers = [], rrsets = [] }: { nameservers?: readonly string[]; rrsets?: readonly SetChange[] },
): Promise<Document> {
  const domain = Number(await zoneCreate(context, 'name', name));
  const servers = nameservers.map((content) => ({ content }));
  const changes = [...(servers.length === 0 ? [] : [{ name, type: 'NS', records: servers }]), ...rrsets];
  if (changes.length > 0)
    await changeSets(
      context,
      domain,
      changes.map((change) => ({ changetype: 'REPLACE', ...change })),
    );
  const zone = await findZoneByName(context, name);
  const records = await recordSets(context.queries, zone);
  const soa = records.find(({ type }) => type === rrTypes.SOA)!;
  return documentOf(summaryOf(zone.name, serialOf(soa), signedFlag(context, false)), setTexts(records));
}

const primaryKinds = new Set(['native', 'master', 'primary', 'producer']);
/** Rejects settings that PowerDNS has and our zones do not. */
export function checkZoneSettings({ kind, dnssec }: { kind?: string | undefined; dnssec?: boolean | undefined }): void {
  if (kind !== undefined && !primaryKinds.has(kind.toLowerCase()))
    throw invalid({ kind: 'must be Native, because zones are not copied from other name servers' });
  if (dnssec === true) throw invalid({ dnssec: 'cannot be set here; use PUT /v2/dns/dnssec' });
}

function setFilter({ name, type }: ZoneView): (set: SetName) => boolean {
  const [wantedName, wantedType] = [
    name === undefined ? undefined : undefinedIfUnreadable(() => parseName(name)),
    type === undefined ? undefined : undefinedIfUnreadable(() => typeNumber(type)),
  ];
  return (set) => (name === undefined || set.name === wantedName) && (type === undefined || set.type === wantedType);
}

/** The sets as JSON. Records must come grouped by name and type. */
function setTexts(records: readonly SourceRecord[]): string[] {
  return groupSets(records).map(({ name, type, ttl, rdata }) =>
    JSON.stringify({
      comments: [],
      name: toAbsolute(name),
      records: rdata.map((data) => ({ content: wireToContent(type, data, 'dotted'), disabled: false })),
      ttl,
      type: typeName(type),
    }),
  );
}

/** Only an external name server itself knows which zones it signs. */
function signedFlag({ app }: Context, isSigned: boolean): Pick<Summary, 'dnssec'> {
  return app.nameService.external === undefined ? { dnssec: isSigned } : {};
}

const zonesPath = '/api/v1/servers/localhost/zones';

function summaryOf(name: string, serial: number, signed: Pick<Summary, 'dnssec'>): Summary {
  const id = toAbsolute(name).replaceAll(
    /[^a-z0-9._-]/gi,
    (character) => `=${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  return {
    account: '',
    ...signed,
    edited_serial: serial,
    id,
    kind: 'Native',
    last_check: 0,
    masters: [],
    name: toAbsolute(name),
    notified_serial: 0,
    serial,
    url: `${zonesPath}/${id}`,
  };
}

/** In alphabetical order, which acme.sh relies on. */
function documentOf(summary: Summary, sets?: readonly string[]): Document {
  const document = {
    ...summary,
    api_rectify: false,
    ...(sets && { rrsets: new JsonText(`[${sets.join()}]`, sets.length) }),
    soa_edit: '',
    soa_edit_api: 'DEFAULT',
  };
  const entries = Object.entries(document).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries) as unknown as typeof document;
}
