// ACME challenges (dns-01): adds or removes a single TXT record at a name, whatever other clients have there.
import { createHash } from 'node:crypto';
import { invalid, requireFound } from '#lib/api-error.ts';
import { zonesNamed, type Zone } from '#store/dns/zones.ts';
import { ancestorNames, parseName } from '#protocols/dns/name.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import { checkOwner } from '#protocols/dns/zone-rules.ts';
import type { Context } from '../app.ts';
import { changeZone, lockZoneOrThrow, zoneWork } from './change.ts';
import { contentData, readable, recordShape } from './content.ts';
import { additionEdits, getSurroundings } from './records.ts';

/** Authorities look soon after, and remember what they see. */
const challengeTtlSeconds = 60;

export interface Challenge {
  readonly fqdn?: string | undefined;
  readonly value?: string | undefined;
  /** The RAW mode: the certificate's name and the key authorisation, from which name and value follow. */
  readonly domain?: string | undefined;
  readonly keyAuth?: string | undefined;
}

export async function presentChallenge(context: Context, challenge: Challenge): Promise<void> {
  const { name, content, rdata } = readChallenge(challenge);
  const zone = await lockClosestZone(context, name);
  const problem = checkOwner(zone.name, name, rrTypes.TXT);
  if (problem !== undefined)
    throw invalid({ [challenge.fqdn === undefined ? 'domain' : 'fqdn']: `is not valid: ${problem}` });
  const { soa, node } = await getSurroundings(context, zone, name);
  const set = node.filter(({ type }) => type === rrTypes.TXT);
  if (set.some((record) => record.rdata.equals(rdata))) return;
  const ttl = set[0]?.ttl ?? challengeTtlSeconds;
  const record = { name, type: rrTypes.TXT, ttl, content, rdata, address: null };
  const { ids } = await changeZone(zoneWork(context), zone, soa, additionEdits(node, record));
  context.emit('dns.record.created', recordShape({ ...record, id: ids[0]!, zone_id: zone.id }));
}

export async function cleanUpChallenge(context: Context, challenge: Challenge): Promise<void> {
  const { name, rdata } = readChallenge(challenge);
  const zone = await lockClosestZone(context, name);
  const { soa, node } = await getSurroundings(context, zone, name);
  const before = node.find((record) => record.type === rrTypes.TXT && record.rdata.equals(rdata));
  if (before === undefined) return;
  await changeZone(zoneWork(context), zone, soa, [{ before }]);
  context.emit('dns.record.deleted', recordShape(before));
}

function readChallenge({ fqdn, value, domain, keyAuth }: Challenge) {
  const isRaw = domain !== undefined && keyAuth !== undefined;
  if (isRaw === (fqdn !== undefined && value !== undefined))
    throw invalid({ fqdn: 'and value are required, or alternatively domain and keyAuth' });
  const text = isRaw ? createHash('sha256').update(keyAuth).digest('base64url') : value!;
  const name = isRaw ? `_acme-challenge.${domain.replace(/^\*\./, '')}` : fqdn!;
  return {
    name: readable(isRaw ? 'domain' : 'fqdn', () => parseName(name)),
    ...contentData(rrTypes.TXT, `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`),
  };
}

/** Locks the zone of the account that the name is in. If one is below another, the lower. */
async function lockClosestZone(context: Context, name: string): Promise<Zone> {
  const enclosing = await zonesNamed(context.queries, ancestorNames(name));
  const [closest] = enclosing
    .filter((zone) => zone.account_id === context.caller.account)
    .toSorted((left, right) => right.name.length - left.name.length);
  const zone = requireFound(closest, 'No zone of this account contains this name.');
  return lockZoneOrThrow(context, zone.id);
}
