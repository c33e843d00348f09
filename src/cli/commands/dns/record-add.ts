// hostyard dns record add. A name may be relative to the zone, and @ is the zone itself.
import type { RecordCreateInput } from '#sdk/v2.ts';
import { onCall } from '../../command.ts';
import { zoneNamed } from '../../named.ts';
import type { Define } from '../../table.ts';

type RecordType = RecordCreateInput['type'];

export const define: Define = (command, shell) => {
  command.option('--ttl <seconds>', 'how long others may keep it; 3600 unless told');
  onCall(
    command,
    shell,
    async ({ client, show }, options: { ttl?: string }, zone: string, name: string, type: string, content: string) => {
      const { domain_id: domain, name: domainName } = await zoneNamed(client, zone);
      const record = recordName(name, domainName);
      const ttl = options.ttl === undefined ? {} : { ttl: Number(options.ttl) };
      const answer = await client.recordCreate({
        domain,
        record,
        type: type.toUpperCase() as RecordType,
        content,
        ...ttl,
      });
      await show.word(answer);
    },
  );
};

function recordName(name: string, zone: string): string {
  const bare = name.replace(/\.$/, '').toLowerCase();
  if (bare === '@' || bare === zone) return zone;
  return bare.endsWith(`.${zone}`) ? bare : `${bare}.${zone}`;
}
