// Operator API: the whole fleet.
import type { changeOperator } from '#contract/operator/change.ts';
import type { fleetOperator } from '#contract/operator/fleet.ts';
import { fleetGet } from '#app/operator/fleet.ts';
import { installationGet } from '#app/operator/installation.ts';
import { netblockList, netblockRelease } from '#app/operator/netblocks.ts';
import { rackList } from '#app/operator/racks.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const fleetHandlers: HandlersOf<typeof fleetOperator & typeof changeOperator> = {
  fleetGet: (context) => fleetGet(context),
  installationGet: (context) => installationGet(context),
  rackList,
  netblockList,
  netblockRelease: respondWith('Netblock Released', (context, { netblock }) => netblockRelease(context, netblock)),
  // Changes exist only as a stream, which event-stream.ts opens; nothing is recorded.
  changeList: () => [],
};
