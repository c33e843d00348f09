// Operator API: migration of machines between hypervisors, maintenance mode and evacuation of a hypervisor.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { equipmentErrors } from '../errors.ts';
import * as p from '../parameters.ts';
import { described, text } from '../shapes/text.ts';

const readEndpoint = { method: 'GET', tag: 'fleet', access: 'operator:read' } as const;
const writeEndpoint = { tag: 'fleet', access: 'operator:equipment', effect: 'stored' } as const;
const NodeName = p.Text({ max: 64 });
const modes = ['auto', 'live', 'cold'] as const;
const Mode = p.optional(p.Choice(...modes));
const modeText =
  '`live` moves running machines without downtime and fails if that is not possible, `cold` shuts them down first, and `auto`, the default, shuts them down only if needed.';

const copyFields = {
  mode: Type.Enum(['live', 'cold', ''], { description: 'Empty until it is decided' }),
  target: described('Empty until it is chosen'),
  percent: described('Percentage of the data that has been copied; empty if unknown'),
};

export const Migration = Type.Object({
  action: described('Id of the workflow'),
  device: text,
  service: text,
  account: text,
  source: text,
  member: described('The target member if the machine moves within its cluster, otherwise empty'),
  ...copyFields,
  status: Type.Enum(['Queued', 'Running', 'Stuck', 'Completed', 'Failed', 'Cancelled']),
  step: described('The current step; empty if the move has ended'),
  reason: described('Why it failed; otherwise empty'),
  detail: described('The equipment’s last message'),
  started: text,
  ended: described('Empty while it is running'),
});

export const Evacuation = Type.Object({
  name: text,
  state: Type.Enum(['none', 'running', 'ended']),
  mode: Type.Enum(modes),
  started: described('Empty if there was none'),
  ended: described('Empty while it is running'),
  machines: Type.Array(
    Type.Object({
      device: text,
      service: text,
      account: text,
      hostname: text,
      memorymb: text,
      diskgb: text,
      state: Type.Enum(['waiting', 'moving', 'failed'], {
        description: 'failed: the machine stays until the next evacuation',
      }),
      action: described('Id of the workflow; empty until it starts'),
      ...copyFields,
      reason: described('Why it could not move; otherwise empty'),
    }),
    { description: 'Machines that are still on the hypervisor, largest first; at most 1000' },
  ),
});

export const migrationOperator = {
  nodeMaintenance: endpoint({
    ...writeEndpoint,
    method: 'PUT',
    path: '/operator/node/maintenance',
    command: 'node maintenance',
    summary: 'Start or end the maintenance of a hypervisor',
    description:
      'During maintenance, no machines are created on the hypervisor or moved to it. Its machines keep running, and customers can use them as usual. Ending maintenance also ends an evacuation.',
    params: {
      name: NodeName,
      enabled: p.Flag,
      reason: p.optional(p.Text({ max: 200 })),
    },
    target: ['name', 'reason', 'enabled'],
  }),
  nodeEvacuate: endpoint({
    ...writeEndpoint,
    access: 'operator:services',
    method: 'POST',
    path: '/operator/node/evacuate',
    command: 'node evacuate',
    summary: 'Move all machines of a hypervisor to others',
    description: `Starts maintenance, then moves the machines, largest first and two at a time. Machines that cannot move stay and are listed with the reason; call this again to retry them. ${modeText}`,
    params: { name: NodeName, reason: p.Text({ max: 200 }), mode: Mode },
    target: ['name', 'reason', 'mode'],
    errors: ['state_conflict'],
  }),
  nodeEvacuationCancel: endpoint({
    ...writeEndpoint,
    access: 'operator:services',
    method: 'DELETE',
    path: '/operator/node/evacuate',
    command: 'node evacuation-cancel',
    summary: 'Cancel the evacuation of a hypervisor',
    description:
      'Running moves are rolled back. Machines that have already moved stay where they are. Maintenance continues.',
    params: { name: NodeName },
    target: ['name'],
    errors: ['state_conflict'],
  }),
  nodeEvacuationGet: endpoint({
    ...readEndpoint,
    path: '/operator/node/{name}/evacuation',
    command: 'node evacuation',
    summary: 'Get the evacuation of a hypervisor',
    params: { name: NodeName },
    result: Evacuation,
  }),
  nodeMembers: endpoint({
    ...readEndpoint,
    cost: 5,
    path: '/operator/node/{name}/members',
    command: 'node members',
    summary: 'List the cluster members that are up',
    description: 'Empty if the hypervisor is a single server.',
    params: { name: NodeName },
    result: Type.Array(text),
    errors: equipmentErrors.node,
  }),
  machineMigrate: endpoint({
    ...writeEndpoint,
    access: 'operator:services',
    method: 'POST',
    path: '/operator/machine/migrate',
    command: 'machine migrate',
    summary: 'Move a machine to another hypervisor',
    description: `Without a target, Hostyard picks the hypervisor in the same location with the most free memory and no other machine of the same group; a target that has one is rejected. With \`member\`, the machine moves to another member of its cluster. If the move fails, it stays on its hypervisor, unchanged. ${modeText}`,
    params: { device: p.DeviceName, target: p.optional(NodeName), member: p.optional(NodeName), mode: Mode },
    target: ['device', 'target', 'member', 'mode'],
    result: Type.Object({ action: described('Id of the workflow') }),
    errors: ['state_conflict', 'device_busy'],
  }),
  machineMigrateCancel: endpoint({
    ...writeEndpoint,
    access: 'operator:services',
    method: 'DELETE',
    path: '/operator/machine/migrate',
    command: 'machine migrate-cancel',
    summary: 'Cancel the migration of a machine',
    description: 'Rolls it back: the machine stays where it was.',
    params: { device: p.DeviceName },
    target: ['device'],
    errors: ['state_conflict'],
  }),
  migrationList: endpoint({
    ...readEndpoint,
    path: '/operator/machine/migration',
    command: 'machine migrations',
    summary: 'List migrations, newest first',
    params: {
      service: p.optional(p.Id),
      status: p.optional(p.Choice('Queued', 'Running', 'Stuck', 'Completed', 'Failed', 'Cancelled')),
      ...p.pageBefore(p.ActionId),
    },
    result: Type.Array(Migration),
  }),
} as const;
