// Snapshots, images and sizes of virtual machines. Our additions.
import { Type } from 'typebox';
import { Moment } from './account.ts';

const text = Type.String();

/** Of a machine, unless the site file says otherwise. */
export const defaultSnapshots = 5;
/** Of an account, unless the site file says otherwise. */
export const defaultImages = 10;

const copyStates = ['creating', 'ready', 'deleting', 'failed'] as const;
const State = Type.Enum(copyStates, {
  description: 'A failed snapshot is listed with its reason until the next one is created',
});
const Size = Type.String({ description: 'Bytes on the hypervisor; empty if unknown' });
const Reason = Type.String({ description: 'Why it failed; empty otherwise' });

export const MachineSnapshot = Type.Object({
  id: text,
  service: text,
  name: text,
  state: State,
  reason: Reason,
  size: Size,
  consistent: Type.Enum(['yes', 'no', ''], {
    description:
      'Yes if the machine was off or its guest agent froze the file systems; no if the disk is as after a power failure; empty if unknown',
  }),
  created: Moment,
});
export const StartedSnapshot = Type.Object({
  ...MachineSnapshot.properties,
  action: Type.String({ description: 'The action to follow, as in GET /v2/action' }),
});

export const MachineImage = Type.Object({
  id: text,
  system: Type.String({ description: 'Pass it to reinstall a machine, or as `system` of a new one' }),
  service: Type.String({ description: 'The machine that it was made from' }),
  name: text,
  state: State,
  reason: Reason,
  size: Size,
  type: Type.String({ description: 'The type of machine that can use it: Xen or OpenVZ' }),
  node: Type.String({ description: 'The hypervisor that stores it; only machines there can use it' }),
  location: Type.String({ description: 'Location of that hypervisor; empty if it has no name' }),
  diskgb: Type.String({ description: 'The smallest disk that it fits on' }),
  created: Moment,
});
export const StartedImage = Type.Object({ ...MachineImage.properties, action: text });

const size = { vcpus: text, memorymb: text, diskgb: text };
const Downtime = Type.Enum(['none', 'restart'], {
  description: 'Whether a running machine is shut down and started again',
});
export const MachineSizes = Type.Object({
  service: text,
  plan: Type.String({ description: 'Empty if the service has none' }),
  ...size,
  downtime: Downtime,
  seconds: Type.String({ description: 'Approximate downtime of a running machine; 0 for none' }),
  sizes: Type.Array(
    Type.Object({
      plan: text,
      price: Type.String({ description: 'For each cycle, without tax; with an hourly price, the maximum per month' }),
      hourly: Type.String({ description: 'Per started hour; empty if the plan is billed by the cycle' }),
      difference: Type.String({ description: 'Additional cost per month; negative if it is cheaper' }),
      months: text,
      ...size,
      possible: Type.Boolean(),
      reason: Type.String({ description: 'Why it is not possible; empty otherwise' }),
    }),
  ),
});
export const StartedResize = Type.Object({ service: text, plan: text, action: text });
