// Operator API: the whole fleet.
import type { Handlers } from '#contract/endpoint.ts';
import type { changeOperator } from '#contract/operator/change.ts';
import type { fleetOperator } from '#contract/operator/fleet.ts';
import { fleetGet } from '#app/operator/fleet.ts';
import { netblockList } from '#app/operator/netblocks.ts';
import { rackList } from '#app/operator/racks.ts';
import type { Context, Visitor } from '#app/app.ts';

export const fleetHandlers: Handlers<typeof fleetOperator & typeof changeOperator, Context, Visitor> = {
  fleetGet: (context) => fleetGet(context),
  rackList: (context) => rackList(context),
  netblockList,
  // Changes exist only as a stream, which event-stream.ts opens; nothing is recorded.
  changeList: () => [],
};
