// Opens the keys of signed zones for the built-in name server.
import type { ZoneSigning } from '#drivers/dns/builtin/sign-set.ts';
import type { SecretBox } from '#lib/secrets.ts';
import type { Reader } from '#store/engine/reader.ts';
import { sourceKeys, type SourceKey } from '#store/dns/signing-source.ts';
import { openPrivateKey } from '#protocols/dns/dnssec/keys.ts';

/** Returns the keys of one zone or of all zones, by the id of the zone. Only signed zones have any. */
export async function readSigning(
  reader: Reader,
  secrets: SecretBox,
  zone: number | 'all',
): Promise<ReadonlyMap<number, ZoneSigning>> {
  const keys = Map.groupBy(await sourceKeys(reader, zone), ({ zone_id }) => zone_id);
  return new Map(Array.from(keys, ([id, ofZone]) => [id, signingOf(secrets, ofZone)]));
}

function signingOf(secrets: SecretBox, keys: readonly SourceKey[]): ZoneSigning {
  return {
    keys: keys.map(({ zone_id, key_tag, state, dnskey, private_key }) => {
      const open = () => {
        const text = secrets.open(private_key, zoneKeySealContext(`${zone_id} ${key_tag}`));
        return openPrivateKey(Buffer.from(text, 'base64'));
      };
      let opened: ReturnType<typeof open> | undefined;
      return { dnskey: Buffer.from(dnskey), privateKey: () => (opened ??= open()), isActive: state === 'Active' };
    }),
    wantsDs: keys[0]!.parent_ds === 'Wanted',
  };
}

/** Binds a sealed key to its zone. `name` is the id of the zone and the key's tag. */
export function zoneKeySealContext(name: string): string {
  return `zone key ${name}`;
}
