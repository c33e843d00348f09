// Seeds the lab with a past attack, so that its lists are not empty: a flood of half an hour two days ago, with its records, a
// traffic log per minute, and the null route that ended it.
import { logIntervalMs } from '#app/network/attack-measures.ts';
import type { App } from '#app/app.ts';
import { networkRange } from '#lib/address-ranges.ts';
import { parseNetwork } from '#lib/addresses.ts';
import { labAttack, labAttackFigures } from '#lab/attack.ts';
import { attackEnd, attackLogsPut, attackRecordsPut, attacksInsert, attacksLatest } from '#store/network/attacks.ts';
import {
  nullrouteRemove,
  nullroutesInsert,
  nullroutesMarkAnnounced,
  nullroutesMarkWithdrawn,
} from '#store/network/nullroutes.ts';
import type { AccountId } from '#store/account-id.ts';

export async function seedLabAttack(app: App): Promise<void> {
  const { detector, address: ip, account, service, device, network, beforeMs, lastsMs, nullroutedAfterMs } = labAttack;
  const address = networkRange(parseNetwork(ip)!).first;
  const account_id = account as AccountId;
  const start = app.clock.now() - beforeMs;
  const end = start + lastsMs;
  await app.store.transaction(async (queries) => {
    if ((await attacksLatest(queries, [{ detector, attack: 'sample', address }])).size > 0) return;
    const owner = { account_id, service_id: service };
    const attack = { detector, attack: 'sample', address, ...owner, device, network, started_at: start, seen_at: end };
    const { id } = (await attacksInsert(queries, [attack]))[0]!;
    const rule = { attack_id: id, direction: 'incoming', protocol: 'udp', filters: 'udp_flood', sensor_type: 'lab' };
    const period = { sensor_interface: '', first_at: start, last_at: end };
    const { packetsPerSecond, bitsPerSecond } = labAttack;
    await attackRecordsPut(queries, [
      { ...rule, ...period, unit: 'packets/s', value: packetsPerSecond },
      { ...rule, ...period, unit: 'bits/s', value: bitsPerSecond },
    ]);
    const logs = Array.from({ length: lastsMs / logIntervalMs }, (_, minute) => ({
      attack_id: id,
      at: start + minute * logIntervalMs,
      figures: JSON.stringify(labAttackFigures((minute * logIntervalMs) / lastsMs)),
    }));
    await attackLogsPut(queries, logs);
    await attackEnd(queries, id, end);
    const nullrouted = start + nullroutedAfterMs;
    const reason = 'Attack: udp_flood';
    const nullroute = {
      address,
      ...owner,
      attack_id: id,
      origin: 'policy',
      reason,
      created_at: nullrouted,
      ends_at: end,
    } as const;
    const route = (await nullroutesInsert(queries, [nullroute]))[0]!;
    await nullroutesMarkAnnounced(queries, [route.id], nullrouted);
    await nullrouteRemove(queries, route, end);
    await nullroutesMarkWithdrawn(queries, [route.id], end);
  });
}
