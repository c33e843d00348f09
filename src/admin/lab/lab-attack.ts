// The lab begins with one attack behind it, so that its list of events has something to show: a flood of half an hour, two
// days before, with its records, a traffic log for each minute, and the null-route that ended it.
import { logEveryMs } from '#app/network/attack-measures.ts';
import type { Yard } from '#app/yard.ts';
import { networkRange } from '#kernel/address-ranges.ts';
import { parseNetwork } from '#kernel/addresses.ts';
import { labAttack, labAttackFigures } from '#lab/attack.ts';
import { attackEnd, attackLogsPut, attackRecordsPut, attacksInsert, attacksLatest } from '#store/network/attacks.ts';
import {
  nullrouteRemove,
  nullroutesInsert,
  nullroutesAnnounced,
  nullroutesWithdrawn,
} from '#store/network/nullroutes.ts';
import type { AccountId } from '#store/tables.ts';

export async function seedLabAttack(yard: Yard): Promise<void> {
  const { detector, address: ip, account, service, device, network, beforeMs, lastsMs, nullroutedAfterMs } = labAttack;
  const address = networkRange(parseNetwork(ip)!).first;
  const account_id = account as AccountId;
  const start = yard.clock.now() - beforeMs;
  const end = start + lastsMs;
  await yard.store.transaction(async (queries) => {
    if ((await attacksLatest(queries, [{ detector, attack: 'sample', address }])).size > 0) return;
    const whose = { account_id, service_id: service };
    const told = { detector, attack: 'sample', address, ...whose, device, network, started_at: start, seen_at: end };
    const { id } = (await attacksInsert(queries, [told]))[0]!;
    const rule = { attack_id: id, direction: 'incoming', protocol: 'udp', filters: 'udp_flood', sensor_type: 'lab' };
    const seen = { sensor_interface: '', first_at: start, last_at: end };
    const { packetsPerSecond, bitsPerSecond } = labAttack;
    await attackRecordsPut(queries, [
      { ...rule, ...seen, unit: 'packets/s', value: packetsPerSecond },
      { ...rule, ...seen, unit: 'bits/s', value: bitsPerSecond },
    ]);
    const logs = Array.from({ length: lastsMs / logEveryMs }, (_, minute) => ({
      attack_id: id,
      at: start + minute * logEveryMs,
      figures: JSON.stringify(labAttackFigures((minute * logEveryMs) / lastsMs)),
    }));
    await attackLogsPut(queries, logs);
    await attackEnd(queries, id, end);
    const nullrouted = start + nullroutedAfterMs;
    const reason = 'Attack: udp_flood';
    const wish = {
      address,
      ...whose,
      attack_id: id,
      origin: 'policy',
      reason,
      created_at: nullrouted,
      ends_at: end,
    } as const;
    const route = (await nullroutesInsert(queries, [wish]))[0]!.id;
    await nullroutesAnnounced(queries, [route], nullrouted);
    await nullrouteRemove(queries, route, end);
    await nullroutesWithdrawn(queries, [route], end);
  });
}
