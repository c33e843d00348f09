// DNSSEC: the built-in name server signs zones with keys in our database, PowerDNS with its own.
import type { Static } from 'typebox';
import type { Dnssec as DnssecShape } from '#contract/shapes/dns.ts';
import { NameServerError, type Dnssec } from '#drivers/dns/driver.ts';
import { ApiError, conflict } from '#lib/api-error.ts';
import * as store from '#store/dns/zone-keys.ts';
import type { Zone } from '#store/dns/zones.ts';
import type { Queries } from '#store/store.ts';
import { workflowLoad } from '#store/work/workflows.ts';
import { generateZoneKey } from '#protocols/dns/dnssec/keys.ts';
import { keyRollover } from '#workflows/dns/key-rollover.ts';
import { cancelWorkflow, retryWorkflow, startWorkflow } from '#workflows/engine/runner.ts';
import type { Context } from '../app.ts';
import { findZoneOrThrow, lockZoneOrThrow, raiseSerial, zoneWork } from './change.ts';
import { changeSigning, dsContent, lookUpDs, signingEvent, signZone, type SigningChange } from './dnssec-zones.ts';
import { requireUnlimited } from './limits.ts';
import { callNameServer } from './name-service.ts';

type Shape = Static<typeof DnssecShape>;

export async function dnssecGet(context: Context, domain: number): Promise<Shape> {
  return readSigning(context, await findZoneOrThrow(context, domain));
}

async function readSigning(context: Context, zone: Zone): Promise<Shape> {
  if (isBuiltIn(context)) return signingShape(context.queries, zone);
  return withSigner(context, (signer, signal) => signer.ds(zone.name, signal));
}

export async function dnssecEnable(context: Context, domain: number): Promise<Shape> {
  requireUnlimited(context.caller.dnsLimits);
  const zone = await findZoneOrThrow(context, domain);
  if (!isBuiltIn(context)) return withSigner(context, (signer, signal) => signer.enable(zone.name, signal));
  const { app, caller, operation } = context;
  const key = await generateZoneKey();
  await changeSigning(app, { account: caller.account, zone: domain }, operation, async (queries, locked) => {
    const signed = await store.signedZoneFind(queries, locked);
    if (signed?.parent_ds === 'Wanted') return false;
    if (signed === undefined) await signZone(app, queries, locked, key);
    else await store.signedZoneUpdate(queries, locked, { parent_ds: 'Wanted' });
    await emitChange(context, queries, locked, 'enabled');
    return true;
  });
  return signingShape(context.queries, zone);
}

export async function dnssecDisable(
  context: Context,
  domain: number,
  { isForced }: { readonly isForced: boolean },
): Promise<Shape> {
  requireUnlimited(context.caller.dnsLimits);
  const zone = await findZoneOrThrow(context, domain);
  const before = await readSigning(context, zone);
  if (before.status === 'off') return before;
  if (!isForced) await requireNoDs(context, zone);
  if (!isBuiltIn(context))
    return withSigner(context, async (signer, signal) => {
      await signer.disable(zone.name, signal);
      return [];
    });
  const { app, caller, operation, queries } = context;
  await changeSigning(app, { account: caller.account, zone: domain }, operation, async (inside, locked) => {
    await store.signedZoneRemove(inside, locked);
    await emitChange(context, inside, locked, 'disabled');
    return true;
  });
  return signingShape(queries, zone);
}

/** Resolvers that see the DS reject a zone without signatures. Not knowing is as bad as seeing it. */
async function requireNoDs({ app }: Context, zone: Zone): Promise<void> {
  const force = 'Use force to disable signing anyway.';
  const ds = await lookUpDs(app, zone.name).catch((error: unknown) => {
    if (!(error instanceof NameServerError)) throw error;
    throw new ApiError('nameserver_unreachable', {
      message: `The DS records in the parent zone could not be looked up. Try again later. ${force}`,
      internal: error.message,
      cause: error,
    });
  });
  if (ds === undefined) throw conflict(`The servers of the parent zone did not answer. Try again later. ${force}`);
  if (ds.length > 0)
    throw conflict(
      `The parent zone still has DS records for ${zone.name}. Remove them there and wait until their TTL has expired. ${force}`,
    );
}

