// Version 2, our additions: snapshots of virtual machines.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { defaultSnapshots, MachineSnapshot, StartedSnapshot } from '../shapes/machine-snapshot.ts';

const snapshotEndpoint = { path: '/v2/machine/snapshot', tag: 'machine', addition: true } as const;
const writeEndpoint = { ...snapshotEndpoint, access: 'device:write', effect: 'stored', cost: 5 } as const;

export const machineSnapshotV2 = {
  machineSnapshotList: endpoint({
    ...snapshotEndpoint,
    method: 'GET',
    access: 'device:read',
    summary: 'List the snapshots of a machine',
    params: { service: p.Id },
    result: Type.Array(MachineSnapshot),
    errors: ['capability_missing'],
  }),
  machineSnapshotCreate: endpoint({
    ...writeEndpoint,
    method: 'POST',
    summary: 'Take a snapshot of a machine',
    description: `Copies its disk, but not its memory. The machine can be on or off. A running machine keeps running, and its guest agent freezes the file systems for a moment. A machine can have ${defaultSnapshots} snapshots, or as many as the provider allows. They stay when the machine is reinstalled, and are deleted with it.`,
    params: { service: p.Id, name: p.Text({ max: 64 }) },
    target: ['service', 'name'],
    result: StartedSnapshot,
    errors: ['state_conflict', 'device_busy', 'capability_missing'],
  }),
  machineSnapshotDelete: endpoint({
    ...writeEndpoint,
    method: 'DELETE',
    summary: 'Delete a snapshot',
    description: 'This cannot be undone. Other snapshots are not affected.',
    params: { service: p.Id, id: p.Id },
    target: ['service', 'id'],
    result: Type.Literal('Snapshot Deleted'),
    errors: ['state_conflict', 'capability_missing'],
  }),
  machineSnapshotRestore: endpoint({
    ...writeEndpoint,
    path: '/v2/machine/snapshot/restore',
    method: 'POST',
    summary: 'Restore a machine from a snapshot',
    description:
      'The current content of the disk is lost, and this cannot be undone. A running machine is shut down briefly and started again; a machine that is off stays off. If the restore fails, the machine is as before. Its addresses, size and volumes stay.',
    params: { service: p.Id, id: p.Id },
    target: ['service', 'id'],
    result: StartedSnapshot,
    errors: ['state_conflict', 'device_busy', 'capability_missing'],
  }),
} as const;
