// The reason that staff read while a machine waits for a hypervisor.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonNotPlaced, type HypervisorSurvey } from './placement.ts';

const machine = {
  kind: 'Xen',
  memory_mb: 512,
  disk_gb: 10,
  wanted_node: null,
  wanted_location: null,
  group_id: null,
  hypervisor_name: null,
  template: 'debian-12',
} as const;
const pinned = { ...machine, wanted_node: 'hv1' };

function survey(suitable: number, candidates: number, unable: number, ...unreachable: string[]): HypervisorSurvey {
  return { suitable, candidates, unable, unreachable };
}

const reasons: [Parameters<typeof reasonNotPlaced>[0], HypervisorSurvey, string][] = [
  [machine, survey(0, 0, 0), 'No hypervisor runs Xen machines.'],
  [{ ...machine, wanted_location: 'Paris' }, survey(0, 0, 0), 'No hypervisor in Paris runs Xen machines.'],
  [
    { ...machine, group_id: 3 },
    survey(0, 0, 0),
    'No hypervisor runs Xen machines and is free of other machines of its group.',
  ],
  [pinned, survey(0, 0, 0), 'Hypervisor hv1 does not exist or does not run Xen machines.'],
  [machine, survey(2, 0, 0), 'Every hypervisor that could run the machine is under maintenance.'],
  [pinned, survey(1, 0, 0), 'Hypervisor hv1 is under maintenance.'],
  [machine, survey(1, 1, 0, 'hv1'), 'No hypervisor is reachable at the moment. No response from hv1.'],
  [
    { ...pinned, hypervisor_name: 'web1' },
    survey(1, 1, 0, 'hv1'),
    'No hypervisor is reachable at the moment. No response from hv1.',
  ],
  [{ ...pinned, hypervisor_name: 'web1' }, survey(1, 1, 0), 'Hypervisor hv1 has no machine web1 to adopt.'],
  [machine, survey(2, 2, 2), 'No hypervisor can run the template debian-12.'],
  [machine, survey(2, 2, 1, 'hv2'), 'No hypervisor can run the template debian-12. No response from hv2.'],
  [machine, survey(3, 3, 1, 'hv2'), 'No hypervisor has 512 MB of memory and 10 GB of disk left. No response from hv2.'],
];
for (const [wish, found, reason] of reasons)
  test(`a machine without a hypervisor waits: ${reason}`, () => assert.equal(reasonNotPlaced(wish, found), reason));
