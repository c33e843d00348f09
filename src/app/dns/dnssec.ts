// Signing of zones, where the name server can: the built-in one cannot, PowerDNS does.
import type { Static } from 'typebox';
import type { Dnssec as DnssecShape } from '#contract/shapes/dns.ts';
import type { Dnssec } from '#drivers/dns/driver.ts';
import { Fault } from '#kernel/fault.ts';
import { foundZone } from './change.ts';
import { atNameServer } from './name-service.ts';
import type { Context } from '../yard.ts';

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
  const zone = await foundZone(context, domain);
  const { elsewhere } = context.yard.nameService;
  const signer = elsewhere?.driver.dnssec;
  if (elsewhere === undefined || signer === undefined)
    throw new Fault('capability_missing', { message: 'The name server of the provider does not sign zones.' });
  const ds = await atNameServer(elsewhere, (_, signal) => work(signer, zone.name, signal));
  return { status: ds.length > 0 ? 'on' : 'off', ds: [...ds] };
}
