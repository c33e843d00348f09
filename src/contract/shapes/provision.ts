// What staff choose from when they provision a service, and what would happen.
import { Type } from 'typebox';
import { Day, Money } from './account.ts';
import { planMachineFields } from './pricing.ts';
import { described, text } from './text.ts';

const { vcpus, memorymb, diskgb, size } = planMachineFields;

export const ProvisionOptions = Type.Object({
  plans: Type.Array(
    Type.Object({
      name: text,
      price: Money,
      currency: text,
      setup: Money,
      cycle: Type.Enum(['monthly', 'quarterly', 'yearly']),
      hourly: described('Per started hour; empty if the plan is billed by the cycle'),
      vcpus,
      memorymb,
      diskgb,
      size,
    }),
  ),
  models: Type.Array(
    Type.Object({
      model: described('Parts of the servers; the model of the BMC if unknown'),
      free: described('Number of free servers'),
      servers: Type.Array(text, { description: 'Their names' }),
    }),
    { description: 'Names of the first 1,000 free servers' },
  ),
  templates: Type.Array(Type.Object({ value: text, name: text, kind: text })),
  nodes: Type.Array(
    Type.Object({
      name: text,
      kinds: Type.Array(text, { description: 'The kinds of machines that it runs' }),
      memorymb: described('Free memory; empty if it did not respond'),
      diskgb: described('Free disk; empty if it did not respond'),
      error: described('Why it did not respond; otherwise empty'),
    }),
  ),
});

const PreviewedInvoice = Type.Object({
  date: Type.Union([Day, Type.Literal('')], { description: 'Empty if there is none' }),
  subtotal: Money,
  tax: Money,
  total: Money,
  lines: Type.Array(Type.Object({ description: text, amount: Money })),
});

export const ProvisionPreview = Type.Object({
  netblock: described('The addresses that the service would get'),
  ip: described('Its own address'),
  currency: text,
  first: PreviewedInvoice,
  next: PreviewedInvoice,
});
