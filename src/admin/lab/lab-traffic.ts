// The lab begins with a month of traffic behind it, so that its graphs and figures have something to show.
import { addTraffic } from '#equipment/traffic.ts';
import { labPastTraffic, labSwitchName } from '#lab/network.ts';
import type { Yard } from '#app/yard.ts';
import { portsOfSwitch } from '#store/network/switches.ts';
import { trafficDays } from '#store/network/traffic.ts';

const pastSeconds = 31 * 86_400;

export async function seedLabTraffic(yard: Yard): Promise<void> {
  const now = Math.floor(yard.clock.now() / 1000);
  await yard.store.transaction(async (queries) => {
    for (const port of await portsOfSwitch(queries, labSwitchName)) {
      if ((await trafficDays(queries, port.id, 0, now)).length > 0) continue;
      await addTraffic(queries, port.id, labPastTraffic(port.if_index, now - pastSeconds, now));
    }
  });
}
