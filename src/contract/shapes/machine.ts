// Virtual machines that customers order and delete, and groups of them. Our additions.
import { Type } from 'typebox';
import { serviceStatuses } from './device.ts';
import { Day, Moment, Money } from './account.ts';
import { described, text } from './text.ts';

/** How long a deleted machine can be restored. */
export const restorableHours = 72;
export const maxMachineGroups = 50;

export const MachineOptions = Type.Object({
  plans: Type.Array(
    Type.Object({
      name: text,
      price: described('For each cycle, without tax; with an hourly price, the maximum per month'),
      hourly: described('Per started hour; empty if the plan is billed by the cycle'),
      setup: Money,
      currency: text,
      months: described('Months in a cycle'),
      minimum: described('Months before the plan can be cancelled; 0 for none'),
      vcpus: text,
      memorymb: text,
      diskgb: text,
      bandwidthgb: described('Monthly traffic allowance; 0 for none'),
      addresses: described('Size of its block of addresses, such as /30'),
      type: described('The type of operating systems that it runs; empty for any'),
      locations: Type.Array(text, {
        description: 'Locations with room for a machine of this size now; an empty text is a location without a name',
      }),
    }),
  ),
  systems: Type.Array(
    Type.Object({
      value: text,
      name: text,
      type: text,
      userdata: Type.Boolean({ description: 'Whether it accepts user data for cloud-init' }),
      location: described('The only location of an image of the account; empty if it is available everywhere'),
    }),
  ),
  locations: Type.Array(text, { description: 'Names of locations to choose from' }),
  left: described('Number of machines that the account can still order'),
  obstacle: described('Why the account cannot order now; empty if it can'),
});

export const OwnMachine = Type.Object({
  service: text,
  vmid: text,
  hostname: text,
  status: Type.Enum(serviceStatuses, { description: 'A deleted machine is Suspended until it is terminated' }),
  ip: text,
  system: described('The value of the installed system'),
  type: text,
  location: described('Empty if the location has no name, or the machine does not exist yet'),
  vcpus: text,
  memorymb: text,
  diskgb: text,
  group: described('Id of its group; empty if it has none'),
  protection: Type.Enum(['enabled', 'disabled'], { description: 'A protected machine cannot be deleted' }),
  deleted: Type.Union([Moment, Type.Literal('')], { description: 'Empty unless it was deleted' }),
  restorableto: Type.Union([Moment, Type.Literal('')], { description: 'Until when it can be restored' }),
});

export const OrderedMachine = Type.Object({
  service: text,
  vmid: text,
  hostname: text,
  ip: text,
  action: described('The action that creates the machine'),
});

export const DeletedMachine = Type.Object({
  service: text,
  restorableto: Moment,
  lastday: Type.Union([Day, Type.Literal('')], {
    description: 'The last day that is billed; empty if the service is not billed',
  }),
  minimumto: Type.Union([Day, Type.Literal('')], {
    description: 'Last day of the minimum term, which remains payable; empty if it is over',
  }),
  action: described('The action that powers the machine off'),
});

export const MachineGroup = Type.Object({
  id: text,
  name: text,
  machines: Type.Array(text, { description: 'Services of its machines' }),
  created: Moment,
});
