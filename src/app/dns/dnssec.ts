// DNSSEC, if the name server supports it: the built-in one does not, PowerDNS does.
import type { Static } from 'typebox';
import type { Dnssec as DnssecShape } from '#contract/shapes/dns.ts';
import type { Dnssec } from '#drivers/dns/driver.ts';
import { ApiError } from '#lib/api-error.ts';
import type { Context } from '../app.ts';
import { findZoneOrThrow } from './change.ts';
import { callNameServer } from './name-service.ts';

type Shape = Static<typeof DnssecShape>;

export function dnssecGet(context: Context, domain: number): Promise<Shape> {
  return withSigner(context, domain, (signer, zone, signal) => signer.ds(zone, signal));
}

export function dnssecEnable(context: Context, domain: number): Promise<Shape> {
  return withSigner(context, domain, (signer, zone, signal) => signer.enable(zone, signal));
}

export function dnssecDisable(context: Context, domain: number): Promise<Shape> {
  return withSigner(context, domain, async (signer, zone, signal) => {
    await signer.disable(zone, signal);
    return [];
  });
}

async function withSigner(
  context: Context,
  domain: number,
  work: (signer: Dnssec, zone: string, signal: AbortSignal) => Promise<readonly string[]>,
): Promise<Shape> {
  const zone = await findZoneOrThrow(context, domain);
  const { external } = context.app.nameService;
  const signer = external?.driver.dnssec;
  if (external === undefined || signer === undefined)
    throw new ApiError('capability_missing', { message: "The provider's name server does not support DNSSEC." });
  const ds = await callNameServer(external, (_, signal) => work(signer, zone.name, signal));
  return { status: ds.length > 0 ? 'on' : 'off', ds: [...ds] };
}
