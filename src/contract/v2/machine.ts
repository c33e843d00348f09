// Version 2, our additions: virtual machines that customers order and delete by themselves, and groups of them.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { SshKeys, UserData } from '../installation-parameters.ts';
import * as p from '../parameters.ts';
import {
  DeletedMachine,
  MachineGroup,
  MachineOptions,
  maxMachineGroups,
  OrderedMachine,
  OwnMachine,
  restorableHours,
} from '../shapes/machine.ts';

const readEndpoint = { method: 'GET', tag: 'machine', access: 'device:read', addition: true } as const;
const writeEndpoint = { tag: 'machine', access: 'device:write', effect: 'stored', addition: true } as const;

export const machineV2 = {
  machineOptions: endpoint({
    ...readEndpoint,
    path: '/v2/machine/options',
    cost: 5,
    summary: 'List what a machine can be ordered with',
    description: 'Plans with their price, size and the locations that have room, operating systems, and locations.',
    result: MachineOptions,
  }),
  machineList: endpoint({
    ...readEndpoint,
    path: '/v2/machine',
    summary: 'List virtual machines',
    description:
      'Includes deleted machines while they can be restored. Pass the last service as `after` for the next page.',
    params: p.pageAfter(p.Id),
    result: Type.Array(OwnMachine),
  }),
  machineCreate: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/v2/machine',
    cost: 20,
    summary: 'Order a virtual machine',
    description:
      'Billing starts now, on the terms of the plan. The service is Pending until the machine runs. Its first root password is not disclosed: sign in with an SSH key, or reset the password. `sshkeys` are public keys, or ids of saved keys. `userdata` is for cloud-init, at the first boot. Machines of a `group` run on different hypervisors; if none is left, the order is rejected.',
    params: {
      plan: p.PlanName,
      system: p.Text({ max: 64 }),
      hostname: p.DomainName,
      location: p.optional(p.Text({ max: 64 })),
      sshkeys: p.optional(SshKeys),
      userdata: p.optional(UserData),
      group: p.optional(p.Id),
    },
    target: ['plan'],
    result: OrderedMachine,
    errors: ['state_conflict', 'not_in_catalogue', 'nothing_free'],
  }),
  machineDelete: endpoint({
    ...writeEndpoint,
    method: 'DELETE',
    path: '/v2/machine',
    cost: 5,
    summary: 'Delete a virtual machine',
    description: `Powers it off and keeps it for ${restorableHours} hours, with its disk and addresses, so that it can be restored; then it is removed for good. \`hostname\` must be that of the machine, so that a mistyped id deletes nothing. An hourly plan is billed until the end of this hour; other plans until the end of the paid period, and at least for their minimum term. Keeping the disk is free. Its volumes stay and are billed until they are deleted.`,
    params: { service: p.Id, hostname: p.DomainName },
    target: ['service'],
    result: DeletedMachine,
    errors: ['state_conflict', 'capability_missing'],
  }),
  machineRestore: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/v2/machine/restore',
    cost: 5,
    summary: 'Restore a deleted virtual machine',
    description: 'Billing resumes now, as before. The machine is powered on if it was on when it was deleted.',
    params: { service: p.Id },
    target: ['service'],
    errors: ['state_conflict', 'service_terminated'],
  }),
  machineProtectionSet: endpoint({
    ...writeEndpoint,
    method: 'PUT',
    path: '/v2/machine/protection',
    ignoresHold: true,
    summary: 'Protect a virtual machine against deletion',
    description: 'A protected machine cannot be deleted until the protection is disabled.',
    params: { service: p.Id, protection: p.Choice('enabled', 'disabled') },
    target: ['service', 'protection'],
    errors: ['state_conflict', 'capability_missing'],
  }),
  machineGroupList: endpoint({
    ...readEndpoint,
    path: '/v2/machine/group',
    summary: 'List groups of machines',
    description: 'Machines of a group run on different hypervisors.',
    result: Type.Array(MachineGroup),
  }),
  machineGroupCreate: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/v2/machine/group',
    summary: 'Create a group of machines',
    description: `Name the group when you order a machine. An account can have ${maxMachineGroups}.`,
    params: { name: p.Text({ max: 64 }) },
    target: ['name'],
    result: MachineGroup,
    errors: ['state_conflict', 'already_exists'],
  }),
  machineGroupDelete: endpoint({
    ...writeEndpoint,
    method: 'DELETE',
    path: '/v2/machine/group',
    summary: 'Delete a group of machines',
    description: 'Only a group without machines can be deleted.',
    params: { id: p.Id },
    target: ['id'],
    errors: ['state_conflict'],
  }),
} as const;
