// Services and devices in responses to operators.
import { Type } from 'typebox';
import { Day, Moment, Money } from './account.ts';
import { serviceStatuses } from './device.ts';
import { reclaimStepNames, serverStateNames } from '../states/servers.ts';
import { described, text } from './text.ts';

export const serviceTypes = ['dedicated', 'vps', 'cloud'] as const;

export const OperatorServiceListItem = Type.Object({
  id: text,
  account: text,
  type: Type.Enum(serviceTypes),
  name: text,
  hostname: text,
  status: Type.Enum(serviceStatuses),
  ip: text,
  server: text,
  vmid: text,
  created: Moment,
});

export const OperatorService = Type.Object({
  ...OperatorServiceListItem.properties,
  netblocks: Type.Array(text),
  node: described('The hypervisor of its machine; empty if none'),
  waiting: described('Why its machine does not exist yet'),
  detail: described('The hypervisor’s message'),
  attempts: described('Consecutive failed attempts to create its machine'),
  nextattempt: described('When the next attempt to create its machine is due; empty if none is planned'),
  suspension: described('Why an operator suspended it; otherwise empty'),
  work: Type.Array(text, { description: 'Names of its running workflows' }),
  terms: Type.Array(
    Type.Object({
      plan: text,
      price: Money,
      cycle: described('Months'),
      from: Day,
      until: described('The first day after its end; empty if open'),
    }),
  ),
});

export const ServiceWork = Type.Object({
  service: text,
  workflow: described('Follow it with `workflow get`; empty if everything is done already'),
});

export const OperatorDevice = Type.Object({
  device: described('The name of a server, or vm- followed by the number of a machine'),
  alias: described('The name of a server in the legacy API; empty for a machine'),
  service: text,
  account: text,
  model: described('The model of the BMC, or the kind of machine'),
  node: text,
  power: Type.Enum(['on', 'off', 'unknown'], { description: 'Last known state' }),
  state: Type.Enum([...serverStateNames], { description: 'State between customers; a machine is always assigned' }),
  locked: described('The reason; empty if it is not locked'),
  maintenance: described('The reason; empty if it is not under maintenance'),
});

export const OperatorDeviceDetail = Type.Interface([OperatorDevice], {
  hostname: text,
  type: Type.Enum(['dedicated', 'vps', 'cloud']),
  status: described('The status of its service; empty for a server in stock'),
  ip: text,
  rack: described('Empty if the site file does not place it'),
  unit: text,
  seen: described('When its power was last seen; empty if never'),
  error: described('Why its power is unknown; empty if it is known'),
  lock: Type.Array(
    Type.Object({
      purpose: text,
      holder: described('The id of a workflow or request'),
      until: described('When it expires unless it is extended'),
    }),
    { description: 'The command or workflow that is using the device; empty if none' },
  ),
  holds: Type.Array(
    Type.Object({ kind: Type.Enum(['locked', 'maintenance']), reason: text, operator: text, since: Moment }),
  ),
  firmware: Type.Array(Type.Object({ component: text, version: text }), { description: 'As last scanned' }),
  tenants: Type.Array(
    Type.Object({
      service: text,
      account: text,
      hostname: text,
      until: described('When it ended; empty for the current one'),
    }),
    { description: 'Newest first, at most a hundred' },
  ),
  certificates: Type.Array(Type.Object({ id: text, issued: Moment, formerservice: text, service: text }), {
    description: 'What was done to the server between customers; newest first, at most a hundred',
  }),
});

export const Discovery = Type.Object({
  device: text,
  stored: Type.Boolean(),
  differences: Type.Array(Type.Object({ category: text, before: Type.Array(text), after: Type.Array(text) })),
});

export const Reclaim = Type.Object({
  server: text,
  state: Type.Enum(['reclaiming', 'quarantined']),
  step: Type.Enum([...reclaimStepNames], { description: 'The step that is running or failed' }),
  reason: described('Why it failed; empty while it is running'),
  workflow: text,
  started: Moment,
  steps: Type.Array(
    Type.Object({ name: Type.Enum([...reclaimStepNames]), state: Type.Enum(['done', 'signedoff', 'open']) }),
  ),
});
