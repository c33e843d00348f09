// Signed requests that the name server's thread passes on: updates of zones (RFC 2136), which become a change like any
// other, and the question whether a key may transfer a zone.
import { randomUUID } from 'node:crypto';
import { v2 } from '#contract/contract.ts';
import { dnsUpdate } from '#contract/dns-operations.ts';
import { ApiError, invalid } from '#lib/api-error.ts';
import { mapInSlices } from '#lib/slices.ts';
import { createRateLimiter, type RateLimiter } from '#lib/rate-limits.ts';
import { recordsAtNames } from '#store/dns/records.ts';
import { zonesNamed, type Zone } from '#store/dns/zones.ts';
import type { Queries } from '#store/store.ts';
import { decodeMessage } from '#protocols/dns/message.ts';
import { isComputedType } from '#protocols/dns/rdata.ts';
import { setKey } from '#protocols/dns/rrset.ts';
import { rcodes } from '#protocols/dns/types.ts';
import { applyLines, checkPrerequisites, readUpdate, UpdateError, type UpdateRequest } from '#protocols/dns/update.ts';
import { checkOwner } from '#protocols/dns/zone-rules.ts';
import type { Admission } from '../account/authentication.ts';
import type { App, Context } from '../app.ts';
import type { Caller } from '../caller.ts';
import type { ApiResponse, Call, Operation } from '../operations/call.ts';
import { execute } from '../operations/execute.ts';
import { checkSetSize, lockZoneOrThrow, soaAmong } from './change.ts';
import { dataOfWire, ttlProblem } from './content.ts';
import type { KeyQuestion } from './customer-keys.ts';
import { isWholeZoneVisible, isZoneVisible, requireWritable } from './limits.ts';
import { zonePublishing } from './publishing.ts';
import { editsBetween, replaceZone } from './replace.ts';

/** Longer than a signature is valid, in which a message could be sent again. */
const replayWindowMs = 3_600_000;
const bytesPerKilobyte = 1024;

/** Returns whether the key may transfer the zone, or the response code of an update. */
export function createKeyAnswers(app: App): (question: KeyQuestion) => Promise<boolean | number> {
  const limiter = createRateLimiter(() => performance.now());
  return async (question) => {
    try {
      const admission = await app.authentication.admitTsig(question.key, question.address);
      chargeKey(limiter, admission, question.about === 'update' ? question.bytes.length : 0);
      const caller = { ...admission.caller, requestId: randomUUID() };
      return question.about === 'transfer'
        ? await mayTransfer(app, caller, question.zone)
        : await answerUpdate(app, caller, question);
    } catch (error) {
      if (question.about === 'transfer' && error instanceof ApiError) return false;
      return rcodeOf(error);
    }
  };
}

/**
 * As the API does: a budget for the key, and one for all keys of the account with the same limits. A large update costs as much as
 * a zone file.
 */
function chargeKey(limiter: RateLimiter, { printableId, caller: { account }, limits }: Admission, bytes: number): void {
  const cost = 1 + Math.floor((bytes / bytesPerKilobyte) * v2.zoneFileImport.costPerKilobyte);
  for (const name of [printableId, `account ${account} ${limits.rate} ${limits.burst}`])
    if (!limiter(name, limits, cost).allowed) throw new ApiError('rate_limited');
}

async function mayTransfer({ store }: App, caller: Caller, name: string): Promise<boolean> {
  const [zone] = await zonesNamed(store.queries, [name]);
  if (zone?.account_id !== caller.account || !caller.scopes.has('dns:read')) return false;
  return isWholeZoneVisible(caller.dnsLimits, zone.name);
}

async function answerUpdate(
  app: App,
  caller: Caller,
  { bytes, mac }: Extract<KeyQuestion, { about: 'update' }>,
): Promise<number> {
  const request = readUpdate(decodeMessage(bytes));
  const [zone] = await zonesNamed(app.store.queries, [request.zone]);
  if (zone === undefined) return rcodes.NOTAUTH;
  const isAllowed = caller.accountStatus === 'Active' && caller.scopes.has('dns:write');
  if (zone.account_id !== caller.account || !isAllowed || !isZoneVisible(caller.dnsLimits, zone.name))
    return rcodes.REFUSED;
  if (request.lines.length === 0) {
    const records = await recordsOf(app.store.queries, zone, request.prerequisites);
    checkPrerequisites(request.prerequisites, records);
    return rcodes.NOERROR;
  }
  const operation: Operation = {
    name: dnsUpdate,
    effect: 'stored',
    method: 'UPDATE',
    path: '/',
    input: { zone: zone.name, mac },
    target: ['zone'],
    // A message that comes again, for whatever reason, gets the answer of the first one.
    idempotencyKey: mac,
    replayWindowMs,
    access: 'dns:write',
    ...(app.nameService.external !== undefined && { beforeCommit: zonePublishing }),
  };
  const work: Call['work'] = {
    prepare: async () => {},
    run: async (context) => {
      await changeRecords(context, zone.id, request);
      return response(rcodes.NOERROR);
    },
    reject: (error) => response(rcodeOf(error)),
  };
  const { body } = await execute({ app, caller, operation, work });
  return Number(body);
}

async function changeRecords(context: Context, id: number, { prerequisites, lines }: UpdateRequest): Promise<void> {
  const zone = await lockZoneOrThrow(context, id);
  const records = await recordsOf(context.queries, zone, [...prerequisites, ...lines]);
  try {
    checkPrerequisites(prerequisites, records);
  } catch (error) {
    throw error instanceof UpdateError ? new UpdateRefusal(error) : error;
  }
  requireWritable(context.caller.dnsLimits, zone.name, lines);
  for (const { action, name, type, ttl } of lines) {
    const problem = action === 'add' && (isComputedType(type) || checkOwner(zone.name, name, type));
    if (problem) throw new ApiError('computed_record');
    const ttlReason = ttlProblem(ttl);
    if (ttlReason !== undefined) throw invalid({ ttl: ttlReason });
  }
  const names = new Set([zone.name, ...lines.map(({ name }) => name)]);
  const current = records.filter(({ name }) => names.has(name));
  const after = applyLines(zone.name, current, lines);
  const target = await mapInSlices(
    after,
    ({ name, type, ttl, rdata }) => dataOfWire(name, type, ttl, rdata),
    'in a transaction',
  );
  for (const set of Map.groupBy(target, setKey).values()) checkSetSize(set);
  await replaceZone(context, zone, soaAmong(records), await editsBetween(current, target));
}

/** Returns all records at the names and at the apex. */
async function recordsOf(queries: Queries, zone: Zone, lines: readonly { readonly name: string }[]) {
  return recordsAtNames(queries, zone, [...new Set([zone.name, ...lines.map(({ name }) => name)])]);
}

/** A prerequisite does not hold. */
class UpdateRefusal extends ApiError {
  readonly rcode: number;
  constructor({ rcode, message }: UpdateError) {
    super('state_conflict', { message });
    this.rcode = rcode;
  }
}

function rcodeOf(error: unknown): number {
  if (error instanceof UpdateError || error instanceof UpdateRefusal) return error.rcode;
  if (!(error instanceof ApiError)) throw error;
  if (error.code === 'not_found') return rcodes.NOTAUTH;
  return error.status >= 500 || error.code === 'rate_limited' ? rcodes.SERVFAIL : rcodes.REFUSED;
}

function response(rcode: number): ApiResponse {
  return { status: rcode === rcodes.NOERROR ? 200 : 409, type: 'application/dns', body: String(rcode) };
}
