// Seeds the lab with a month of traffic, so that its graphs are not empty.
import { addTraffic } from '#equipment/traffic.ts';
import { labPastTraffic, labSwitchName } from '#lab/network.ts';
import type { App } from '#app/app.ts';
import { portsOfSwitch } from '#store/network/switches.ts';
import { trafficDays } from '#store/network/traffic.ts';

const pastSeconds = 31 * 86_400;

export async function seedLabTraffic(app: App): Promise<void> {
  const now = Math.floor(app.clock.now() / 1000);
  await app.store.transaction(async (queries) => {
    for (const port of await portsOfSwitch(queries, labSwitchName)) {
      if ((await trafficDays(queries, port.id, 0, now)).length > 0) continue;
      await addTraffic(queries, port.id, labPastTraffic(port.if_index, now - pastSeconds, now));
    }
  });
}
