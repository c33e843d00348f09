// Services and devices as the provider's staff see them.
import { Type } from 'typebox';
import { Day, Moment, Money } from './account.ts';
import { serviceStatuses } from './device.ts';

const text = Type.String();
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
  node: Type.String({ description: 'Where its machine runs, empty for none' }),
  waiting: Type.String({ description: 'Why its machine is not there yet' }),
  suspension: Type.String({ description: 'Why an operator suspended it, empty where none did' }),
  work: Type.Array(text, { description: 'Names of the workflows that are under way for it' }),
  terms: Type.Array(
    Type.Object({
      plan: text,
      price: Money,
      cycle: Type.String({ description: 'Months' }),
      from: Day,
      until: Type.String({ description: 'The first day that is not part of it, empty: open' }),
    }),
  ),
});

export const ServiceWork = Type.Object({
  service: text,
  workflow: Type.String({ description: 'To be followed with `workflow get`; empty where all is done already' }),
});

export const OperatorDevice = Type.Object({
  device: Type.String({ description: 'The name of a server, or vm- and the number of a machine' }),
  service: text,
  account: text,
  model: Type.String({ description: 'Of the controller, or the kind of machine' }),
  node: text,
  power: Type.Enum(['on', 'off', 'unknown'], { description: 'As last seen' }),
  locked: Type.String({ description: 'The reason, empty where it is not' }),
  maintenance: Type.String({ description: 'The reason, empty where it is not' }),
});

export const Discovery = Type.Object({
  device: text,
  stored: Type.Boolean(),
  differences: Type.Array(Type.Object({ category: text, before: Type.Array(text), after: Type.Array(text) })),
});