export async function dnssecAct(
  context: Context,
  domain: number,
  action: 'rollover' | 'confirm' | 'cancel' | 'withdraw',
): Promise<Shape> {
  requireUnlimited(context.caller.dnsLimits);
  const { app, caller, operation, queries } = context;
  if (!isBuiltIn(context)) throw unsupported('key rollovers through this API');
  const zone = await lockZoneOrThrow(context, domain);
  const signed = await store.signedZoneFind(queries, zone);
  if (signed === undefined) throw conflict('The zone is not signed.');
  const { rollover_id: rollover } = signed;
  switch (action) {
    case 'rollover': {
      if (rollover !== null) throw conflict('A key rollover is already running.');
      if (signed.parent_ds === 'Unwanted')
        throw conflict('The zone is asking its parent to remove the DS records. Enable signing first.');
      const start = {
        account: caller.account,
        service: undefined,
        operation,
        input: { zone: zone.id, name: zone.name },
      };
      const rollover_id = await startWorkflow(app, queries, keyRollover, start);
      await store.signedZoneUpdate(queries, zone, { rollover_id });
      break;
    }
    case 'confirm': {
      const keys = await store.zoneKeyList(queries, zone);
      if (rollover === null || !keys.some(({ state }) => state === 'Retired'))
        throw conflict('No key rollover is waiting for the DS record.');
      await store.signedZoneUpdate(queries, zone, { ds_confirmed: 1 });
      await retryWorkflow(app, queries, rollover);
      break;
    }
    case 'cancel':
      if (rollover === null || !(await cancelWorkflow(app, queries, rollover)))
        throw conflict('There is no key rollover to cancel.');
      break;
    case 'withdraw':
      if (rollover !== null) throw conflict('A key rollover is running. Cancel it or wait until it has finished.');
      if (signed.parent_ds === 'Unwanted') break;
      await store.signedZoneUpdate(queries, zone, { parent_ds: 'Unwanted', refreshed_at: app.clock.now() });
      await raiseSerial(zoneWork(context), zone);
      await emitChange(context, queries, zone, 'ds_withdrawn');
  }
  return signingShape(queries, zone);
}

function isBuiltIn({ app: { nameService } }: Context): boolean {
  return nameService.external === undefined && nameService.status() !== undefined;
}

async function emitChange(context: Context, queries: Queries, zone: Zone, change: SigningChange): Promise<void> {
  const keys = await store.zoneKeyList(queries, zone);
  const event = signingEvent(zone, keys, change);
  context.emit('dns.dnssec.changed', change === 'ds_withdrawn' ? { ...event, ds: [] } : event);
}

async function signingShape(queries: Queries, zone: Zone): Promise<Shape> {
  const signed = await store.signedZoneFind(queries, zone);
  if (signed === undefined) return { status: 'off', ds: [] };
  const keys = await store.zoneKeyList(queries, zone);
  return {
    status: 'on',
    ds: keys.filter(({ state }) => state === 'Active').map((key) => dsContent(zone, key)),
    keys: keys.map(({ key_tag, state }) => ({ tag: String(key_tag), state: keyStates[state] })),
    cds: signed.parent_ds === 'Wanted' ? 'publish' : 'delete',
    ...(signed.rollover_id !== null && {
      rollover: signed.rollover_id,
      rollover_direction: await rolloverDirection(queries, signed.rollover_id),
    }),
  };
}

async function rolloverDirection(queries: Queries, rollover: string): Promise<'forward' | 'back'> {
  const workflow = await workflowLoad(queries, rollover);
  return workflow?.direction === 'back' || (workflow?.cancel_requested ?? 0) > 0 ? 'back' : 'forward';
}

const keyStates = { Published: 'published', Active: 'active', Retired: 'retired' } as const;

function unsupported(what: string): ApiError {
  return new ApiError('capability_missing', { message: `The provider's name server does not support ${what}.` });
}

async function withSigner(
  { app }: Context,
  work: (signer: Dnssec, signal: AbortSignal) => Promise<readonly string[]>,
): Promise<Shape> {
  const { external } = app.nameService;
  const signer = external?.driver.dnssec;
  if (external === undefined || signer === undefined) throw unsupported('DNSSEC');
  const ds = await callNameServer(external, (_, signal) => work(signer, signal));
  return { status: ds.length > 0 ? 'on' : 'off', ds: [...ds] };
}
