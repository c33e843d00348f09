// The lab begins with one attack behind it, so that its list of events has something to show: a flood of half an hour, two
// days before, with its records, a traffic log for each minute, and the null-route that ended it.
import { logEveryMs } from '#app/detections.ts';
import type { Yard } from '#app/yard.ts';
import { networkRange } from '#kernel/address-ranges.ts';
import { parseNetwork } from '#kernel/addresses.ts';
import { labAttack, labAttackFigures } from '#lab/attack.ts';
import { attackEnd, attackInsert, attackLogPut, attackLatest, attackRecordPut } from '#store/attacks.ts';
import { nullrouteInsert, nullrouteRemove, nullroutesAnnounced, nullroutesWithdrawn } from '#store/nullroutes.ts';
import type { AccountId } from '#store/tables.ts';

export async function seedLabAttack(yard: Yard): Promise<void> {
  const { detector, address: ip, account, service, device, network, beforeMs, lastsMs, nullroutedAfterMs } = labAttack;
  const address = networkRange(parseNetwork(ip)!).first;
  const account_id = account as AccountId;
  const start = yard.clock.now() - beforeMs;
  const end = start + lastsMs;
  await yard.store.transaction(async (queries) => {
    if ((await attackLatest(queries, { detector, attack: 'sample', address })) !== undefined) return;
    const whose = { account_id, service_id: service };
    const told = { detector, attack: 'sample', address, ...whose, device, network, started_at: start, seen_at: end };
    const { id } = (await attackInsert(queries, told))!;
    const rule = { attack_id: id, direction: 'incoming', protocol: 'udp', filters: 'udp_flood', sensor_type: 'lab' };
    const seen = { sensor_interface: '', first_at: start, last_at: end };
    const { packetsPerSecond, bitsPerSecond } = labAttack;
    await attackRecordPut(queries, { ...rule, ...seen, unit: 'packets/s', value: packetsPerSecond });
    await attackRecordPut(queries, { ...rule, ...seen, unit: 'bits/s', value: bitsPerSecond });
    for (let at = start; at < end; at += logEveryMs) {
      const figures = JSON.stringify(labAttackFigures((at - start) / lastsMs));
      await attackLogPut(queries, { attack_id: id, at, figures });
    }
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
    const route = await nullrouteInsert(queries, wish);
    await nullroutesAnnounced(queries, [route], nullrouted);
    await nullrouteRemove(queries, route, end);
    await nullroutesWithdrawn(queries, [route], end);
  });
}
