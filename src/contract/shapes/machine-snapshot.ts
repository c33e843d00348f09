// Snapshots, images and sizes of virtual machines. Our additions.
import { Type } from 'typebox';
import { Moment } from './account.ts';
import { described, text } from './text.ts';

/** Of a machine, unless the site file says otherwise. */
export const defaultSnapshots = 5;
/** Of an account, unless the site file says otherwise. */
export const defaultImages = 10;

const copyStates = ['creating', 'ready', 'deleting', 'failed'] as const;
const State = Type.Enum(copyStates, {
  description: 'A failed snapshot is listed with its reason until the next one is created',
});
const Size = described('Bytes on the hypervisor; empty if unknown');
const Reason = described('Why it failed; empty otherwise');

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
  action: described('The action to follow, as in GET /v2/action'),
});

export const MachineImage = Type.Object({
  id: text,
  system: described('Pass it to reinstall a machine, or as `system` of a new one'),
  service: described('The machine that it was made from'),
  name: text,
  state: State,
  reason: Reason,
  size: Size,
  type: described('The type of machine that can use it: Xen or OpenVZ'),
  node: described('The hypervisor that stores it; only machines there can use it'),
  location: described('Location of that hypervisor; empty if it has no name'),
  diskgb: described('The smallest disk that it fits on'),
  created: Moment,
});
export const StartedImage = Type.Object({ ...MachineImage.properties, action: text });

const size = { vcpus: text, memorymb: text, diskgb: text };
const Downtime = Type.Enum(['none', 'restart'], {
  description: 'Whether a running machine is shut down and started again',
});
export const MachineSizes = Type.Object({
  service: text,
  plan: described('Empty if the service has none'),
  ...size,
  downtime: Downtime,
  seconds: described('Approximate downtime of a running machine; 0 for none'),
  sizes: Type.Array(
    Type.Object({
      plan: text,
      price: described('For each cycle, without tax; with an hourly price, the maximum per month'),
      hourly: described('Per started hour; empty if the plan is billed by the cycle'),
      difference: described('Additional cost per month; negative if it is cheaper'),
      months: text,
      ...size,
      possible: Type.Boolean(),
      reason: described('Why it is not possible; empty otherwise'),
    }),
  ),
});
export const StartedResize = Type.Object({ service: text, plan: text, action: text });
