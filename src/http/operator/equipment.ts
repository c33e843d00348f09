// Operator API: hypervisors and switches.
import type { nodeOperator } from '#contract/operator/node.ts';
import type { switchOperator } from '#contract/operator/switch.ts';
import { machineList, nodeGet, nodeList } from '#app/operator/nodes.ts';
import { portList, switchGet, switchList } from '#app/operator/switches.ts';
import type { HandlersOf } from '../handler.ts';

export const equipmentHandlers: HandlersOf<typeof nodeOperator & typeof switchOperator> = {
  nodeList,
  nodeGet: (context, { name }) => nodeGet(context, name),
  machineList,
  switchList,
  switchGet: (context, { name }) => switchGet(context, name),
  portList,
};
